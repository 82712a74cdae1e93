"""Trees of bodies with stops at every joint, thrown at random: the soft step creates no energy, whatever its sub-steps."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

SUBSTEPS, STEPS = (2, 4, 8, 16, 32, 64), (1 / 60, 1 / 100, 1 / 240)
ARM = np.array((0.3, 0.0, 0.0))


def tree_of(seed):
    """A world with 2 to 24 arms, each joined to one of the three before it, with stops from 0.05 to 1 on."""
    rng = np.random.default_rng(seed)
    world = od.World(gravity=(0, 0, -9.81 * rng.integers(2)), solver="soft")
    world.soft_substeps = int(rng.choice(SUBSTEPS))
    branches = rng.random() < 0.4
    arms = []
    for k in range(rng.integers(2, 25)):
        parent = arms[rng.integers(max(0, k - 3), k) if branches else k - 1] if k > 0 else None
        anchor = parent.position + ARM if parent else np.zeros(3)
        arm = world.add_body(od.Box((0.6, 0.1, 0.15)), position=anchor + ARM, mass=rng.uniform(0.5, 2))
        arm.geoms[0].collide_bits = 0
        stops = -rng.uniform(0.05, 1), rng.uniform(0.05, 1)
        for limit in join(world, arm, parent, anchor, rng):
            limit.stops = stops
        arm.angular_velocity = rng.normal(size=3) * 3
        arms.append(arm)
    return world, rng.choice(STEPS)


def join(world, arm, parent, anchor, rng):
    """Join an arm by a random kind of joint. Returns its limits."""
    kind, axis = rng.integers(4), rng.normal(size=3)
    across = np.cross(axis, (1, 0, 0.3))
    if kind == 0:
        return world.add_hinge(arm, parent, anchor=anchor, axis=axis).limit_motors[:1]
    if kind == 1:
        return world.add_universal(arm, parent, anchor=anchor, axis1=axis, axis2=across).limit_motors[:2]
    if kind == 2:
        return world.add_slider(arm, parent, axis=axis).limit_motors[:1]
    parent = parent or world.add_body(mass=1, kinematic=True)
    world.add_ball(arm, parent, anchor=anchor)
    motor = world.add_amotor(arm, parent)
    motor.mode = "euler"
    motor.set_axis(0, 1, axis)
    motor.set_axis(2, 2, across)
    return motor.limit_motors


def gain(seed):
    """The largest gain of energy, relative to the largest kinetic energy so far."""
    world, h = tree_of(seed)
    world.solver = "exact"
    world.advance(1e-5)  # to velocities that the joints allow
    world.solver = "soft"
    most, gained, before = world.kinetic_energy, 0.0, world.kinetic_energy + world.potential_energy
    for _ in range(round(1.5 / h)):
        world.advance(h)
        most = max(most, world.kinetic_energy)
        gained = max(gained, (world.kinetic_energy + world.potential_energy - before) / most)
    return gained


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(20, 400, 20))])
def test_random_trees_gain_no_energy(first):
    assert max(map(gain, range(first, first + 20))) < 0.03
