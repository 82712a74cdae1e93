"""Servos: implicit springs and dampers about a hinge's axis or along a slider's, with bounded force."""

import copy
import math

import numpy as np
import pytest

import opendynamics as od

G = 9.81
INERTIA = 2.0 * 0.5**2 + 2.0 / 12 * (1 + 0.01)  # of the arm about the hinge's axis


def arm(gravity=0.0, **options):
    """A rod of 2 kg and 1 m on a hinge at its end."""
    world = od.World(gravity=(0, 0, -gravity), **options)
    rod = world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 0, 1), mass=2)
    return world, rod, world.add_hinge(rod, None, anchor=(0, 0, 1), axis=(0, 1, 0))


def test_it_holds_against_gravity_as_far_as_its_spring_gives():
    world, _, hinge = arm(G)
    servo = hinge.servo(0.5, stiffness=1000)
    world.advance(0.01, steps=200)
    load = 2 * G * 0.5 * math.cos(hinge.angle)
    assert servo.torque == pytest.approx(-load, rel=1e-6)
    assert 1000 * (0.5 - hinge.angle) == pytest.approx(-load, rel=1e-6)
    assert servo.coordinate == hinge.angle
    assert servo.driven is hinge
    assert servo.axis.tolist() == hinge.axis.tolist()


def test_it_swings_with_the_frequency_of_its_spring():
    world, _, hinge = arm()
    hinge.servo(0.3, stiffness=40.0, damping=0.0)
    h, angles = 1e-4, []
    for _ in range(20000):
        world.advance(h)
        angles.append(hinge.angle)
    crossings = np.flatnonzero(np.diff(np.sign(np.array(angles) - 0.3)))
    period = 2 * h * np.diff(crossings).mean()
    assert period == pytest.approx(2 * math.pi * math.sqrt(INERTIA / 40.0), rel=1e-3)


def test_damping_is_critical_unless_it_is_given():
    world, _, hinge = arm()
    servo = hinge.servo(0.3, stiffness=40.0)
    assert servo.damping == pytest.approx(2 * math.sqrt(40.0 * INERTIA), rel=1e-9)
    h, rate = 1e-4, math.sqrt(40.0 / INERTIA)
    for _ in range(5):
        world.advance(h, steps=1000)
        t = world.time
        assert hinge.angle == pytest.approx(0.3 * (1 - (1 + rate * t) * math.exp(-rate * t)), abs=2e-4)


@pytest.mark.parametrize("h", [0.001, 0.1])
@pytest.mark.parametrize("stiffness", [1.0, 1e4, 1e8, 1e12])
@pytest.mark.parametrize("options", [{}, {"solver": "pgs"}, {"like": "ode"}])
def test_it_is_stable_at_any_gain_and_step_size(h, stiffness, options):
    world, _, hinge = arm(G, **options)
    hinge.servo(0.5, stiffness=stiffness, damping=0.01 * stiffness)
    energies = []
    for _ in range(300):
        world.advance(h)
        energies.append(world.kinetic_energy)
        assert math.isfinite(hinge.angle)
    assert max(energies[150:]) <= 1.001 * max(energies) + 1e-9
    if stiffness > 1.0:
        assert max(energies[-20:]) < 1e-2
        assert hinge.angle == pytest.approx(0.5, abs=2 * 2 * G * 0.5 / stiffness + 1e-3)


def test_its_torque_is_bounded():
    world, _, hinge = arm()
    servo = hinge.servo(1.0, stiffness=1e6, damping=0.0, max_torque=0.5)
    world.advance(0.01, steps=10)
    assert servo.torque == pytest.approx(0.5)
    assert hinge.rate == pytest.approx(0.5 * 0.1 / INERTIA, rel=1e-6)
    servo.max_torque = 0.0
    rate = hinge.rate
    world.advance(0.01)
    assert hinge.rate == pytest.approx(rate)


def test_it_keeps_a_rate():
    world, _, hinge = arm()
    hinge.servo(stiffness=0.0, damping=1e6, velocity=2.0)
    world.advance(0.01, steps=100)
    assert hinge.rate == pytest.approx(2.0, rel=1e-3)


def test_a_slider_has_one_too():
    world = od.World(gravity=(0, 0, -G))
    lift = world.add_body(mass=3, position=(1, 2, 0))
    slider = world.add_slider(lift, None, axis=(0, 0, 1))
    servo = slider.servo(0.4, stiffness=2000)
    assert servo.damping == pytest.approx(2 * math.sqrt(2000 * 3))
    world.advance(0.01, steps=300)
    assert slider.position == pytest.approx(0.4 - 3 * G / 2000)
    assert servo.torque == pytest.approx(3 * G)
    assert servo.linear


@pytest.mark.parametrize("kind", ["hinge", "slider"])
def test_between_two_bodies_momentum_stays(kind):
    world = od.World()
    one, two = (world.add_body(od.Box((1, 0.5, 0.2)), mass=1 + k, position=(1.2 * k, 0, 0)) for k in range(2))
    place = {"anchor": (0.6, 0, 0)} if kind == "hinge" else {}
    joint = getattr(world, f"add_{kind}")(one, two, axis=(0, 0, 1), **place)
    joint.servo(0.4, stiffness=50, damping=1)
    world.advance(0.001, steps=500)
    bodies = (one, two)
    assert sum(b.mass * b.linear_velocity for b in bodies) == pytest.approx(np.zeros(3), abs=1e-9)
    spin = sum(
        np.cross(b.position, b.mass * b.linear_velocity) + b.rotation @ b.inertia @ b.rotation.T @ b.angular_velocity
        for b in bodies
    )
    assert spin == pytest.approx(np.zeros(3), abs=1e-5)
    moved = joint.angle if kind == "hinge" else joint.position
    assert abs(moved) > 0.1


def test_the_other_way_round_it_does_the_same():
    angles = []
    for turned in (False, True):
        world = od.World(gravity=(0, 0, -G))
        rod = world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 0, 1), mass=2)
        hinge = world.add_hinge(*((None, rod) if turned else (rod, None)), anchor=(0, 0, 1), axis=(0, 1, 0))
        hinge.servo(-0.5 if turned else 0.5, stiffness=300)
        world.advance(0.01, steps=100)
        angles.append(hinge.angle)
    assert angles[1] == pytest.approx(-angles[0])


def test_without_stops_it_goes_the_short_way():
    for stops, sign in (((-math.inf, math.inf), 1), ((-3.1, 3.1), -1)):
        world, _, _ = arm()
        hinge = world.joints[0]
        hinge.servo(3.0, stiffness=100)
        world.advance(0.01, steps=300)
        assert hinge.angle == pytest.approx(3.0, abs=1e-3)
        hinge.stops = stops
        servo = hinge.servo(-3.0, stiffness=100)
        world.advance(0.01)
        assert np.sign(servo.torque) == sign


def test_a_call_changes_the_servo_that_is_there():
    world, _, hinge = arm()
    servo = hinge.servo(0.5, stiffness=100)
    assert hinge.servo(0.7, stiffness=200, max_torque=3) is servo
    assert (servo.target, servo.stiffness, servo.max_torque, servo.max_force) == (0.7, 200, 3, 3)
    assert world.joints == (hinge, servo)
    for wrong in ({"stiffness": -1}, {"stiffness": 1, "damping": -1}, {"stiffness": 1, "position": math.nan}):
        with pytest.raises(ValueError, match="of a servo"):
            hinge.servo(**wrong)
    assert (servo.target, servo.stiffness) == (0.7, 200)
    assert world.joints == (hinge, servo)


def test_it_follows_its_joint():
    world, rod, hinge = arm(G)
    servo = hinge.servo(0.0, stiffness=1e6)
    hinge.enabled = False
    world.advance(0.01)
    assert servo.torque == 0.0
    hinge.enabled = True
    hinge.attach(None, rod)
    assert servo.bodies == (None, rod)
    hinge.axis = (0, 1, 0)
    world.advance(0.01, steps=10)
    assert hinge.angle == pytest.approx(0.0, abs=1e-4)
    servo.destroy()
    other = hinge.servo(0.0, stiffness=1e6)
    assert other.alive
    hinge.destroy()
    assert not other.alive
    assert world.joints == ()
    world, rod, hinge = arm()
    hinge.servo(stiffness=1)
    world.destroy()


def test_it_is_saved_and_copied():
    world, _, hinge = arm(G)
    servo = hinge.servo(0.5, stiffness=300)
    world.advance(0.01, steps=10)
    snapshot = world.save()
    twin = od.World.load(od.Snapshot.from_bytes(snapshot.to_bytes()))
    other = copy.deepcopy(world)
    servo.target = -1.0
    world.advance(0.01, steps=50)
    turned = hinge.angle
    world.restore(snapshot)
    for each in (world, twin, other):
        each.advance(0.01, steps=50)
    assert world.state_hash() == twin.state_hash() == other.state_hash()
    assert servo.target == 0.5
    assert turned < 0 < hinge.angle
    assert twin.joints[0].servo(0.1, stiffness=1) is twin.joints[1]


def test_one_without_a_joint():
    world = od.World()
    one, two = world.add_body(position=(0, 0, 1)), world.add_body()
    servo = world.add_servo(one, two, axis=(1, 0, 0), target=0.5, stiffness=20, damping=10)
    world.advance(0.01, steps=2000)
    assert servo.coordinate == pytest.approx(0.5, abs=1e-3)
    assert od.rotation.quaternion_from_matrix(two.rotation.T @ one.rotation)[1] == pytest.approx(
        math.sin(0.25), abs=1e-3
    )
    _, _, hinge = arm()
    with pytest.raises(ValueError, match="set it there"):
        hinge.servo(stiffness=1).axis = (1, 0, 0)


@pytest.mark.parametrize("held", ["pair", "ball", "static"])
@pytest.mark.parametrize("integrator", ["energy-momentum", "euler"])
def test_one_without_a_joint_is_a_spring_also_where_bodies_turn_about_other_axes(held, integrator):
    """Its torque is the gradient of the spring's energy: together with that of the motion it does not grow."""
    rng = np.random.default_rng(1)
    world = od.World()
    world.integrator = integrator
    bodies = []
    for k in range(1 if held == "static" else 2):
        turn = rng.normal(size=4)
        body = world.add_body(od.Box((0.3, 0.2, 0.1)), position=(0.5 * k, 0, 0), quaternion=turn, mass=1 + k)
        bodies.append(body)
    one, two = bodies[0], bodies[1] if len(bodies) > 1 else None
    if held == "ball":
        world.add_ball(one, two, anchor=(0.25, 0, 0))
    servo = world.add_servo(one, two, axis=(1, 0, 0), stiffness=30, target=0.5)
    energies, moved = [], []
    for _ in range(200):
        world.advance(1e-4, steps=20)
        energies.append(world.kinetic_energy + 15 * (servo.coordinate - 0.5) ** 2)
        moved.append(world.kinetic_energy)
    assert energies[0] == pytest.approx(15 * 0.5**2, rel=0.01)
    assert max(energies) < 15 * 0.5**2 * (1.0 + 1e-3)
    assert max(moved) > 1.0
    assert np.diff(energies).max() < 1e-2


def test_the_axis_of_a_destroyed_servo_is_gone_although_its_hinge_is_not():
    world = od.World()
    hinge = world.add_hinge(world.add_body(), axis=(0, 0, 1))
    servo = hinge.servo(0.5, stiffness=10)
    servo.destroy()
    with pytest.raises(od.DestroyedError):
        servo.axis  # noqa: B018


@pytest.mark.parametrize(("stiffness", "error"), [(None, TypeError), ("stiff", TypeError), (-1.0, ValueError)])
def test_what_is_no_stiffness_is_named(stiffness, error):
    hinge = (world := od.World()).add_hinge(world.add_body(), axis=(0, 0, 1))
    with pytest.raises(error, match="the stiffness of a servo must be"):
        hinge.servo(0.5, stiffness=stiffness)
    assert len(world.joints) == 1
