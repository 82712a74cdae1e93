"""Impacts create no energy, for any contacts, friction and spin; where Newton's rule creates none, e is exact."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.validation import restitution, rooms


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("margin", [0.0, "auto"])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_random_impacts_create_no_energy(solver, margin, e):
    surface = od.Surface(mu=0.3, bounce=e)
    settings = {"solver": solver, "speculative_margin": margin}
    world = restitution.throw_pairs(np.random.default_rng(11), 40, surface, **settings)
    gains, met = restitution.worst_gains(world)
    assert met.sum() > 30
    assert gains.max() < (1e-6 if solver == "soft" else 1e-9)


@pytest.mark.parametrize(("margin", "seed", "pairs"), [(0.0, 1008, 498), (0.0, 1012, 471), ("auto", 1014, 34)])
def test_bodies_that_slide_on_each_other_as_they_turn_gain_nothing(margin, seed, pairs):
    """Held to the mean angular velocities of the step, contacts did work: up to 3.5e-5 of the energy in a step."""
    surface = od.Surface(mu=0.3, bounce=0.0)
    world = restitution.throw_pairs(np.random.default_rng(seed), pairs, surface, speculative_margin=margin)
    assert restitution.worst_gains(world)[0].max() < 1e-9


def test_bodies_that_spin_fast_gain_nothing_from_impacts_with_eulers_gyroscopic_torque():
    """That torque does work in a step, which the energy limit counts: left out, pairs gain 1 to 2 % of their energy."""
    gains = []
    for seed in range(100):
        random = np.random.default_rng(seed)
        world = od.World(surface=od.Surface(mu=0.0, bounce=1.0, bounce_velocity=0.0, soft_erp=0.0), solver="exact")
        world.integrator = "euler"
        for k in range(2):
            quaternion = random.normal(size=4)
            world.add_body(
                od.Box(random.uniform(0.1, 0.8, 3)),
                density=1000,
                position=(0, 0, 0.45 * k),
                quaternion=quaternion / np.linalg.norm(quaternion),
                linear_velocity=random.normal(size=3) - (0, 0, 2.0 * k),
                angular_velocity=15.0 * random.normal(size=3),
            )
        energy = world.kinetic_energy
        world.advance(5e-3)
        if world.statistics.contacts:
            gains.append(world.kinetic_energy / energy - 1.0)
    assert len(gains) > 50 and max(gains) < 1e-12


def test_newtons_rule_without_a_limit_does():
    surface = od.Surface(mu=0.3, bounce=1.0)
    settings = {"restitution": "newton"}
    world = restitution.throw_pairs(np.random.default_rng(11), 40, surface, **settings)
    assert restitution.worst_gains(world)[0].max() > 0.01


@pytest.mark.parametrize("e", [0.3, 1.0])
@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
def test_a_central_impact_keeps_restitution(solver, e):
    world = od.World(surface=od.Surface(mu=0.5, bounce=e), solver=solver)
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.0999), linear_velocity=(0, 0, -7))
    world.advance(0.01)
    assert ball.linear_velocity == pytest.approx([0, 0, 7 * e], rel=1e-6, abs=1e-12)


def test_a_bat_and_a_conveyor_may_drive():
    # The work of kinematic bodies and of surface motion is not held against restitution.
    world = od.World(surface=od.Surface(mu=0, bounce=0.8))
    world.add_body(od.Box((2, 2, 2)), position=(0, 0, -1), kinematic=True, linear_velocity=(0, 0, 5))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.0999))
    world.advance(0.001)
    assert ball.linear_velocity[2] == pytest.approx(5 + 0.8 * 5, rel=1e-6)
    world = od.World(surface=od.Surface(mu=10.0, motion1=4.0, bounce=0.8))
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.0999), linear_velocity=(0, 0, -3))
    world.advance(0.001)
    assert ball.linear_velocity[2] == pytest.approx(2.4, rel=1e-6)
    assert np.abs(ball.linear_velocity[:2]).max() == pytest.approx(4 * 2 / 7, rel=1e-6)  # it rolls along


@pytest.mark.parametrize("solver", ["exact", "pgs"])
@pytest.mark.parametrize("kinds", [("sphere",), restitution.SHAPES])
def test_throws_in_closed_rooms_create_no_energy_and_none_escapes(solver, kinds):
    """Opposite walls of a narrow room ask a fast body for velocities that contradict each other."""
    gain, escaped = rooms.follow(rooms.throw(np.random.default_rng(5), 40, kinds, solver=solver))
    assert gain < 1e-9
    assert escaped == 0


@pytest.mark.parametrize(
    ("solver", "seed", "steps"),
    [
        ("exact", 160, 5),
        ("exact", 360, 11),
        ("exact", 1120, 9),
        ("exact", 2920, 28),
        ("pgs", 160, 8),
        ("soft", 160, 28),
    ],
)
def test_bodies_that_turn_by_radians_in_a_step_gain_nothing_in_closed_rooms(solver, seed, steps):
    """A contact held at their mean angular velocity fed 1 to 24 % of energy; tangents do not say what they meet: two escaped."""
    world = rooms.throw(np.random.default_rng(seed), 40, restitution.SHAPES, solver=solver)
    gain, escaped = rooms.follow(world, steps)
    assert max(np.linalg.norm(body.angular_velocity) for body in world.bodies) * rooms.H > 2.0
    assert gain < (1e-6 if solver == "soft" else 1e-9)
    assert escaped == 0


def test_newtons_rule_multiplies_energy_in_closed_rooms():
    gain, _ = rooms.follow(rooms.throw(np.random.default_rng(5), 40, like="ode"))
    assert gain > 1.0


@pytest.mark.slow
@pytest.mark.parametrize("topic", [restitution, rooms])
def test_validation(topic):
    assert all(row.reached for row in topic.measure())
