"""Free flight by semi-implicit Euler: v_n = v0 - g h n, z_n = v0 t - g h² n (n + 1) / 2 = v0 t - g t²/2 - g t h / 2.

With numbers that binary fractions hold exactly, every digit has to be right.
"""

from __future__ import annotations

import pytest

import opendynamics as od

G, H = 8.0, 1.0 / 64.0


def make_world(way):
    world = od.World(gravity=(0, 0, -G))
    body = world.add_body(position=(1, 2, 100), linear_velocity=(3, -2, 16))

    def run(n):
        if way == "advance":
            world.advance(H, steps=n)
        else:
            for _ in range(n):
                getattr(world, way)(H)

    return world, body, run


@pytest.mark.parametrize("way", ["step", "quick_step", "advance"])
def test_parabola_is_exact_but_for_half_a_step_of_gravity(way):
    _, body, run = make_world(way)
    n = 256  # 4 s
    run(n)
    t = n * H
    assert body.linear_velocity.tolist() == [3, -2, 16 - G * t]
    assert body.position.tolist() == [1 + 3 * t, 2 - 2 * t, 100 + 16 * t - G * t * t / 2 - G * t * H / 2]


def test_error_against_the_parabola_is_first_order():
    errors = []
    for h in (1 / 64, 1 / 128):
        world = od.World(gravity=(0, 0, -G))
        body = world.add_body()
        world.advance(h, steps=round(1 / h))
        errors.append(body.position[2] + G / 2)
    assert errors == [-G / 128, -G / 256]  # -g t h / 2


def test_momentum_is_exact_without_gravity():
    world = od.World()
    world.add_body(mass=3, linear_velocity=(1 / 3, 1e-7, -1e5))
    before = world.linear_velocities
    world.advance(0.1, steps=1000)
    assert (world.linear_velocities == before).all()


def test_gravity_mode_and_user_forces():
    # Without gravity the force alone acts, for one step: v = F h / m, and stays.
    world = od.World(gravity=(0, 0, -G))
    floating, heavy = world.add_body(mass=2), world.add_body(mass=2)
    floating.gravity_mode = False
    for body in (floating, heavy):
        body.add_force((64, 0, 0))
        body.add_force((64, 0, 0))
    world.step(H)
    world.step(H)
    assert floating.linear_velocity.tolist() == [1, 0, 0]
    assert heavy.linear_velocity.tolist() == [1, 0, -2 * G * H]
    assert floating.force.tolist() == [0, 0, 0]


def test_impulse_to_force_gives_the_impulse_in_one_step():
    world = od.World()
    body = world.add_body(mass=2)
    body.add_force(world.impulse_to_force(H, (1, 2, 3)))
    world.step(H)
    assert body.linear_velocity.tolist() == [0.5, 1, 1.5]


def test_force_at_a_point_turns_the_body():
    # F at an arm r gives the torque r x F: w = I⁻¹ r x F h. I = 4 kg m² about each axis.
    world = od.World()
    body = world.add_body(mass=od.Mass(2, (4, 4, 4)), position=(1, 0, 0))
    body.add_force((0, 8, 0), at=(3, 0, 0))
    world.step(H)
    assert body.linear_velocity.tolist() == [0, 8 * H / 2, 0]
    assert body.angular_velocity.tolist() == [0, 0, 2 * 8 * H / 4]
