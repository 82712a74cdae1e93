"""Universal joints and hinge-2s: axes in any order, rejected values, coordinates of a reversed joint."""

import math

import numpy as np
import pytest

import opendynamics as od

KINDS = ("universal", "hinge2", "pr", "pu")
close = np.testing.assert_allclose


@pytest.fixture
def world():
    return od.World()


@pytest.fixture
def bodies(world):
    one = world.add_body(quaternion=(1, 2, 3, 4))
    return one, world.add_body(position=(1, 0, 0), quaternion=(2, -1, 1, 0))


def add(world, kind, *bodies, **options):
    return getattr(world, f"add_{kind}")(*bodies, **options)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
@pytest.mark.parametrize("swapped", [False, True])
def test_axes_may_be_set_in_any_order(world, bodies, kind, order, swapped):
    """Even where one takes the place that the other has had: axes that nobody has set make way."""
    joint = add(world, kind, *bodies)
    wanted = [joint.axis2, joint.axis1]
    if swapped:
        wanted.reverse()
    for number in order:
        setattr(joint, f"axis{number}", wanted[number - 1])
    close([joint.axis1, joint.axis2], wanted, atol=1e-15)
    if hasattr(joint, "angles"):
        close(joint.angles, (0, 0), atol=1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_the_axes_does_not_matter(kind):
    """ODE ends the process if a hinge-2's first axis goes where the second is by default, as in the first order here."""
    ends = []
    for order in ((1, 2), (2, 1)):
        world = od.World(gravity=(0, 0, -1))
        one = world.add_body(angular_velocity=(0.1, 0.2, 0.3))
        joint = add(world, kind, one, world.add_body(position=(1, 0, 0)), anchor=(0.5, 0, 0))
        axes = {1: (1, 0, 0) if kind == "pr" else (0, 1, 0), 2: (0, 0, 1)}
        for number in order:
            setattr(joint, f"axis{number}", axes[number])
        for _ in range(20):
            world.step(0.01)
        ends.append([*one.position, *one.quaternion])
    assert ends[0] == ends[1]


@pytest.mark.parametrize("kind", KINDS)
def test_parallel_axes_are_refused(world, bodies, kind):
    with pytest.raises(ValueError, match=r"parallel.*turn one of them"):
        add(world, kind, *bodies, axis1=(0, 0, 1), axis2=(0, 0, -2))
    assert not world.joints
    joint = add(world, kind, *bodies, name="elbow", axis1=(0, 0, 1), axis2=(0, 1, 0))
    before = joint._record.copy()
    for change in (
        lambda: setattr(joint, "axis1", (0, -3, 0)),
        lambda: setattr(joint, "axis2", (0, 0, 1)),
        lambda: joint.set_axes((1, 1, 1), (2, 2, 2)),
    ):
        with pytest.raises(ValueError, match=r"elbow.*parallel"):
            change()
    assert joint._record == before
    joint.set_axes((0, 1, 0), (0, 0, 1))
    close([joint.axis1, joint.axis2], [(0, 1, 0), (0, 0, 1)], atol=1e-15)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [(0, 0, 0), (1, 2), (math.nan, 0, 0), (math.inf, 0, 0), None, "xyz"])
def test_what_gives_no_direction_is_refused(world, bodies, kind, bad):
    joint = add(world, kind, *bodies, name="elbow")
    before = joint._record.copy()
    for number in (1, 2):
        with pytest.raises((ValueError, TypeError), match=rf"axis {number} of elbow"):
            setattr(joint, f"axis{number}", bad)
    if kind == "pu":
        with pytest.raises((ValueError, TypeError), match="slider of elbow"):
            joint.prismatic_axis = bad
    assert joint._record == before


@pytest.mark.parametrize("kind", [*KINDS, "piston"])
def test_a_joint_that_joins_nothing_has_no_axes(world, kind):
    joint = add(world, kind, name="elbow")
    for name in ("anchor", "axis", "axis1", "axis2", "prismatic_axis"):
        if hasattr(type(joint), name):
            with pytest.raises(ValueError, match="elbow joins nothing; attach it"):
                setattr(joint, name, (1, 0, 0))
    for options in ({"anchor": (0, 0, 0)}, {"axis" if kind == "piston" else "axis1": (1, 0, 0)}):
        with pytest.raises(ValueError, match="attach it to a body first"):
            add(world, kind, **options)
    assert world.joints == (joint,)


@pytest.mark.parametrize("kind", KINDS)
def test_attaching_anew_forgets_which_axes_were_wanted(world, bodies, kind):
    joint = add(world, kind, *bodies, axis1=(0, 0, 1), axis2=(0, 1, 0))
    bodies[0].quaternion = (1, 1, 0, 0)  # takes the first axis to where the second is
    joint.attach(*bodies)
    assert np.linalg.norm(np.cross(joint.axis1, joint.axis2)) > 0.5
    joint.axis2 = joint.axis1
    assert np.linalg.norm(np.cross(joint.axis1, joint.axis2)) > 0.5


def test_hinge2_takes_two_bodies(world, bodies):
    for pair in ((bodies[0], None), (None, bodies[0])):
        with pytest.raises(
            ValueError, match="hinge2 joins two bodies, not body 1 and the static world; use a kinematic"
        ):
            world.add_hinge2(*pair)
    assert not world.joints
    joint = world.add_hinge2(*bodies)
    with pytest.raises(ValueError, match="joins two bodies"):
        joint.attach(None, bodies[1])
    assert joint.bodies == bodies
    joint.attach(None, None)
    assert joint.bodies == (None, None)


def test_hinge2_options(world, bodies):
    joint = world.add_hinge2(
        *bodies, axis1=(0, 0, 1), axis2=(0, 1, 0), stops1=(-0.5, 0.5), suspension_erp=0.4, suspension_cfm=0.01
    )
    assert (joint.stops1, joint.suspension_erp, joint.suspension_cfm) == ((-0.5, 0.5), 0.4, 0.01)
    for name, odd in (("suspension_erp", 1.5), ("suspension_cfm", -1.0)):
        with pytest.warns(UserWarning, match="suspension"):
            setattr(joint, name, odd)
        with pytest.raises(ValueError, match="suspension"):
            world.add_hinge2(*bodies, **{name: float("inf")})
    assert world.joints == (joint,)


def test_hinge2_suspension_is_a_spring():
    """With h k = ERP/CFM in ODE's way, a weight m hangs m g/k below, and only along axis1."""
    world, h, erp, cfm = od.World(gravity=(0, 0, -10)), 0.01, 0.2, 0.002
    chassis, wheel = world.add_body(), world.add_body(mass=3.0)
    chassis.kinematic = True
    joint = world.add_hinge2(chassis, wheel, axis1=(0, 0, 1), axis2=(0, 1, 0), suspension_erp=erp, suspension_cfm=cfm)
    for _ in range(3000):
        world.step(h)
    k = erp / (h * cfm)
    close(joint.anchor - joint.anchor2, (0, 0, 30 / k), atol=1e-6)


@pytest.mark.parametrize("kind", ["universal", "hinge2"])
def test_a_motor_brings_the_rate_to_its_velocity_and_so_turns_a_wheel_the_other_way(world, kind):
    chassis = world.add_body(kinematic=True)
    wheel = world.add_body(mass=1.0, position=(0, 1, 0))
    joint = add(world, kind, chassis, wheel, anchor=(0, 1, 0), axis1=(0, 0, 1), axis2=(0, 1, 0))
    joint.stops1 = (0, 0)
    joint.motor2(2.0, 1000.0)
    world.step(0.01)
    assert joint.angle2_rate == pytest.approx(2.0, abs=1e-6)
    assert wheel.angular_velocity == pytest.approx((0, -2.0, 0), abs=1e-6)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("first", [True, False])
def test_universal_offsets_on_one_body(world, number, first):
    """ODE leaves the second angle at 0 if there is one body, and gives neither angle of a reversed joint."""
    body = world.add_body(quaternion=(1, 2, 3, 4))
    joint = world.add_universal(*((body, None) if first else (None, body)), axis1=(0, 3, 4), axis2=(1, 0, 0))
    getattr(joint, f"set_axis{number}_offset")((0, 3, 4) if number == 1 else (1, 0, 0), 0.3, 0.2)
    close(joint.angles, (0.3, 0.2))


@pytest.mark.parametrize("attachment", ["pair", "world", "reversed"])
def test_torques_turn_the_bodies_against_each_other(world, bodies, attachment):
    """About axis1 and axis2 on body1, and against them on body2."""
    one, two = bodies
    joined = {"pair": bodies, "world": (one, None), "reversed": (None, two)}[attachment]
    for kind in ("universal", "pu"):
        joint = add(world, kind, *joined, axis1=(0, 1, 0), axis2=(0, 0, 1))
        joint.add_torques(2, 3)
        for body, sign in zip(joined, (1, -1), strict=True):
            if body is not None:
                close(body.torque, (0, 2 * sign, 3 * sign), atol=1e-15)
                body.torque = (0, 0, 0)
        joint.destroy()


def test_options_of_a_universal_joint(world, bodies):
    joint = world.add_universal(*bodies, anchor=(0, 0, 1), axis1=(0, 1, 0), stops1=(-1, 1), stops2=(-0.5, 0.25))
    close(joint.anchor, (0, 0, 1), atol=1e-15)
    close(joint.anchor2, (0, 0, 1), atol=1e-15)
    assert [motor.stops for motor in joint.limit_motors] == [(-1, 1), (-0.5, 0.25)] == [joint.stops1, joint.stops2]
    joint.motor1(1.5, 2.0)
    joint.motor2(-1.0)
    assert [(motor.velocity, motor.max_force) for motor in joint.limit_motors] == [(1.5, 2.0), (-1.0, math.inf)]


@pytest.mark.parametrize("kind", ["universal", "pu"])
def test_angles_are_exactly_0_where_the_axes_were_set(kind):
    rng = np.random.default_rng(1)
    for _ in range(50):
        world = od.World(like="ode")
        one, other = (world.add_body(quaternion=q / np.linalg.norm(q)) for q in rng.normal(size=(2, 4)))
        first, second = rng.normal(size=(2, 3))
        joint = getattr(world, f"add_{kind}")(one, other, axis1=first, axis2=np.cross(first, second))
        assert joint.angles == (0.0, 0.0)
        joint.stops1 = 0.0, 1.0
        one.angular_velocity = -joint.axis1
        world.step(0.01)  # the stop acts from the start
        assert abs((one.angular_velocity - other.angular_velocity) @ joint.axis1) < 1e-6
