"""Heavy on light and heavy under light, up to 10,000 to 1: layer forces, tensions, periods; nothing creeps or stretches."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

G, H = 10.0, 0.01


def stack(masses):
    """Cubes of 1 m, one on the other, from the ground up, a nanometre into each other."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.5))
    world.add_plane()
    return world, [
        world.add_body(od.Box((1, 1, 1)), position=(0, 0, (k + 0.5) * (1 - 1e-9)), mass=mass)
        for k, mass in enumerate(masses)
    ]


def layer_forces(world, bodies):
    """Upward force on each body from below, in one step of the classic loop."""
    group, joints, order = od.JointGroup(), [], {None: -1} | {body: k for k, body in enumerate(bodies)}

    def near(a, b):
        for contact in od.collide(a, b, max_contacts=8):
            joints.append((order[a.body], order[b.body], world.add_contact(contact, group=group)))

    world.space.collide(near)
    world.step(H)
    forces = np.zeros(len(bodies))
    for one, two, joint in joints:
        assert abs(one - two) == 1
        forces[max(one, two)] += abs(joint.feedback.force1[2] if one >= 0 else joint.feedback.force2[2])
    group.empty()
    return forces


@pytest.mark.parametrize(
    "masses",
    [[1, 10.0**4], [10.0**4, 1], [1, 10, 100, 1000, 10_000], [10_000, 1000, 100, 10, 1], [1, 10_000, 1, 10_000]],
    ids=str,
)
def test_stacks_of_unlike_masses_stand_for_a_minute(masses):
    world, bodies = stack(masses)
    before = world.positions
    for _ in range(12):
        world.advance(H, steps=500)
        assert abs(world.linear_velocities).max() < 1e-5  # of a corner that lost contact for a step
    assert abs(world.positions - before).max() < 1e-6
    assert world.statistics.residual < 1e-12
    expected = G * np.cumsum(masses[::-1])[::-1]
    assert layer_forces(world, bodies) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("ratio", [10, 100, 1000, 10_000])
def test_heavy_box_dropped_on_a_light_one(ratio):
    """It lands at 1 m/s and stays there."""
    world, bodies = stack([1.0, ratio])
    bodies[1].linear_velocity = (0, 0, -1)
    world.advance(H, steps=300)
    assert abs(world.linear_velocities).max() < 1e-7
    assert world.positions[:, 2] == pytest.approx([0.5, 1.5], abs=0.01 * 1.1)  # within one step's way
    assert abs(world.positions[:, :2]).max() < 1e-6


def chain(links, mass, length, tip, tilts=None):
    """Rods on hinges about y, and a tip held in its centre; `tilts`: angles of the rods off the vertical."""
    world = od.World(gravity=(0, 0, -G))
    tilts = np.zeros(links) if tilts is None else tilts
    end, above, hinges = np.zeros(3), None, []
    for tilt in tilts:
        along = length * np.array([np.sin(tilt), 0, -np.cos(tilt)])
        rod = world.add_body(
            mass=od.Mass(mass, mass * length**2 / 12 * np.eye(3)),
            position=end + along / 2,
            rotation=od.rotation.from_axis_angle((0, 1, 0), -tilt),
        )
        hinges.append(world.add_hinge(rod, above, anchor=end, axis=(0, 1, 0)))
        end, above = end + along, rod
    weight = world.add_body(mass=od.Mass(tip, tip * np.eye(3)), position=end)
    hinges.append(world.add_hinge(weight, above, anchor=end, axis=(0, 1, 0)))
    return world, hinges, weight


def modes(links, mass, length, tip):
    """Small angles a of the rods: M a'' + K a = 0, with centres at x_i = l (a_1 + ... + a_i/2). Frequencies, and modes."""
    ways = length * (np.tril(np.ones((links, links)), -1) + 0.5 * np.eye(links))
    inertia = mass * ways.T @ ways + mass * length**2 / 12 * np.eye(links) + tip * length**2
    stiffness = G * length * (mass * (np.arange(links - 1, -1, -1) + 0.5) + tip)
    root = 1 / np.sqrt(stiffness)
    slowness, vectors = np.linalg.eigh(root[:, None] * inertia * root)
    return 1 / np.sqrt(slowness[::-1]), root[:, None] * vectors[:, ::-1]


def stable_step(links, mass, length, tip):
    """A taut chain is a string that rings: tension acts explicitly, and needs h ω < 2, as in ODE."""
    return min(H, 1 / modes(links, mass, length, tip)[0][-1])


@pytest.mark.parametrize("ratio", [1, 100, 10_000])
def test_chain_with_a_heavy_tip_hangs_still(ratio):
    links, mass, length = 40, 1.0, 0.5
    world, hinges, tip = chain(links, mass, length, ratio * mass)
    h = stable_step(links, mass, length, ratio * mass)
    world.advance(h, steps=round(10 / h))
    tensions = [hinge.feedback.force1[2] for hinge in hinges]
    expected = G * (ratio * mass + mass * np.arange(links, -1, -1))
    assert tensions == pytest.approx(expected, rel=1e-6)
    stretch = (-links * length - tip.position[2]) / links
    assert 0 <= stretch < 1e-5 * length  # the joints' softness: cfm/erp h F each
    assert abs(world.linear_velocities).max() < 1e-9


@pytest.mark.parametrize("ratio", [10, 10_000])
def test_chain_with_a_heavy_tip_swings_with_its_period(ratio):
    links, mass, length = 20, 1.0, 0.5
    frequencies, shapes = modes(links, mass, length, ratio * mass)
    world, _, tip = chain(links, mass, length, ratio * mass, 1e-3 * shapes[:, 0] / abs(shapes[:, 0]).max())
    world.cfm, h, places = 0.0, stable_step(links, mass, length, ratio * mass), []
    period, every = 2 * np.pi / frequencies[0], 10
    for _ in range(round(1.4 * period / h / every)):
        world.advance(h, steps=every)
        places.append(tip.position[0])
    places = np.array(places)
    before = np.flatnonzero(places[:-1] * places[1:] < 0)
    crossings = every * h * (before + 1 + places[before] / (places[before] - places[before + 1]))
    assert 2 * np.diff(crossings).mean() == pytest.approx(period, rel=1e-4)


@pytest.mark.parametrize("ratio", [100, 10_000])
def test_ball_and_chain_swings_from_the_side_without_stretching(ratio):
    """40 links, held out at 60 degrees: joints' errors stay below a millimetre, the path is a circle's."""
    links, mass, length = 40, 1.0, 0.5
    world, _, tip = chain(links, mass, length, ratio * mass, np.full(links, np.radians(60)))
    h, farthest = 0.5 * stable_step(links, mass, length, ratio * mass), 0.0
    for _ in range(100):
        world.advance(h, steps=round(0.05 / h))
        farthest = max(farthest, float(np.linalg.norm(tip.position)))
    assert links * length * (1 - 1e-2) < farthest < links * length + links * 1e-3
    assert abs(world.positions[:, 1]).max() < 1e-6
    top = 0.5 * np.linalg.norm(tip.linear_velocity) ** 2 + G * tip.position[2]
    assert top == pytest.approx(-G * links * length * 0.5, rel=0.05)
