"""Statics: ladder, box on a slope, overhang, dominoes, card house."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od

G, H = 10.0, 0.01


def ladder(theta, friction):
    """A capsule of 4 m against a smooth wall; returns its world and how far its foot goes in half a second."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.0))
    world.surfaces["ground"] = friction
    radius, length, sunk = 0.02, 4.0, 1e-9
    world.add_plane(normal=(0, 0, 1), material="ground")
    world.add_plane(normal=(1, 0, 0), material="wall")
    along = np.array([-math.cos(theta), 0, math.sin(theta)])
    foot = np.array([radius - sunk + length * math.cos(theta), 0, radius - sunk])
    body = world.add_body(
        od.Capsule(radius, length),
        position=foot + 0.5 * length * along,
        rotation=od.rotation.from_axis_angle((0, 1, 0), theta - math.pi / 2),
        mass=10,
    )
    world.advance(H, steps=50)
    return np.linalg.norm(body.position - foot - 0.5 * length * along)


@pytest.mark.parametrize("degrees", [45, 55, 65, 75])
@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
def test_ladder_at_a_smooth_wall(degrees, cone):
    """It needs N_wall = m g l cos θ / (2 (l sin θ + r)) at its foot, ½ m g cot θ if it is thin.

    As a coefficient that is multiplied by the ground's force before there is friction (stage one): of a ladder that starts to
    slip freely, m g (1 - ¾ cos² θ) if it is thin.
    """
    theta, radius, length, mass = math.radians(degrees), 0.02, 4.0, 10.0
    needed = mass * G * length * math.cos(theta) / (2 * (length * math.sin(theta) + radius))
    for factor, stands in ((1.001, True), (0.999, False)):
        way = ladder(theta, od.Surface(mu=factor * needed, friction_model="box", cone=cone))
        assert way < 1e-5 if stands else way > 1e-4
    free = mass * G * (1 - 0.75 * math.cos(theta) ** 2)
    for factor, stands in ((1.02, True), (0.98, False)):
        way = ladder(theta, od.Surface(mu=factor * needed / free, cone=cone))
        assert way < 1e-5 if stands else way > 1e-4


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize(
    ("mu", "tangent", "slides", "tips"),
    [
        (0.3, 0.299, False, False),
        (0.3, 0.301, True, False),  # μ < b/h = 0.5: it slides before it could tip
        (0.8, 0.499, False, False),
        (0.8, 0.501, False, True),  # μ > b/h: it tips, though it does not slide
    ],
)
def test_box_on_a_slope_tips_or_slides(cone, mu, tangent, slides, tips):
    """0.5 m deep and 1 m high: it tips if tan θ > b/h, slides if tan θ > μ. The slope is gravity's."""
    theta = math.atan(tangent)
    gravity = (G * math.sin(theta), 0, -G * math.cos(theta))
    world = od.World(gravity=gravity, surface=od.Surface(mu=mu, cone=cone))
    world.add_plane()
    box = world.add_body(od.Box((0.5, 0.5, 1)), position=(0, 0, 0.5 - 1e-9), mass=2)
    world.advance(H, steps=100)
    corner = box.point_to_world((0.25, 0, -0.5))
    assert (abs(box.angular_velocity[1]) > 1e-4) == tips
    assert (corner[0] - 0.25 > 3e-3) == slides  # while it tips, finite steps move the edge 1.5 mm


def overhang(blocks, factor):
    """Blocks of 1 m with the harmonic overhangs times `factor`, on a table's edge; how far the top one falls in 5 s."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.6))
    table, height = 1.0, 0.2
    world.add_geom(od.Box((4, 4, table), position=(-2, 0, -0.5 * table)))
    x, bodies = 0.0, []
    for k in range(blocks):
        x += factor / (2 * (blocks - k))
        place = (x - 0.5, 0, (k + 0.5) * (height - 1e-9))
        bodies.append(world.add_body(od.Box((1, 0.5, height)), position=place, mass=1))
    before = world.positions
    world.advance(H, steps=500)
    return float(np.linalg.norm(world.positions - before, axis=1).max())


@pytest.mark.parametrize("blocks", [2, 5, 10])
def test_harmonic_overhang(blocks):
    # Stands iff the total overhang is at most L Σ 1/(2k): 1.1417 L with 5 blocks, 1.4645 L with 10.
    assert overhang(blocks, 0.995) < 1e-4
    assert overhang(blocks, 1.005) > 1e-2


def domino_speed(h):
    """m/s, from the 5th to the 15th of 20 dominoes, each of which has fallen when it is 20 degrees off the vertical."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.4))
    world.add_plane()
    distance, height = 0.03, 0.05
    bodies = [
        world.add_body(od.Box((0.008, 0.025, height)), position=(distance * k, 0, 0.5 * height), density=1000)
        for k in range(20)
    ]
    bodies[0].angular_velocity = (0, 5.0, 0)
    bodies[0].linear_velocity = (5.0 * 0.5 * height, 0, 0)
    times = {}
    for n in range(round(1.5 / h)):
        world.advance(h)
        for k in (5, 15):
            if k not in times and bodies[k].rotation[2, 2] < math.cos(math.radians(20)):
                times[k] = n * h
        if len(times) == 2:
            break
    return 10 * distance / (times[15] - times[5])


def test_a_domino_wave_has_a_speed_that_does_not_depend_on_the_step():
    slow, fine = domino_speed(1e-3), domino_speed(2.5e-4)
    assert slow == pytest.approx(fine, rel=0.1)
    assert 0.3 < fine < 3.0  # about √(g h) = 0.7 m/s


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
def test_two_cards_lean_on_each_other(cone):
    """Cards of 0.4 m, 2 mm thick, 25 degrees off the vertical. The ground has to hold half of what pulls a card over.

    A card touches by its inner edges: needed is μ >= ½ (l sin a - d cos a) / (l cos a) = 0.2307. The normal where they touch
    is that of a card's face and not level, so that stage one knows less of the ground's force than it is: up to 0.29.
    """
    lean, length, thick, sunk = math.radians(25), 0.4, 0.002, 1e-6
    needed = 0.5 * (length * math.sin(lean) - thick * math.cos(lean)) / (length * math.cos(lean))
    for factor, stands in ((1.3, True), (0.99, False)):
        world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.0))
        world.surfaces["ground", "card"] = od.Surface(mu=factor * needed, cone=cone)
        world.surfaces["card", "card"] = od.Surface(mu=0.7, cone=cone)
        world.add_plane(material="ground")
        for side in (-1, 1):
            away = 0.5 * (length * math.sin(lean) + thick * math.cos(lean)) - sunk
            height = 0.5 * (length * math.cos(lean) + thick * math.sin(lean)) - sunk
            world.add_body(
                od.Box((thick, 0.2, length), material="card"),
                position=(side * away, 0, height),
                rotation=od.rotation.from_axis_angle((0, 1, 0), -side * lean),
            )
        before = world.positions
        world.advance(H, steps=500)
        assert (abs(world.positions - before).max() < 1e-5) == stands
