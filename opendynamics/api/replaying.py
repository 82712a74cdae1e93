"""Write interface for replays: lets a world show recorded states instead of computed ones.

Writes poses, velocities, flags, poses of geoms and parameters of joints as they are given, without the conversions of the
properties, so that the world shows the recording to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joints.joint import Joint
from opendynamics.api.rotation import matrix_numbers
from opendynamics.api.waking import note_sleepers
from opendynamics.api.world import World
from opendynamics.core.arrays import geoms
from opendynamics.core.arrays.bodies import ENABLED, FAULTY, INERTIAS, MOTIONS, POSES

Array = npt.NDArray[Any]

JOINT_FIELDS = ("anchor0", "anchor1", "axis0", "axis1", "relative", "numbers")


def place_bodies(world: World, bodies: Sequence[Body], states: Array, enabled: Array, faulty: Array) -> None:
    """Set the states of bodies.

    Args:
        world: the bodies' world.
        bodies: the bodies.
        states: position 3, m, quaternion 4, and optionally velocity 3, m/s, and angular velocity 3, rad/s, shape (n, 7) or
            (n, 13).
        enabled, faulty: whether each is enabled, and whether it is frozen, shape (n,).
    """
    rows = [body._row for body in bodies]
    poses, motions = world._store[POSES], world._store[MOTIONS]
    world._home.edition.number += 1
    poses["position"][rows] = states[:, 0:3]
    poses["quaternion"][rows] = states[:, 3:7]
    poses["rotation"][rows] = np.column_stack(matrix_numbers(states[:, 3:7].T))
    world._store[INERTIAS]["world_inverse"][rows] = 0.0
    moving = states[:, 7:13] if states.shape[1] > 7 else np.zeros((len(rows), 6))
    motions["linear_velocity"][rows], motions["angular_velocity"][rows] = moving[:, :3], moving[:, 3:]
    note_sleepers(world._store)
    world._changed_geoms.clear()  # a step would wake what sleeps near them
    kept = motions["flags"][rows] & ~np.uint32(ENABLED | FAULTY)
    motions["flags"][rows] = kept | np.uint32(ENABLED) * enabled.astype(bool) | np.uint32(FAULTY) * faulty.astype(bool)


def place_geom(geom: Geom, position: Any, rotation: Any) -> None:
    """Set the position, m, and orientation (9,) of a geom: relative to its body, if it has one, or in the world."""
    record = geom._record
    offset = "" if geom.body is None else "offset_"
    record[f"{offset}position"], record[f"{offset}rotation"] = position, rotation
    if offset:
        record["flags"] |= geoms.OFFSET


def set_joint(joint: Joint, mode: int, fields: Mapping[str, Any], stops: Sequence[tuple[float, float]]) -> None:
    """Set a joint's mode, the values of JOINT_FIELDS, and the stops of each axis."""
    record = joint._record
    record["mode"] = mode
    for field in JOINT_FIELDS:
        record[field] = fields[field]
    for limit, (low, high) in zip(record["limits"], stops, strict=True):
        limit["low"], limit["high"] = low, high
