"""Auto-disable: idle bodies fall asleep, and wake when something awake touches them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import opendynamics as od

H = 0.01


def resting_box(**settings):
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
    world.add_plane()
    world.auto_disable = True
    for name, value in settings.items():
        setattr(world, name, value)
    return world, world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))


def steps_until_asleep(world, body, most=500):
    for n in range(1, most):
        world.advance(H)
        if not body.enabled:
            return n
    return None


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({}, 10),  # ODE's default: 10 idle steps
        ({"auto_disable_steps": 3}, 3),
        ({"auto_disable_steps": 0}, 1),
        ({"auto_disable_steps": 0, "auto_disable_time": 0.255}, 26),
        ({"auto_disable_steps": 40, "auto_disable_time": 0.255}, 40),  # both have to be over
        ({"auto_disable_samples": 5, "auto_disable_steps": 3}, 7),  # nothing counts before 5 samples are there
        ({"auto_disable_samples": 0}, None),
        ({"auto_disable": False}, None),
        ({"auto_disable_linear_threshold": 0.0, "auto_disable_angular_threshold": 0.0}, None),
    ],
)
def test_when_an_idle_body_falls_asleep(settings, steps):
    world, box = resting_box(**settings)
    assert steps_until_asleep(world, box, 60) == steps
    if steps:
        assert not box.linear_velocity.any()
        assert not box.angular_velocity.any()


def test_moving_bodies_do_not_sleep():
    world, box = resting_box()
    world.gravity = (0, 0, 0)
    world.add_slider(box, None)
    box.linear_velocity = (0.0101, 0, 0)  # just above the threshold of 0.01 m/s
    assert steps_until_asleep(world, box, 60) is None
    box.linear_velocity = (0.0099, 0, 0)
    assert steps_until_asleep(world, box, 60) is not None


def test_another_number_of_samples_begins_anew():
    world, body = resting_box(auto_disable_steps=3)
    world.advance(H, steps=2)
    body.auto_disable_samples = 4
    world.advance(H, steps=3)  # too few samples, so that the steps are counted from the start
    body.auto_disable_samples = 1
    assert steps_until_asleep(world, body) == 3
    body.enabled, body.auto_disable_samples = True, 4
    assert steps_until_asleep(world, body) == 6


def test_who_is_woken_is_sampled_anew():
    world, body = resting_box(auto_disable_samples=4, auto_disable_steps=3)
    slab = world.add_geom(od.Box((1, 1, 1), position=(1, 0, 0.5)))
    first = steps_until_asleep(world, body)
    slab.position = (1.01, 0, 0.5)
    assert body.enabled
    assert steps_until_asleep(world, body) == first == 6


def test_a_shaking_body_is_idle_if_it_shakes_on_the_spot():
    # Velocities are averaged component by component: +v and -v cancel.
    rests = {}
    for samples in (1, 2):
        world = od.World()
        world.auto_disable, world.auto_disable_samples = True, samples
        body = world.add_body()
        world.add_slider(body, None)
        for n in range(60):
            body.linear_velocity = (1 if n % 2 else -1, 0, 0)
            world.step(H)
            if not body.enabled:
                break
        rests[samples] = not body.enabled
    assert rests == {1: False, 2: True}


def test_a_body_in_mid_air_never_rests():
    world = od.World()
    world.auto_disable = True
    body = world.add_body()
    world.advance(H, steps=100)
    assert body.enabled


def test_by_odes_rule_resting_bodies_stay_put_and_forces_do_not_wake_them():
    world, box = resting_box(sleep_rule="ode")
    steps_until_asleep(world, box)
    before = box.position
    box.add_force((0, 0, 1e6))
    world.advance(H, steps=20)
    assert (box.position == before).all()
    assert box.force.tolist() == [0, 0, 1e6]  # ODE does not clear it either
    box.force = (0, 0, 0)
    box.enabled = True
    assert steps_until_asleep(world, box) == 10  # counted again from zero


def test_a_falling_body_wakes_what_it_hits():
    world, box = resting_box()
    steps_until_asleep(world, box)
    ball = world.add_body(od.Sphere(0.3), position=(0.2, 0, 2.0))
    woken = 0
    for n in range(1, 200):
        world.advance(H)
        if box.enabled:
            woken = n
            break
    # It falls 0.7 m: √(2 · 0.7/10) = 0.374 s.
    assert woken == pytest.approx(38, abs=2)
    assert ball.enabled


def test_what_a_joint_ties_to_a_moving_body_does_not_rest():
    world = od.World()
    still, moving = world.add_body(), world.add_body()
    world.add_slider(still, moving, axis=(1, 0, 0))
    still.enabled = False
    moving.linear_velocity = (1, 0, 0)
    world.step(H)
    assert still.enabled


def test_clearing_auto_disable_wakes():
    world, box = resting_box()
    steps_until_asleep(world, box)
    box.auto_disable = False
    assert box.enabled
    assert steps_until_asleep(world, box, 50) is None


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_a_resting_stack_bears_a_blow_like_an_awake_one(order):
    # Woken bodies have their contacts at once, all the way down to the ground.
    heights = {}
    for asleep in (False, True):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
        world.add_plane()
        boxes = [world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5 + k)) for k in order]
        world.advance(H, steps=20)
        for box in boxes:
            box.linear_velocity = box.angular_velocity = (0, 0, 0)
            box.enabled = not asleep
        world.add_body(od.Sphere(0.3), position=(0, 0, 4.299), linear_velocity=(0, 0, -5), density=8000)
        world.advance(H)
        assert all(box.enabled for box in boxes)
        heights[asleep] = world.positions[:4, 2].tolist(), world.linear_velocities[:4, 2].tolist()
    assert heights[True] == heights[False]


@pytest.mark.parametrize("tie", ["fixed", "hinge"])
@pytest.mark.parametrize("hit", [0, 1])
@pytest.mark.parametrize("middle", [0, 1])
def test_a_sleeping_pair_hit_at_one_end_bears_the_blow_like_an_awake_one(tie, hit, middle):
    # Nothing but joints leads from the end that is hit to the other one, which needs the ground under it at once.
    velocities = {}
    for asleep in (False, True):
        world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
        world.add_plane()
        boxes = [world.add_body(od.Box((1, 1, 1)), position=(3.0 * k, 0, 0.5)) for k in range(2 + middle)]
        for one, other in pairwise(boxes):
            if tie == "fixed":
                world.add_fixed(one, other)
            else:
                world.add_hinge(one, other, anchor=(one.position[0] + 1.5, 0, 0.5), axis=(0, 1, 0))
        world.advance(H, steps=20)
        for box in boxes:
            box.linear_velocity = box.angular_velocity = (0, 0, 0)
            box.enabled = not asleep
        x = boxes[-hit].position[0] + 0.2
        world.add_body(od.Sphere(0.3), position=(x, 0, 1.299), linear_velocity=(0, 0, -5), density=8000)
        world.advance(H)
        assert all(box.enabled for box in boxes)
        velocities[asleep] = world.linear_velocities.tolist(), world.angular_velocities.tolist()
    assert velocities[True] == velocities[False]


def test_a_resting_neighbour_that_is_not_touched_stays_at_rest():
    world, box = resting_box()
    steps_until_asleep(world, box)
    other = world.add_body(od.Box((1, 1, 1)), position=(1.5, 0, 1.0))
    world.advance(H, steps=60)
    assert not box.enabled
    assert steps_until_asleep(world, other) is not None


# -- by islands --------------------------------------------------------------------------------------------------------


def test_a_platform_at_5_mm_per_s_carries_its_load_on():
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
    world.auto_disable = True
    platform = world.add_body(od.Box((2, 2, 0.2)), kinematic=True, linear_velocity=(0.005, 0, 0))
    load = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.6))
    world.advance(H, steps=400)
    assert platform.position[0] == pytest.approx(0.02, rel=1e-9)
    assert load.position[0] == pytest.approx(0.02, abs=1e-4)


@pytest.mark.parametrize("pause", [5, 100])
def test_a_lift_starts_after_any_pause(pause):
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
    world.auto_disable = True
    lift = world.add_body(od.Box((2, 2, 0.2)), kinematic=True)
    load = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.6))
    hanging = world.add_body(od.Sphere(0.1), position=(0, 0, -1))
    world.add_ball(hanging, lift, anchor=(0, 0, 0))
    world.advance(H, steps=pause)
    assert lift.enabled
    assert load.enabled == hanging.enabled == (pause < 10)
    lift.linear_velocity = (0, 0, 0.003)
    world.advance(H, steps=500)
    assert lift.position[2] == pytest.approx(0.015, rel=1e-9)
    assert load.position[2] - 0.6 == pytest.approx(0.015, abs=1e-3)
    assert hanging.position[2] + 1 == pytest.approx(0.015, abs=1e-3)


@pytest.mark.parametrize("solver", ["exact", "pgs"])
def test_islands_fall_asleep_in_one_step(solver):
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8), solver=solver)
    world.auto_disable = True
    world.add_plane()
    for k in range(2):  # the upper one falls further, and sets the lower one in motion again
        world.add_body(od.Box((1, 1, 1)), position=(0.02 * k, 0, 0.5 + 1.01 * k))
    ends = []
    for _ in range(400):
        world.advance(H)
        ends.append([body.enabled for body in world.bodies])
        if len(set(ends[-1])) > 1:
            pytest.fail(f"some of one island sleep: {ends[-1]}")
    assert ends[-1] == [False] * 2
    assert not world.linear_velocities.any()


def test_a_restless_body_keeps_its_island_awake_and_no_other():
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
    world.auto_disable = True
    floor = world.add_body(od.Box((9, 9, 1)), position=(0, 0, -0.5), kinematic=True)
    lower, upper, apart = (
        world.add_body(od.Box((1, 1, 1)), position=p) for p in ((0, 0, 0.5), (0, 0, 1.5), (3, 0, 0.5))
    )
    rotor = world.add_body(od.Sphere(0.1), position=(0, 0, 3))
    world.add_hinge(rotor, upper, anchor=(0, 0, 3), axis=(0, 0, 1)).motor(velocity=5.0, max_torque=1.0)
    world.advance(H, steps=100)
    assert [body.enabled for body in (floor, lower, upper, rotor, apart)] == [True, True, True, True, False]


def test_the_links_of_one_island_reach_over_a_still_kinematic_body_only_while_it_moves():
    # The kinematic floor is in the island of what is awake on it; what sleeps on it must not be a part of that.
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8))
    world.auto_disable = True
    floor = world.add_body(od.Box((9, 9, 1)), position=(0, 0, -0.5), kinematic=True)
    sleepers = [world.add_body(od.Box((1, 1, 1)), position=(x, 0, 0.5)) for x in (-3, 3)]
    ties = [world.add_fixed(sleeper, floor) for sleeper in sleepers]
    world.advance(H, steps=30)
    ball = world.add_body(od.Sphere(0.3), position=(0, 0, 0.3), linear_velocity=(0.5, 0, 0))
    world.advance(H, steps=30)
    assert [body.enabled for body in (*sleepers, ball)] == [False, False, True]
    assert world.statistics.islands == 1
    assert ball.position[0] == pytest.approx(0.15, abs=0.06)
    assert not ties[0].feedback.force1.any()
    sleepers[1].linear_velocity = (0, 0, 1e-3)
    world.advance(H)
    assert [body.enabled for body in (*sleepers, ball)] == [False, True, True]


@pytest.mark.parametrize(("along", "speed"), [("motion1", 0.005), ("motion2", 0.005), ("motion_normal", -0.005)])
def test_what_a_slow_surface_carries_is_not_idle(along, speed):
    world = od.World(gravity=(0, 0, -10), surface=od.Surface(mu=0.8, **{along: speed}))
    world.auto_disable = True
    world.add_plane()
    carried = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))
    world.advance(H, steps=300)
    assert carried.enabled
    if along != "motion_normal":
        assert np.linalg.norm(carried.position[:2]) == pytest.approx(0.015, rel=0.01)
    world.surfaces.default = od.Surface(mu=0.8)
    world.advance(H, steps=30)
    assert not carried.enabled


@pytest.mark.parametrize(("speed", "stops", "sleeps"), [(0.005, None, False), (0.5, (-1e-9, 1e-9), True)])
def test_what_a_slow_motor_drives_is_not_idle_but_what_is_blocked_sleeps(speed, stops, sleeps):
    world = od.World(gravity=(0, 0, -10))
    world.auto_disable = True
    body = world.add_body(od.Box((1, 1, 1)))
    world.add_slider(body, None, axis=(0, 0, 1), stops=stops).motor(velocity=speed, max_force=1e5)
    world.advance(H, steps=300)
    assert body.enabled is not sleeps
    assert body.position[2] == pytest.approx(0.0 if sleeps else 0.015, rel=1e-3, abs=1e-4)


def test_what_a_motor_turns_more_slowly_than_the_threshold_is_not_idle():
    world = od.World()
    world.auto_disable, world.auto_disable_angular_threshold = True, 0.05
    body = world.add_body(od.Box((1, 1, 1)))
    hinge = world.add_hinge(body, None, axis=(0, 0, 1))
    hinge.motor(velocity=0.03, max_torque=1e5)  # faster than the threshold of 0.01 m/s for linear motion
    world.advance(H, steps=100)
    assert body.enabled
    assert hinge.angle == pytest.approx(0.03, rel=1e-3)
