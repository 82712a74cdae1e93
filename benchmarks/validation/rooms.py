"""Bodies thrown in closed rooms, held by the speculative margin alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import opendynamics as od
from benchmarks.validation import Row, at_most, samples
from benchmarks.validation.restitution import SHAPES, kinetic_energies, random_rotation, random_shape

TITLE = "Closed rooms"
TEXT = """
A room of 3 m, a mesh whose triangles face inwards, contains one body with a speed of 1 to 300 m/s (log-uniform), a
coefficient of restitution e from 0 to 1 and a friction coefficient of 0.3, without gravity; 40 steps of 1/60 s,
`world.speculative_margin = "auto"`. At 300 m/s the displacement in a step is longer than the room: opposite walls require
contradictory velocities. "ODE" is `od.World(like="ode")` with the same margin: Newton's rule without a limit.
"""
H, STEPS = 1 / 60, 40
SIDE, APART = 3.0, 50.0

# Rooms of a world: each has a material of its own, and the table of pairs of materials grows by the square.
ROOMS = 40

Array = npt.NDArray[np.float64]


def room() -> tuple[Array, list[tuple[int, int, int]]]:
    """Vertices and triangles of the room."""
    half = 0.5 * SIDE
    vertices = np.array([(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)])
    triangles = []
    for a, b, c, d in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)):
        for i, j, k in ((a, b, c), (a, c, d)):
            normal = np.cross(vertices[j] - vertices[i], vertices[k] - vertices[i])
            triangles.append((i, j, k) if normal @ vertices[i] < 0 else (i, k, j))
    return vertices, triangles


def throw(
    rng: np.random.Generator,
    count: int,
    kinds: tuple[str, ...] = ("sphere",),
    *,
    solver: str = "exact",
    like: Any = "opendynamics",
) -> od.World:
    """A world of that many rooms with a body in each."""
    world = od.World(solver=solver, like=like)
    world.speculative_margin = "auto"
    world.integrator = "energy-momentum"
    walls = room()
    for k in range(count):
        material = f"of room {k}"
        world.surfaces[material] = od.Surface(mu=0.3, bounce=rng.uniform())
        mesh = od.Trimesh(*walls, position=(APART * k, 0, 0))
        shape = random_shape(rng, str(rng.choice(kinds)))
        mesh.material = shape.material = material
        world.add_geom(mesh)
        direction = rng.normal(size=3)
        speed = np.exp(rng.uniform(0.0, np.log(300.0)))
        body = world.add_body(
            shape,
            position=np.array((APART * k, 0, 0)) + rng.uniform(-0.9, 0.9, 3),
            quaternion=random_rotation(rng),
            linear_velocity=speed * direction / np.linalg.norm(direction),
            angular_velocity=5 * rng.normal(size=3),
        )
        body.finite_rotation_mode = True
    return world


def follow(world: od.World, steps: int = STEPS, h: float = H) -> tuple[float, int]:
    """The largest relative gain of energy of a body in a step, and the number of bodies that escape."""
    worst, count = 0.0, len(world.bodies)
    escaped = np.zeros(count, dtype=bool)
    centres = np.zeros((count, 3))
    centres[:, 0] = APART * np.arange(count)
    before = kinetic_energies(world)
    for _ in range(steps):
        world.advance(h)
        after = kinetic_energies(world)
        worst = max(worst, float((after / before - 1.0).max()))
        before = after
        escaped |= np.abs(world.positions - centres).max(1) > 0.5 * SIDE
    return worst, int(escaped.sum())


def follow_all(throws: int, kinds: tuple[str, ...], **settings: Any) -> tuple[float, int]:
    """The same of that many throws, world by world."""
    seeds = range(0, throws, ROOMS)
    found = [follow(throw(np.random.default_rng(seed), min(ROOMS, throws - seed), kinds, **settings)) for seed in seeds]
    return max(gain for gain, _ in found), sum(count for _, count in found)


def measure(throws: int = 0) -> list[Row]:
    """Gains and escapes of spheres and of all shapes, with both solvers."""
    rows, throws = [], throws or samples(400)
    for solver in ("exact", "pgs", "soft"):
        for name, kinds in (("spheres", ("sphere",)), ("all shapes", SHAPES)):
            ours = follow_all(throws, kinds, solver=solver)
            theirs = follow_all(throws, kinds, solver=solver, like="ode") if solver != "soft" else (None, None)
            rows.append(at_most(f'largest gain of energy in a step, {name}, "{solver}"', ours[0], 1e-6, theirs[0]))
            rows.append(at_most(f'escaped, of {throws} {name}, "{solver}"', ours[1], 0, theirs[1]))
    return rows
