"""Poses of the meshes of many geoms, all at once.

Reads the tables of bodies and geoms. The mesh of a geom on a body follows the current pose of the body, unlike the geom's
record, which has that of the last collision, a step ago:

    x = x_body + q_body offset,   q = q_body q_offset
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.geoms import GEOMS, OFFSET
from opendynamics.viewer.live.turning import products, quaternions_of, turned
from opendynamics.viewer.meshes import Detail, follows_record, place_of

Array = npt.NDArray[np.float64]


class Poses:
    """Poses of these geoms, in this order. Valid until their set, offsets or bodies change."""

    def __init__(self, world: World, geoms: Sequence[Geom], detail: Detail) -> None:
        self._world = world
        self._geoms = geoms
        self._detail = detail
        at_home = [reading.lives_in(geom, world) and follows_record(geom) for geom in geoms]
        carried = [home and geom.body is not None for home, geom in zip(at_home, geoms, strict=True)]
        standing = [home and geom.body is None for home, geom in zip(at_home, geoms, strict=True)]
        self._carried, self._standing = np.flatnonzero(carried), np.flatnonzero(standing)
        self._others = np.flatnonzero(~np.array(at_home, bool))
        rows = np.array([reading.row_of(geom) for geom in geoms], np.int64)
        records = reading.table_of(world, GEOMS)[rows[self._carried]]
        self._bodies = records["body"].astype(np.int64)
        offset = np.flatnonzero(records["flags"] & OFFSET)
        self._offset = offset
        self._displaced = records["offset_position"][offset]
        self._turned = quaternions_of(records["offset_rotation"][offset])
        self._standing_rows = rows[self._standing]
        self._standing_turn = np.zeros((0, 9))
        self._positions = np.zeros((len(geoms), 3))
        self._quaternions = np.tile((1.0, 0.0, 0.0, 0.0), (len(geoms), 1))

    def now(self) -> tuple[Array, Array]:
        """Positions (n, 3) and quaternions (n, 4); the same arrays in every call."""
        self._carry()
        self._stand()
        for k in self._others.tolist():
            position, rotation = place_of(self._geoms[k], self._detail)
            self._positions[k], self._quaternions[k] = position, quaternions_of(rotation)[0]
        return self._positions, self._quaternions

    def _carry(self) -> None:
        poses, offset = reading.table_of(self._world, POSES), self._offset
        positions, quaternions = poses["position"][self._bodies], poses["quaternion"][self._bodies]
        if len(offset):
            turn = quaternions[offset]
            positions[offset] += turned(turn, self._displaced)
            quaternions[offset] = products(turn, self._turned)
        self._positions[self._carried] = positions
        self._quaternions[self._carried] = quaternions

    def _stand(self) -> None:
        records = reading.table_of(self._world, GEOMS)
        self._positions[self._standing] = records["position"][self._standing_rows]
        rotation = records["rotation"][self._standing_rows]
        if not np.array_equal(rotation, self._standing_turn):
            self._standing_turn = rotation
            self._quaternions[self._standing] = quaternions_of(rotation)
