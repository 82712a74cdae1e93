"""Random impacts of two bodies: no impact may create energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import opendynamics as od
from benchmarks.validation import Row, at_most, samples

TITLE = "Restitution"
TEXT = """
Two bodies of random shapes (sphere, box, capsule, cylinder, hull), sizes, orientations, spins and speeds up to 5 m/s are
thrown at each other without gravity; 25 steps of 1/60 s. The figure is the largest relative gain of their kinetic energy
in a step in which they touch. "ODE" is `od.World(like="ode")`: Newton's rule without a limit, and position correction
that adds velocity. ODE has no solver like "soft". The integrator is the default, which keeps the energy of free rotation.
"""
H, STEPS = 1 / 60, 25
APART = 100.0  # m, between pairs
SHAPES = ("sphere", "box", "capsule", "cylinder", "convex")
CORNERS = np.array(
    [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0.3, 0.3, -0.8), (-0.4, 0.1, -0.8), (0.1, -0.5, -0.8)]
)

Array = npt.NDArray[np.float64]


def random_shape(rng: np.random.Generator, kind: str) -> od.Geom:
    """A shape of 0.1 to 0.6 m."""
    a, b, c = rng.uniform(0.1, 0.3, 3)
    if kind == "sphere":
        return od.Sphere(a)
    if kind == "box":
        return od.Box((2 * a, 2 * b, 2 * c))
    if kind == "capsule":
        return od.Capsule(a, 2 * b)
    return od.Cylinder(a, 2 * b) if kind == "cylinder" else od.Convex.hull(2 * a * CORNERS)


def random_rotation(rng: np.random.Generator) -> Array:
    """A quaternion, any orientation as likely as any other."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def kinetic_energies(world: od.World, rotations: Array | None = None) -> Array:
    """Kinetic energy of each body, J; with other `rotations` than they have, shape (n, 3, 3), if given."""
    energies = np.empty(len(world.bodies))
    for k, body in enumerate(world.bodies):
        turn = body.rotation if rotations is None else rotations[k]
        spin = turn.T @ body.angular_velocity
        energies[k] = 0.5 * body.mass * float(body.linear_velocity @ body.linear_velocity)
        energies[k] += 0.5 * float(spin @ body.mass_properties.inertia @ spin)
    return energies


def throw_pairs(rng: np.random.Generator, pairs: int, surface: od.Surface, **settings: Any) -> od.World:
    """A world of that many pairs of bodies that fly towards each other."""
    world = od.World(surface=surface, like=settings.pop("like", "opendynamics"))
    for name, value in settings.items():
        setattr(world, name, value)
    for k in range(pairs):
        towards = rng.normal(size=3)
        towards /= np.linalg.norm(towards)
        for side in (1, -1):
            world.add_body(
                random_shape(rng, str(rng.choice(SHAPES))),
                position=np.array((APART * k, 0, 0)) + side * 0.8 * towards + rng.normal(size=3) * 0.1,
                quaternion=random_rotation(rng),
                linear_velocity=-side * towards * rng.uniform(1, 5),
                angular_velocity=5 * rng.normal(size=3),
                density=rng.uniform(300, 3000),
            )
    for body in world.bodies:
        body.finite_rotation_mode = True
    return world


def worst_gains(world: od.World, steps: int = STEPS, h: float = H) -> tuple[Array, Array]:
    """Of each pair the largest relative gain of energy in a step, and whether the two have met."""
    pairs = len(world.bodies) // 2
    worst, met = np.zeros(pairs), np.zeros(pairs, dtype=bool)
    before = kinetic_energies(world).reshape(pairs, 2).sum(1)
    for _ in range(steps):
        speeds, rotations = world.linear_velocities, np.array([body.rotation for body in world.bodies])
        world.advance(h)
        hit = (np.abs(world.linear_velocities - speeds).max(1) > 1e-9).reshape(pairs, 2).any(1)
        frozen = rotations if world.integrator == "euler" else None
        after = kinetic_energies(world, frozen).reshape(pairs, 2).sum(1)
        worst = np.maximum(worst, np.where(hit, after / before - 1.0, 0.0))
        met |= hit
        before = kinetic_energies(world).reshape(pairs, 2).sum(1)
    return worst, met


def measure(pairs: int = 0) -> list[Row]:
    """Gains of both solvers, with and without a margin, without bounce, with a usual one and the hardest."""
    rows, pairs = [], pairs or samples(400)
    for solver in ("exact", "pgs", "soft"):
        for margin in (0.0, "auto"):
            for e in (0.0, 0.5, 1.0):
                gains = {}
                for like in ("opendynamics", "ode") if solver != "soft" else ("opendynamics",):
                    settings = {"solver": solver, "speculative_margin": margin, "like": like}
                    world = throw_pairs(np.random.default_rng(7), pairs, od.Surface(mu=0.3, bounce=e), **settings)
                    world.integrator = "energy-momentum"
                    gains[like] = float(worst_gains(world)[0].max())
                what = f'largest gain of {pairs} impacts, solver "{solver}", margin {margin}, e = {e}'
                rows.append(at_most(what, gains["opendynamics"], 1e-6, gains.get("ode")))
    return rows
