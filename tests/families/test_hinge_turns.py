"""Stops of hinges beyond half a turn: the angle is counted, where ODE's returns from π to -π."""

import itertools
import math

import pytest

import opendynamics as od

TURN = math.tau


def arm(stops, like=None, reverse=False, **options):
    """A hinge about z that holds an arm to the world."""
    world = od.World(like=like) if like else od.World()
    for name, value in options.items():
        setattr(world, name, value)
    body = world.add_body(od.Box((1, 0.1, 0.1)), mass=1, position=(0.5, 0, 0))
    ends = (None, body) if reverse else (body, None)
    return world, world.add_hinge(*ends, anchor=(0, 0, 0), axis=(0, 0, 1), stops=stops)


def pushed(world, hinge, torque, steps=500):
    """The angles while a torque acts."""
    angles = []
    for _ in range(steps):
        hinge.add_torque(torque)
        world.advance(0.01)
        angles.append(hinge.angle)
    return angles


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft", "auto"])
@pytest.mark.parametrize("stops", [(-TURN, TURN), (-1, 7.5), (-7.5, 1), (-4, math.inf)])
@pytest.mark.parametrize("torque", [0.5, -0.5])
def test_a_hinge_turns_to_its_stop_and_no_further(solver, stops, torque):
    world, hinge = arm(stops, solver=solver)
    angles = pushed(world, hinge, torque)
    reached = [b - a for a, b in itertools.pairwise(angles)]
    assert max(map(abs, reached)) < 0.2  # no jump
    end = stops[1] if torque > 0 else stops[0]
    if math.isinf(end):
        assert angles[-1] > 2 * TURN
    else:
        assert angles[-1] == pytest.approx(end, abs=1e-3)
        assert max(abs(angle) for angle in angles) < abs(end) + 0.05


@pytest.mark.parametrize("options", [{"integrator": "verlet"}, {"integrator": "euler"}, {}])
def test_turns_are_counted_with_any_integrator_and_sub_steps(options):
    world, hinge = arm((-TURN, TURN), **options)
    world.substeps = 3
    assert pushed(world, hinge, 0.5)[-1] == pytest.approx(TURN, abs=1e-3)


def test_worlds_like_ode_ignore_stops_beyond_half_a_turn_and_jump_to_a_single_one():
    world, hinge = arm((-TURN, TURN), like="ode")
    angles = pushed(world, hinge, 0.5)
    assert max(map(abs, angles)) <= math.pi
    assert min(angles) < -3 and max(angles) > 3
    world, hinge = arm((-1, math.inf), like="ode")
    angles = pushed(world, hinge, 0.5)
    assert any(b < a - 0.5 for a, b in itertools.pairwise(angles))  # thrown back


def test_the_stops_of_a_reversed_hinge_have_the_opposite_sign():
    world, hinge = arm((-7.0, 1.0), reverse=True)
    assert pushed(world, hinge, 0.5)[-1] == pytest.approx(7.0, abs=1e-3)
    assert pushed(world, hinge, -0.5)[-1] == pytest.approx(-1.0, abs=1e-3)


def test_a_saved_world_and_a_copy_continue_with_the_same_turns():
    world, hinge = arm((-9.0, 9.0))
    pushed(world, hinge, 0.5, 300)
    assert hinge.angle > 5
    saved, before = world.save(), hinge.angle
    ends = [pushed(world, hinge, 0.3, 200)]
    world.restore(saved)
    assert hinge.angle == before
    ends.append(pushed(world, hinge, 0.3, 200))
    loaded = od.World.load(saved)
    ends.append(pushed(loaded, loaded.joints[0], 0.3, 200))
    assert ends[0] == ends[1] == ends[2]


def test_setting_axis_or_stops_begins_the_count_anew():
    world, hinge = arm((-9.0, 9.0))
    pushed(world, hinge, 0.5, 300)
    assert hinge.angle > 5
    hinge.axis = (0, 0, 1)
    assert hinge.angle == pytest.approx(0.0, abs=1e-12)
    hinge.set_axis_offset((0, 0, 1), 7.0)
    assert hinge.angle == pytest.approx(7.0)
    hinge.stops = (-1.0, 1.0)
    assert hinge.angle == pytest.approx(7.0 - TURN)
    hinge.set_axis_offset((0, 0, 1), 7.0)
    hinge.stops = (-9.0, 9.0)
    world.advance(0.01)
    assert hinge.angle > 6
    hinge.stops = (-math.inf, math.inf)
    world.advance(0.01)
    assert -math.pi <= hinge.angle <= math.pi
    hinge.stops = (-9.0, 9.0)
    assert -math.pi <= hinge.angle <= math.pi


@pytest.mark.parametrize("solver", ["exact", "soft"])
def test_a_frozen_hinge_keeps_its_turns(solver):
    world, hinge = arm((-9.0, 9.0), solver=solver)
    pushed(world, hinge, 0.5, 300)
    before = hinge.angle
    assert before > 5
    hinge.bodies[0].add_torque((0, 0, 1e308))
    hinge.bodies[0].add_force((1e308, 1e308, 0))
    with pytest.warns(od.FaultWarning):
        world.advance(0.01, steps=2)
    assert hinge.angle == pytest.approx(before, abs=0.1)


def test_turns_are_counted_from_where_bodies_were_placed():
    world, hinge = arm((-9.0, 9.0))
    pushed(world, hinge, 0.5, 300)
    body = hinge.bodies[0]
    body.position, body.quaternion = (0.5, 0, 0), (1, 0, 0, 0)
    body.linear_velocity = body.angular_velocity = (0, 0, 0)
    assert hinge.angle == pytest.approx(TURN)
    hinge.count_turns_from(0.0)
    assert hinge.angle == pytest.approx(0.0, abs=1e-12)
    world, hinge = arm((-9.0, 9.0), reverse=True)
    hinge.count_turns_from(7.0)
    assert hinge.angle == pytest.approx(TURN)
    with pytest.raises(ValueError, match="the angle"):
        hinge.count_turns_from(math.nan)


def test_a_servo_with_stops_beyond_half_a_turn_turns_all_the_way():
    world, hinge = arm((-9.0, 9.0))
    servo = hinge.servo(8.0, stiffness=20, damping=5)
    world.advance(0.01, steps=600)
    assert hinge.angle == servo.coordinate == pytest.approx(8.0, abs=1e-6)
    servo.target = -8.0
    world.advance(0.01, steps=900)
    assert hinge.angle == pytest.approx(-8.0, abs=1e-6)


URDF = """<robot name="wrist"><link name="base"/>
<link name="hand"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-6.28" upper="6.28" effort="10" velocity="10"/></joint></robot>"""


def test_a_robot_stops_at_limits_of_a_turn(tmp_path):
    path = tmp_path / "wrist.urdf"
    path.write_text(URDF)
    world = od.World()
    machine = od.Robot(world, od.load_robot(path), joint_limits=True)
    assert machine.joints["turn"].stops == (-6.28, 6.28)
    for _ in range(700):
        machine.drive((0.3,))
        world.advance(0.01)  # read only afterwards: more than half a turn later
    assert machine.read().q[0] == pytest.approx(6.28, abs=1e-3)
    machine.place(machine.model.state(q=(-5.0,)))
    assert machine.read().q[0] == pytest.approx(-5.0)
    assert machine.joints["turn"].angle == pytest.approx(-5.0)
    for _ in range(300):
        machine.drive((-0.3,))
        world.advance(0.01)
    assert machine.read().q[0] == pytest.approx(-6.28, abs=1e-3)
