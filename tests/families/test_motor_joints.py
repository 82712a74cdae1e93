"""Angular and linear motors, and the plane joint: driven, limited and free motion."""

import numpy as np
import pytest

import opendynamics as od

H = 0.01
ATTACHMENTS = ["pair", "world", "reversed"]


def make(kind, attachment, seed=1, speed=1.0, **options):
    """A world without gravity, a joint in it, and the way its motors drive: along the axes, as seen from its bodies."""
    random = np.random.default_rng(seed)
    world = od.World()
    bodies = [
        world.add_body(
            mass=od.Mass(random.uniform(0.5, 2), np.diag(random.uniform(0.2, 0.35, 3))),
            position=random.normal(size=3),
            quaternion=random.normal(size=4),
            linear_velocity=speed * random.normal(size=3),
            angular_velocity=speed * random.normal(size=3),
        )
        for _ in range(2)
    ]
    one, two = {"pair": bodies, "world": (bodies[0], None), "reversed": (None, bodies[0])}[attachment]
    return world, getattr(world, f"add_{kind}")(one, two, **options)


def momenta(world):
    """Momentum, and angular momentum about the origin."""
    linear, angular = np.zeros(3), np.zeros(3)
    for body in world.bodies:
        p = body.mass * body.linear_velocity
        r = body.rotation
        linear += p
        angular += np.cross(body.position, p) + r @ body.mass_properties.inertia @ r.T @ body.angular_velocity
    return np.concatenate([linear, angular])


def spin(joint):
    """Angular velocity of the first body that is there against the other."""
    first, second = joint._inner_bodies
    return first.angular_velocity - (0.0 if second is None else second.angular_velocity)


# -- angular motors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attachment", ATTACHMENTS)
@pytest.mark.parametrize("relative_to", [0, 1, 2])
def test_angular_motor_drives_about_each_axis(attachment, relative_to):
    world, motor = make("amotor", attachment, axes=np.eye(3), relative_to=relative_to)
    for number, velocity in enumerate((0.5, -0.3, 0.2)):
        motor.motor(number, velocity, 100.0)
    for _ in range(50):
        axes = motor.axes
        world.step(H)
        # Axes that turn are those of before the step.
        np.testing.assert_allclose(axes @ spin(motor), (0.5, -0.3, 0.2), atol=1e-8)
    np.testing.assert_allclose(motor.rates, (motor.axes @ spin(motor)) * (-1 if attachment == "reversed" else 1))


@pytest.mark.parametrize("stepper", ["step", "quick_step"])
def test_angular_motor_of_unlimited_torque_leaves_one_axis_free(stepper):
    world = od.World()
    body = world.add_body()
    body.finite_rotation_mode = True
    motor = world.add_amotor(body, None, axes=[(0, 1, 0), (0, 0, 1)])
    for number in range(2):
        motor.motor(number, 0.0)
    body.angular_velocity = (1, 0, 0)
    getattr(world, stepper)(1.0)
    np.testing.assert_allclose(body.rotation, od.rotation.from_axis_angle((1, 0, 0), 1.0), atol=1e-5)
    body.angular_velocity = (0, 1, 1)
    getattr(world, stepper)(1.0)
    np.testing.assert_allclose(body.rotation, od.rotation.from_axis_angle((1, 0, 0), 1.0), atol=1e-5)


def test_axes_that_were_never_set_are_x():
    """In ODE they give no direction at all."""
    for kind in ("amotor", "lmotor"):
        world, motor = make(kind, "world", speed=0.0)
        motor.num_axes = 1
        motor.motor(0, 0.5, 1000.0)
        world.step(H)
        rate = spin(motor)[0] if kind == "amotor" else motor.bodies[0].linear_velocity[0]
        assert rate == pytest.approx(0.5, abs=1e-6)


def test_angular_motor_leaves_the_other_motion_alone():
    world, motor = make("amotor", "pair", axes=[(1, 0, 0)])
    motor.motor(0, 2.0, 5.0)
    before = momenta(world)
    centres = world.bodies[0].linear_velocity
    for _ in range(100):
        world.step(0.001)
    np.testing.assert_allclose(momenta(world), before, atol=5e-3)  # gyroscopic torque is implicit, and damps
    np.testing.assert_array_equal(world.bodies[0].linear_velocity, centres)


@pytest.mark.parametrize("attachment", ATTACHMENTS)
def test_axes_stand_still_or_turn_with_their_body(attachment):
    world, motor = make("amotor", attachment, axes=[(1, 0, 0), (0, 2, 0), (0, 0, 3)], relative_to=[0, 1, 2])
    frames = [None, *motor.bodies]
    local = [axis if b is None else b.vector_from_world(axis) for axis, b in zip(np.eye(3), frames, strict=True)]
    np.testing.assert_allclose(motor.axes, np.eye(3), atol=1e-14)
    for _ in range(30):
        world.step(H)
    moved = [axis if b is None else b.vector_to_world(axis) for axis, b in zip(local, frames, strict=True)]
    np.testing.assert_allclose(motor.axes, moved, atol=1e-12)
    assert motor.relative_to == (0, 1, 2)


def test_user_mode_stops_hold_the_angle_that_is_told():
    """The user measures; here with a hinge that lets the body turn about x only."""
    world, motor = make("amotor", "world", speed=0.0, axes=[(1, 0, 0)])
    body = motor.bodies[0]
    hinge = world.add_hinge(body, None, anchor=body.position, axis=(1, 0, 0))
    motor.set_stops(0, (-0.5, 0.5))
    body.angular_velocity = (2.0, 0, 0)
    furthest = 0.0
    for _ in range(100):
        motor.set_angle(0, hinge.angle)
        furthest = max(furthest, *motor.angles)
        world.step(H)
    assert furthest == pytest.approx(0.5, abs=2.0 * H + 1e-9)
    assert hinge.rate < 0.0  # the stop's error has been corrected


@pytest.mark.parametrize("attachment", ATTACHMENTS)
def test_euler_angles_describe_how_body1_has_turned(attachment):
    """The turn of body1 against body2 is one about axis 2, then axis 1, then axis 0, as they are now."""
    world, motor = make("amotor", attachment, mode="euler", axes=[(1, 0, 0), (0, 1, 0)])
    first, second = (np.eye(3) if body is None else body.rotation for body in motor.bodies)
    before = second.T @ first
    for _ in range(40):
        world.step(H)
    assert abs(motor.angles).max() > 0.1
    first, second = (np.eye(3) if body is None else body.rotation for body in motor.bodies)
    now = second.T @ first
    zero, one, two = motor._euler_axes()
    turn = np.eye(3)
    for axis, angle in zip((two, one, zero), motor.angles[::-1], strict=True):
        turn = od.rotation.from_axis_angle(axis, angle) @ turn
    np.testing.assert_allclose(second @ now @ before.T @ second.T, turn, atol=1e-12)


@pytest.mark.parametrize("attachment", ATTACHMENTS)
def test_each_euler_axis_feels_its_own_angle(attachment):
    world, motor = make("amotor", attachment, mode="euler", axes=[(1, 0, 0), (0, 1, 0)])
    world.integrator = "euler"  # whose steps begin at the velocities that the last one ended with
    for _ in range(30):
        world.step(H)
    before, rates = motor.angles, motor.rates
    cosine = np.cos(before[1])
    np.testing.assert_allclose(np.linalg.norm(motor.axes, axis=1), 1.0)
    world.step(1e-6)
    np.testing.assert_allclose((motor.angles - before) / 1e-6 * (cosine, 1, cosine), rates, atol=1e-5)


@pytest.mark.parametrize("attachment", ATTACHMENTS)
@pytest.mark.parametrize("direction", [1, -1])
def test_euler_stops_hold_the_angles(attachment, direction):
    """ODE drives a reversed joint that is at a stop further out, faster and faster."""
    world, motor = make("amotor", attachment, speed=0.0, mode="euler", axes=[(1, 0, 0), (0, 0, 1)])
    for number in range(3):
        motor.set_stops(number, (-0.3, 0.2))
        motor.motor(number, 0.7 * direction, 1.0)
    for _ in range(300):
        world.step(H)
    grows = direction * (-1 if attachment == "reversed" else 1)
    end = 0.2 if grows > 0 else -0.3
    np.testing.assert_allclose(motor.angles, end, atol=2e-3)
    for number in range(3):
        motor.motor(number, -0.7 * direction, 1.0)
    for _ in range(20):
        world.step(H)
    assert (abs(motor.angles) < abs(end) - 5e-3).all()


def test_recorded_euler_angles_are_those_that_the_step_began_with():
    world, motor = make("amotor", "pair", mode="euler", axes=[(1, 0, 0), (0, 0, 1)])
    for _ in range(5):
        now = motor.angles
        world.step(H)
        np.testing.assert_array_equal(motor.stepped_angles, now)
    assert abs(motor.angles - now).max() > 1e-3


def test_torques_act_about_the_axes():
    for attachment, sign in (("pair", 1), ("world", 1), ("reversed", -1)):
        _, motor = make("amotor", attachment, axes=[(1, 0, 0), (0, 1, 0)])
        motor.add_torques(1.0, 2.0, 3.0)
        first, second = motor._inner_bodies
        np.testing.assert_allclose(first.torque, [sign, 2 * sign, 0], atol=1e-14)
        if second is not None:
            np.testing.assert_allclose(second.torque, [-1, -2, 0], atol=1e-14)


# -- linear motors -----------------------------------------------------------------------------------------------------


def slip(motor):
    """What an LMotor's row drives: velocity along the axes, half way between the centres."""
    first, second = motor._inner_bodies
    if second is None:
        return motor.axes @ first.linear_velocity
    way = 0.5 * (second.position - first.position)
    one = first.linear_velocity + np.cross(first.angular_velocity, way)
    return motor.axes @ (one - second.linear_velocity + np.cross(second.angular_velocity, way))


@pytest.mark.parametrize("attachment", ATTACHMENTS)
def test_linear_motor_drives_along_each_axis(attachment):
    world, motor = make("lmotor", attachment, speed=0.0, axes=np.eye(3))
    for number, velocity in enumerate((0.5, -0.3, 0.2)):
        motor.motor(number, velocity, 100.0)
    world.step(H)
    np.testing.assert_allclose(slip(motor), (0.5, -0.3, 0.2), atol=1e-3)
    before = momenta(world)
    for _ in range(50):
        world.step(H)
    if attachment == "pair":
        np.testing.assert_allclose(momenta(world), before, atol=1e-2)


@pytest.mark.parametrize("attachment", ATTACHMENTS)
@pytest.mark.parametrize("relative_to", [0, 1, 2])
@pytest.mark.parametrize("direction", [1, -1])
def test_linear_stops_hold_against_the_motor(attachment, relative_to, direction):
    """ODE's linear motor ignores its stops. An angular motor keeps the bodies from turning out of the way."""
    world, motor = make("lmotor", attachment, speed=0.0)
    world.positions = [(0, 0, 0), (1, 0, 0)]
    still = world.add_amotor(*motor.bodies, axes=np.eye(3))
    for number in range(3):
        still.motor(number, 0.0)
    motor.num_axes = 1
    motor.set_axis(0, relative_to, (1, 0, 0))
    motor.set_stops(0, (-0.2, 0.3))
    motor.motor(0, 1.0 * direction, 3.0)
    for _ in range(200):
        world.step(H)
    end = 0.3 if direction > 0 else -0.2
    assert motor.positions[0] == pytest.approx(end, abs=2e-3)
    motor.motor(0, -1.0 * direction, 3.0)
    for _ in range(30):
        world.step(H)
    assert direction * motor.positions[0] < direction * end - 0.05


@pytest.mark.parametrize("attachment", ATTACHMENTS)
@pytest.mark.parametrize("relative_to", [0, 1, 2])
def test_linear_stops_hold_bodies_that_tumble(attachment, relative_to):
    world, motor = make("lmotor", attachment, seed=4, speed=0.3, axes=np.eye(3), relative_to=relative_to)
    for number in range(3):
        motor.set_stops(number, (-0.2, 0.3))
    for _ in range(1000):
        world.step(H)
        assert (motor.positions > -0.22).all() and (motor.positions < 0.32).all()


@pytest.mark.parametrize("attachment", ATTACHMENTS)
def test_linear_stops_bounce(attachment):
    world, motor = make("lmotor", attachment, speed=0.0, axes=[(0, 1, 0)])
    motor.set_stops(0, (-1.0, 0.1))
    motor.limit_motors[0].bounce = 0.5
    motor._inner_bodies[0].linear_velocity = (0, 1, 0)
    while motor.rates[0] > 0.0:
        world.step(H)
    assert motor.rates[0] == pytest.approx(-0.5, abs=1e-6)


@pytest.mark.parametrize("attachment", ATTACHMENTS)
@pytest.mark.parametrize("relative_to", [0, 1, 2])
def test_rates_are_those_of_the_positions(attachment, relative_to):
    world, motor = make("lmotor", attachment, axes=[(1, 2, 3), (0, 1, 0)], relative_to=relative_to)
    world.integrator = "euler"  # whose steps begin at the velocities that the last one ended with
    for _ in range(20):
        world.step(H)
    before, rates = motor.positions, motor.rates
    world.step(1e-6)
    np.testing.assert_allclose((motor.positions - before) / 1e-6, rates, atol=1e-5)


@pytest.mark.parametrize("attachment", ATTACHMENTS)
def test_linear_axes_are_told_in_the_world(attachment):
    """ODE tells an axis that turns with a body in the body's frame."""
    for relative_to in (0, 1, 2):
        _, motor = make("lmotor", attachment, axes=[(1, 2, 2)], relative_to=relative_to)
        np.testing.assert_allclose(motor.axes, [(1 / 3, 2 / 3, 2 / 3)], atol=1e-14)


# -- plane joints ------------------------------------------------------------------------------------------------------


def flat(reverse=False, **state):
    world = od.World(gravity=(0.3, -0.2, -9.81))
    body = world.add_body(od.Box((1, 0.5, 0.2)), mass=1.5, **state)
    return world, body, world.add_plane2d(*((None, body) if reverse else (body, None)))


@pytest.mark.parametrize("reverse", [False, True])
def test_a_body_stays_in_the_plane_for_a_minute(reverse):
    world, body, _ = flat(reverse, position=(0, 0, 0.02), linear_velocity=(1, 2, 0.1), angular_velocity=(0.1, 0.2, 3))
    body.angular_velocity = (0.1, 0.2, 3)
    for step in range(6000):
        world.step(H)
        if step > 100:
            assert abs(body.position[2]) < 1e-8
    assert abs(body.rotation[2, 2] - 1.0) < 1e-9
    assert body.angular_velocity[2] == pytest.approx(3.0, rel=1e-4)
    np.testing.assert_allclose(body.linear_velocity[:2], np.array((1, 2)) + 60 * np.array((0.3, -0.2)), rtol=1e-6)


def test_plane_motors():
    world, body, joint = flat()
    joint.x_motor.motor(0.5, 10.0)
    joint.y_motor.motor(-0.4, 10.0)
    joint.angle_motor.motor(0.7, 10.0)
    for _ in range(100):
        world.step(H)
    np.testing.assert_allclose(body.linear_velocity, (0.5, -0.4, 0), atol=1e-6)
    np.testing.assert_allclose(body.angular_velocity, (0, 0, 0.7), atol=1e-6)
    np.testing.assert_allclose(joint.position, body.position[:2])
    np.testing.assert_allclose(joint.position_rate, body.linear_velocity[:2])
    assert joint.angle == pytest.approx(0.7 * 1.0, abs=0.02)
    assert joint.angle_rate == pytest.approx(0.7)


def test_plane_stops_hold():
    """ODE's plane joint ignores its stops."""
    world, body, joint = flat(linear_velocity=(1, -1, 0), angular_velocity=(0, 0, 1))
    joint.x_motor.stops, joint.y_motor.stops, joint.angle_motor.stops = (-1, 0.5), (-0.25, 1), (-0.3, 0.3)
    least, most = np.zeros(3), np.zeros(3)
    for _ in range(300):
        world.step(H)
        now = (*joint.position, joint.angle)
        least, most = np.minimum(least, now), np.maximum(most, now)
    np.testing.assert_allclose((most[0], least[1], most[2]), (0.5, -0.25, 0.3), atol=H)
    assert least[2] > -0.3 - H and abs(body.linear_velocity).max() < 1.0


def test_null_joint_does_nothing_but_keep_bodies_together():
    world = od.World(gravity=(0, 0, -10))
    one, two = world.add_body(mass=1.0), world.add_body(mass=1.0, position=(3, 0, 0))
    world.add_null(one, two)
    world.step(H)
    np.testing.assert_allclose(one.linear_velocity, (0, 0, -0.1))
    one.enabled = False
    world.step(H)
    assert one.enabled  # the other woke it


# -- bad input ---------------------------------------------------------------------------------------------------------


def test_axes_need_numbers_frames_and_bodies():
    for kind in ("amotor", "lmotor"):
        world, joint = make(kind, "pair", name="drive")
        with pytest.raises(ValueError, match="number of axes of drive must be at most 3, not 4"):
            joint.num_axes = 4
        with pytest.raises(ValueError, match="number of an axis of drive must be at most 2, not 3"):
            joint.set_axis(3, 0, (1, 0, 0))
        with pytest.raises(ValueError, match="relative to of drive must be at most 2, not 3"):
            joint.set_axis(0, 3, (1, 0, 0))
        with pytest.raises(TypeError, match="number of an axis of drive must be a whole number, not 'x'"):
            joint.motor("x", 1.0)
        with pytest.raises(ValueError, match="axis 1 of drive must not be the zero vector"):
            joint.set_axis(1, 0, (0, 0, 0))
        with pytest.raises(ValueError, match="at most 3 axes, not 4"):
            getattr(world, f"add_{kind}")(*world.bodies, axes=[(1, 0, 0)] * 4)
        with pytest.raises(ValueError, match="one number, or one for each of 2"):
            getattr(world, f"add_{kind}")(*world.bodies, axes=[(1, 0, 0)] * 2, relative_to=[1])
        loose = getattr(world, f"add_{kind}")(name="loose")
        with pytest.raises(ValueError, match="loose joins nothing; attach it to a body first"):
            loose.set_axis(0, 0, (1, 0, 0))
        assert joint.num_axes == 0


def test_euler_axes_have_their_places():
    world, joint = make("amotor", "pair", name="wrist", mode="euler", axes=[(1, 0, 0), (0, 0, 1)])
    axes = joint.axes
    for arguments, message in (
        ((0, 2, (0, 1, 0)), "axis 0 of wrist turns with body1 in Euler mode"),
        ((1, 0, (0, 1, 0)), "axis 1 of wrist follows from axes 0 and 2"),
        ((2, 2, (-2, 0, 0)), "axis 2 of wrist must be at right angles to axis 0"),
    ):
        with pytest.raises(ValueError, match=message):
            joint.set_axis(*arguments)
    with pytest.raises(ValueError, match="3 in Euler mode, not 2"):
        joint.num_axes = 2
    with pytest.raises(ValueError, match="measured in Euler mode"):
        joint.set_angle(0, 0.1)
    with pytest.raises(ValueError, match="must be one of 'user', 'euler', not 'eulr'"):
        joint.mode = "eulr"
    with pytest.raises(ValueError, match="right angles, not parallel"):
        world.add_amotor(*world.bodies, mode="euler", axes=[(1, 0, 0), (2, 0, 0)])
    with pytest.raises(ValueError, match="axis 0 and axis 2, not 3"):
        world.add_amotor(*world.bodies, mode="euler", axes=np.eye(3))
    np.testing.assert_array_equal(joint.axes, axes)
    user = world.add_amotor(*world.bodies, axes=[(1, 0, 0)], name="user")
    with pytest.raises(ValueError, match="axis 0 of user is relative to 0, but in Euler mode it turns with body1"):
        user.mode = "euler"
    assert user.mode == "user" and user.num_axes == 1


def test_euler_axes_that_nobody_set_make_way():
    _, joint = make("amotor", "world", mode="euler")
    for axis in ((0, 0, 1), (1, 0, 0), (0, 1, 0)):
        joint.set_axis(0, 1, axis)
        assert np.isfinite(joint.axes).all() and abs(joint.axes @ joint.axes.T - np.eye(3)).max() < 1e-12
        np.testing.assert_allclose(joint.axes[0], axis, atol=1e-12)
        np.testing.assert_allclose(joint.angles, 0.0, atol=1e-12)


def test_plane_joint_takes_one_body():
    world = od.World()
    one, two = world.add_body(name="a"), world.add_body(name="b")
    with pytest.raises(ValueError, match="one body in the world's plane z = 0, not a and b"):
        world.add_plane2d(one, two)
    assert not world.joints
