"""How far a state of a benchmark scene is from one that keeps to the laws, whichever engine reached it.

The bodies are put into a world of this engine, whose exact collider and joints measure them. All engines are thus measured
alike, by what they do to bodies and not by what they report.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import opendynamics as od
from opendynamics.io import build_scene
from opendynamics.io.bench_scene import BenchScene


class Errors(NamedTuple):
    """Errors of a state.

    Attributes:
        depth: m, the deepest overlap of two bodies, or of a body and the ground.
        joint: m, the largest distance between the two anchors of a joint.
        lowest: m, of the lowest body's centre: far below the ground where one fell through it.
        energy: J, kinetic and potential.
    """

    depth: float
    joint: float
    lowest: float
    energy: float


def errors_of(scene: BenchScene, state: NDArray[np.float64]) -> Errors:
    """Measure a state: position, quaternion (w, x, y, z), velocity and spin of every body, shape (n, 13), SI."""
    world = od.World()
    bodies = build_scene(world, scene)
    for body, row in zip(bodies, state, strict=True):
        body.position, body.quaternion = row[:3], row[3:7] / np.linalg.norm(row[3:7])
        body.linear_velocity, body.angular_velocity = row[7:10], row[10:13]
    depths = world.space.contacts().depths if scene.collides else np.zeros(0)
    gaps = [np.linalg.norm(np.subtract(joint.anchor, joint.anchor2)) for joint in world.joints]
    return Errors(
        float(max(depths, default=0.0)),
        float(max(gaps, default=0.0)),
        float(state[:, 2].min()),
        world.kinetic_energy + world.potential_energy,
    )
