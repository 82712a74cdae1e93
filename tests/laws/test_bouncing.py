"""Restitution: a ball that falls from h rises to e²ⁿ h after n bounces; slow contacts do not bounce."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

G = 10.0


def drop(height, surface, h):
    world = od.World(gravity=(0, 0, -G), surface=surface)
    world.add_plane()
    return world, world.add_body(od.Sphere(0.1), position=(0, 0, 0.1 + height))


def apexes(world, ball, h, count):
    """Heights of the ball's lowest point wherever it turns from rising to falling."""
    found, rising = [], False
    while len(found) < count:
        world.advance(h)
        if rising and ball.linear_velocity[2] <= 0.0:
            found.append(ball.position[2] - 0.1)
        rising = ball.linear_velocity[2] > 0.0
    return found


@pytest.mark.parametrize("e", [0.5, 0.8, 1.0])
def test_apexes_fall_by_the_square_of_restitution(e):
    # A step in which it bounces is off by up to v h of height, v = √(2 g h): a part of 2√(2 g/h) h < 1 % at h = 0.5 ms.
    step = 5e-4
    world, ball = drop(1.0, od.Surface(mu=0, bounce=e), step)
    heights = apexes(world, ball, step, 3)
    assert heights == pytest.approx([e**2, e**4, e**6], rel=0.02)


def test_no_restitution_no_bounce():
    world, ball = drop(1.0, od.Surface(mu=0), 1e-3)
    world.advance(1e-3, steps=1000)
    assert abs(ball.linear_velocity[2]) < 1e-2
    assert ball.position[2] == pytest.approx(0.1, abs=1e-3)


def test_slow_contacts_do_not_bounce():
    # From 0.05 m it arrives with 1 m/s, which is not above the bounce velocity of 1.1 m/s; from 0.1 m with 1.41 m/s.
    for height, bounces in ((0.05, False), (0.1, True)):
        world, ball = drop(height, od.Surface(mu=0, bounce=1.0, bounce_velocity=1.1), 1e-3)
        fastest = 0.0
        for _ in range(200):
            world.advance(1e-3)
            fastest = max(fastest, ball.linear_velocity[2])
        assert (fastest > 1.0) == bounces


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_head_on_collision(e):
    # Masses 1 and 3, v = 2 and 0, restitution e: v1' = (m1 - e m2) v/(m1 + m2), v2' = (1 + e) m1 v/(m1 + m2).
    world = od.World(surface=od.Surface(mu=0, bounce=e))
    first = world.add_body(od.Sphere(0.5), mass=1, position=(-1, 0, 0), linear_velocity=(2, 0, 0))
    second = world.add_body(od.Sphere(0.5), mass=3, position=(0.005, 0, 0))
    world.erp = 0.0  # or the overlap of the step of contact would be pushed apart, too
    world.advance(0.01, steps=20)
    expected = [(1 - 3 * e) * 2 / 4, (1 + e) * 2 / 4]
    assert [first.linear_velocity[0], second.linear_velocity[0]] == pytest.approx(expected, abs=1e-6)


def test_off_centre_hit_turns_the_body():
    # Effective mass k⁻¹ = 1/m + (r x n)² / I; the contact point bounces with -e v.
    world = od.World()
    body = world.add_body(mass=od.Mass(2, (0.5, 0.5, 0.5)), linear_velocity=(0, 0, -3))
    world.add_contact(od.Contact((1, 0, 0), (0, 0, 1)), od.Surface(mu=0, bounce=0.5), body, None)
    world.step(0.01)
    impulse = 1.5 * 3 / (1 / 2 + 1 / 0.5)
    assert body.linear_velocity[2] == pytest.approx(-3 + impulse / 2, rel=1e-6)
    assert body.angular_velocity[1] == pytest.approx(-impulse * 1 / 0.5, rel=1e-6)
    assert body.velocity_at((1, 0, 0))[2] == pytest.approx(1.5, rel=1e-6)


def leaving_speed(surface, bat=None):
    """Speed after the step in which a ball that falls at 3 m/s, without weight, meets a plane, or a bat that moves."""
    world = od.World(surface=surface)
    world.erp = world.cfm = 0.0
    if bat is None:
        world.add_plane()
    else:
        world.add_body(od.Box((2, 2, 2)), position=(0, 0, -1), kinematic=True, linear_velocity=(0, 0, bat))
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.499), linear_velocity=(0, 0, -3))
    world.advance(1e-3)
    return ball.linear_velocity[2]


@pytest.mark.parametrize("moving", [2.0, 0.5, -1.0])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_surface_that_moves_along_its_normal_is_a_bat(e, moving):
    # Seen from a surface that moves at m, the ball arrives with v + m and leaves with e (v + m).
    leaving = leaving_speed(od.Surface(mu=0, bounce=e, motion_normal=moving))
    assert leaving == pytest.approx(e * (3 + moving) + moving, rel=1e-12, abs=1e-12)
    assert leaving == pytest.approx(leaving_speed(od.Surface(mu=0, bounce=e), moving), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("slowest", "leaving"), [(4.9, 0.5 * 5 + 2), (5.1, 2.0)])
def test_whether_a_ball_bounces_depends_on_its_speed_relative_to_the_surface(slowest, leaving):
    surface = od.Surface(mu=0, bounce=0.5, bounce_velocity=slowest, motion_normal=2.0)
    assert leaving_speed(surface) == pytest.approx(leaving, rel=1e-12)


@pytest.mark.parametrize("copies", [1, 30])  # solved one by one, and in lanes
@pytest.mark.parametrize("e", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("speed", [0.5, 8.0])
def test_boxes_that_fall_flat_in_the_soft_step_rebound_hardly_turning(speed, e, copies):
    """Newton's rule holds at all four corners together; one after the other, the box would tumble off at 0.8 of its speed."""
    world = od.World(surface=od.Surface(mu=0.3, bounce=e, bounce_velocity=0.01), solver="soft")
    world.add_plane()
    boxes = []
    for k in range(copies):
        boxes.append(world.add_body(od.Box((0.4, 0.4, 0.2)), position=(k, 0, 0.15), mass=2))
        boxes[-1].linear_velocity = (0, 0, -speed)
    world.advance(0.005, steps=int(0.06 / speed / 0.005) + 5)
    for box in boxes:
        assert box.linear_velocity[2] == pytest.approx(e * speed, rel=0.01)
        assert 0.2 * np.linalg.norm(box.angular_velocity) < 0.05 * speed  # of a corner, m/s
