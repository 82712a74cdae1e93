"""Every joint in motion: it holds for a minute, its stops hold and bounce, its motors drive; on one body, on two, reversed."""

import numpy as np
import pytest

from tests.families.joint_cases import KINDS, H, cases, make, rows_of

# Joints whose rows have no error in position, or one that depends on the past.
NO_ERRORS = {"amotor", "lmotor", "null", "plane2d", "servo", "transmission"}
HOLDING = cases(kind for kind in KINDS if kind not in NO_ERRORS)

# How the coordinates of a joint's stops and motors are called, by their numbers.
COORDINATES = {
    "hinge": ["angle"],
    "slider": ["position"],
    "universal": ["angle1", "angle2"],
    "hinge2": ["angle1", "angle2"],
    "pr": ["position", "angle"],
    "piston": ["position", "angle"],
    "pu": ["angle1", "angle2", "position"],
}
AXES = [(*case, axis) for case in cases(COORDINATES) for axis in range(len(COORDINATES[case[0]]))]
STOPPED = [(kind, attachment, axis) for kind, attachment, axis in AXES if (kind, axis) != ("hinge2", 1)]


def coordinate(joint, axis):
    """The parameters of the stops and the motor of an axis.

    Of reversed joints a hinge counts the angle of the body, not of the world against it, and universal and PU joints
    number the body's axis first. The second angles that grow against their rates, of hinge-2 and reversed universal
    joints, are turned round.
    """
    name = COORDINATES[joint.kind][axis]
    if joint.kind in ("universal", "pu") and joint.reversed and axis < 2:
        name = COORDINATES[joint.kind][1 - axis]
    value = getattr(joint, name)
    turned = name == "angle2" and (joint.kind == "hinge2" or (joint.kind == "universal" and joint.reversed))
    return -value if turned or (joint.kind == "hinge" and joint.reversed) else value


def step(joint, axis):
    """The rate of a coordinate over a step."""
    before = coordinate(joint, axis)
    joint.world.step(H)
    return (coordinate(joint, axis) - before) / H


@pytest.mark.parametrize(("kind", "attachment"), HOLDING)
def test_no_drift_in_a_minute(kind, attachment):
    """A joint to the world swings in gravity, two bodies tumble; what slides does so between stops."""
    gravity = (0, 0, 0) if attachment == "pair" else (0, 0, -2)
    world, joint = make(kind, attachment, 4, speed=1.0, gravity=gravity, erp=0.2)
    held = len(errors(world, joint))
    if hasattr(joint, "position"):
        limit = joint.limit_motors[COORDINATES[kind].index("position")]
        limit.stops, limit.bounce = (-0.3, 0.3), 0.5
    worst = np.zeros(60)
    for second in range(60):
        for _ in range(100):
            worst[second] = max(worst[second], abs(errors(world, joint)[:held]).max())
    assert worst.max() < 2e-2
    assert worst[-20:].max() < 2 * worst[:20].max() + 1e-12


def errors(world, joint):
    """Errors of the joint's rows where the bodies were before a step that this makes."""
    world.step(H)
    return rows_of(joint)[1] * H / 0.2


@pytest.mark.parametrize(("kind", "attachment", "axis"), AXES)
def test_motor_drives_and_brakes(kind, attachment, axis):
    _, joint = make(kind, attachment, 5)
    for velocity in (0.4, -0.3, 0.0):
        joint.limit_motors[axis].motor(velocity, 50.0)
        for _ in range(20):
            rate = step(joint, axis)
        assert rate == pytest.approx(velocity, abs=5e-3)


@pytest.mark.parametrize(("kind", "attachment", "axis"), STOPPED)
@pytest.mark.parametrize("direction", [1, -1])
def test_motor_ends_at_the_stop(kind, attachment, axis, direction):
    world, joint = make(kind, attachment, 6)
    limit = joint.limit_motors[axis]
    limit.stops = -0.2, 0.3
    limit.motor(0.5 * direction, 20.0)
    for _ in range(200):
        world.step(H)
    end = 0.3 if direction > 0 else -0.2
    # Where it is less than a rounding error short of the stop, the motor drives it there for a step.
    assert coordinate(joint, axis) == pytest.approx(end, abs=0.5 * H)
    limit.motor(-0.5 * direction, 20.0)
    for _ in range(20):
        world.step(H)
    assert abs(coordinate(joint, axis)) < 0.25


@pytest.mark.parametrize(("kind", "attachment", "axis"), STOPPED)
def test_stop_bounces(kind, attachment, axis):
    """What a motor that is then turned off has brought up to speed leaves a stop at `bounce` times its speed.

    As in ODE, the bounce of a linear stop takes the speed of the centres, which differs a little when the bodies turn.
    """
    _, joint = make(kind, attachment, 7)
    limit = joint.limit_motors[axis]
    limit.stops, limit.bounce = (-1.0, 0.2), 0.5
    limit.motor(1.0, 50.0)
    for _ in range(5):
        step(joint, axis)
    limit.motor(0.0, 0.0)
    arriving = 1.0
    for _ in range(100):
        rate = step(joint, axis)
        if rate < 0.0:
            break
        arriving = rate
    assert arriving > 0.3
    assert rate == pytest.approx(-0.5 * arriving, rel=0.06)


@pytest.mark.parametrize("kind", [kind for kind, attachment in HOLDING if attachment == "reversed"])
def test_reversed_joint_holds_the_same(kind):
    """Whether a body is named first or second makes no difference to how the world holds it."""
    ends = []
    for attachment in ("world", "reversed"):
        world, joint = make(kind, "world", 8, speed=1.0, gravity=(0, 0, -5))
        if attachment == "reversed":
            swap(joint)
        for _ in range(100):
            world.step(H)
        body = next(body for body in joint.bodies if body is not None)
        ends.append(np.concatenate([body.position, body.quaternion, body.linear_velocity, body.angular_velocity]))
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-9)


def swap(joint):
    """Attach the joint the other way round, where it is."""
    names = [name for name in ("anchor", "anchor1", "anchor2", "axis", "prismatic_axis") if hasattr(joint, name)]
    places = {name: getattr(joint, name) for name in names}
    axes = (joint.axis1, joint.axis2) if hasattr(joint, "axis1") else None
    joint.attach(*joint.bodies[::-1])
    if "anchor1" in places:
        places["anchor1"], places["anchor2"] = places["anchor2"], places["anchor1"]
    for name, place in places.items():
        if name != "anchor2" or "anchor1" in places:
            setattr(joint, name, place)
    if axes is not None:
        joint.set_axes(*(axes if joint.kind == "pr" else axes[::-1]))
