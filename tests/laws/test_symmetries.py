"""Symmetries of mechanics: a world that is turned, mirrored, moved, boosted, or described in another order moves alike.

Random trees of joints with motors and stops, and of each solver and integrator. A mirror turns axes of rotation around, so that
angles, and with them stops and motors, stay; a piston's angle alone changes its sign, for its axis is also that of its position.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np
import pytest

import opendynamics as od
from tests.families.joint_cases import across, unit

STEPS, H = 12, 1 / 100
METHODS = [
    ("exact", "energy-momentum"),
    ("exact", "verlet"),
    ("exact", "euler"),
    ("pgs", "verlet"),
    ("soft", "energy-momentum"),
]

# Of each kind: whether it has an anchor, its axes along and about which bodies move, and its limits along and about them.
KINDS = {
    "ball": (True, (), (), ""),
    "hinge": (True, (), ("axis",), "a"),
    "slider": (False, ("axis",), (), "l"),
    "universal": (True, (), ("axis1", "axis2"), "aa"),
    "hinge2": (True, (), ("axis1", "axis2"), "-a"),
    "piston": (True, ("axis",), (), "l"),
    "pr": (True, ("axis1",), ("axis2",), "la"),
    "pu": (True, ("prismatic_axis",), ("axis1", "axis2"), "aal"),
    "fixed": (False, (), (), ""),
}


@dataclass(frozen=True)
class Moved:
    """How a world is moved: x' = q x + shift + boost t."""

    q: np.ndarray
    shift: np.ndarray
    boost: np.ndarray

    @property
    def sign(self):
        return np.sign(np.linalg.det(self.q))


def random_rotation(random):
    q = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return q * np.linalg.det(q)


HERE = Moved(np.eye(3), np.zeros(3), np.zeros(3))


def build(seed, by, solver, integrator, order=None):
    """A random tree of bodies, and what connects them."""
    random = np.random.default_rng(seed)
    count = 5
    world = od.World(gravity=by.q @ (9.81 * unit(random)), solver=solver)
    world.integrator = integrator
    flip = np.diag([1, 1, by.sign])  # bodies' own frames are mirrored, too
    places, given = [random.uniform(-1, 1, 3)], []
    for _ in range(count - 1):
        places.append(places[-1] + 0.45 * unit(random))
    for place in places:
        mass = od.Mass(random.uniform(0.5, 2), np.diag(random.uniform(0.02, 0.035, 3)))
        given.append((mass, by.q @ place + by.shift, by.q @ random_rotation(random) @ flip))
    bodies = {}
    for k in order if order is not None else range(count):
        mass, place, rotation = given[k]
        bodies[k] = world.add_body(mass=mass, position=place, linear_velocity=by.boost)
        bodies[k].rotation = rotation
    joints = []
    for k in range(1, count):
        kind = str(random.choice(list(KINDS)))
        joints.append(add_joint(world, random, kind, (bodies[k], bodies[k - 1]), (places[k] + places[k - 1]) / 2, by))
    return world, [bodies[k] for k in range(count)], joints


def add_joint(world, random, kind, bodies, anchor, by):
    anchored, along, about, limits = KINDS[kind]
    first = unit(random)
    axes = dict(
        zip(
            ("axis", "axis1", "axis2", "prismatic_axis"),
            (first, first, across(random, first), unit(random)),
            strict=True,
        )
    )
    where = {"anchor": by.q @ anchor + by.shift} if anchored else {}
    where |= {name: by.q @ axes[name] for name in along} | {name: by.sign * by.q @ axes[name] for name in about}
    joint = getattr(world, f"add_{kind}")(*bodies, **where)
    for number, limit in enumerate(limits):
        velocity, most, stop = random.normal(), float(random.choice([0, 1, 10])), random.uniform(0.02, 0.3)
        if limit != "-":
            joint.limit_motors[number].motor(velocity, most)
        if limit != "-" and not (kind == "hinge2" and number == 1):
            joint.limit_motors[number].stops = (-stop, 2 * stop)
    return joint


def motion(by, built):
    """Positions, rotations, velocities and forces of each step, seen as if nothing had been moved."""
    world, bodies, joints = built
    flip, seen = np.diag([1, 1, by.sign]), []
    for k in range(1, STEPS + 1):
        world.advance(H)
        positions = (np.array([body.position for body in bodies]) - by.shift - by.boost * k * H) @ by.q
        rotations = np.array([by.q.T @ body.rotation @ flip for body in bodies])
        velocities = (np.array([body.linear_velocity for body in bodies]) - by.boost) @ by.q
        spins = by.sign * np.array([body.angular_velocity for body in bodies]) @ by.q
        forces = np.array([joint.feedback.force1 for joint in joints]) @ by.q / 1000
        seen.append(np.concatenate([part.ravel() for part in (positions, rotations, velocities, spins, forces)]))
    return np.array(seen)


def tolerance(solver, integrator):
    """Lanes of the soft step compute in float32; the projection of Verlet's step is regularised by 1e-6."""
    return 1e-5 if solver == "soft" else 1e-6 if integrator == "verlet" else 1e-9


@pytest.mark.parametrize("change", ["turned", "mirrored", "moved", "boosted"])
@pytest.mark.parametrize(("solver", "integrator"), METHODS)
def test_a_world_moves_alike_however_it_is_placed(solver, integrator, change):
    for seed in range(12):
        random = np.random.default_rng(seed + 100)
        q = random_rotation(random)
        by = {
            "turned": replace(HERE, q=q),
            "mirrored": replace(HERE, q=-q),
            "moved": replace(HERE, shift=random.uniform(-5, 5, 3)),
            "boosted": replace(HERE, boost=random.uniform(-5, 5, 3)),
        }[change]
        here, there = (motion(place, build(seed, place, solver, integrator)) for place in (HERE, by))
        assert there == pytest.approx(here, abs=tolerance(solver, integrator)), seed


@pytest.mark.parametrize("integrator", ["energy-momentum", "verlet", "euler"])
def test_the_order_in_which_bodies_are_created_does_not_matter(integrator):
    for seed in range(12):
        order = np.random.default_rng(seed).permutation(5)
        one, other = (motion(HERE, build(seed, HERE, "exact", integrator, each)) for each in (None, order))
        assert other == pytest.approx(one, abs=tolerance("exact", integrator)), seed


@pytest.mark.parametrize(("solver", "integrator"), METHODS)
def test_a_copy_of_a_tree_goes_on_to_the_last_bit(solver, integrator):
    for seed in range(6):
        world, *_ = build(seed, HERE, solver, integrator)
        world.advance(H, steps=5)
        twin = copy.deepcopy(world)
        world.advance(H, steps=STEPS)
        for _ in range(STEPS):
            twin.advance(H)
        assert twin.state_hash() == world.state_hash(), seed
