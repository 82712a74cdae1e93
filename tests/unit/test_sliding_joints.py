"""PR and PU joints, pistons: forces within a pair conserve momentum, rates are those of positions, and getters return what
was set."""

import numpy as np
import pytest

import opendynamics as od

close = np.testing.assert_allclose
KINDS = ("pr", "pu", "piston")


def moved_pair(seed=3, **options):
    """A world without gravity with two bodies that move and turn."""
    random = np.random.default_rng(seed)
    world = od.World(**options)
    for _ in range(2):
        world.add_body(
            mass=od.Mass(random.uniform(1, 2), np.diag(random.uniform(0.2, 0.35, 3))),
            position=random.uniform(-0.5, 0.5, 3),
            quaternion=random.normal(size=4),
            linear_velocity=random.uniform(-0.5, 0.5, 3),
            angular_velocity=random.uniform(-0.5, 0.5, 3),
        )
    return world, *world.bodies


def given_momentum(joint, h=1e-3):
    """The angular momentum that the joint gives the bodies in a step, per force or torque."""
    world = joint.world
    places = [body.position for body in joint.bodies]
    world.step(h)
    feedback = joint.feedback
    total = feedback.torque1 + feedback.torque2
    total += np.cross(places[0], feedback.force1) + np.cross(places[1], feedback.force2)
    return np.linalg.norm(total) / max(1.0, np.linalg.norm(feedback.force1))


@pytest.mark.parametrize("kind", KINDS)
def test_forces_of_a_joint_balance(kind):
    """Drawn out, turned and pulled apart, with stops hit: what a joint does to one body it undoes to the other."""
    world, one, two = moved_pair()
    joint = getattr(world, f"add_{kind}")(one, two, anchor=(0.1, 0.2, 0.3), stops=(-0.1, 0.1))
    two.position = two.position + 0.5
    two.quaternion = two.quaternion + 0.05
    assert given_momentum(joint) < 1e-9


@pytest.mark.parametrize("kind", ["pr", "pu"])
def test_like_ode_forces_do_not_balance(kind):
    world, one, two = moved_pair()
    joint = getattr(world, f"add_{kind}")(one, two, anchor=(0.1, 0.2, 0.3), like_ode=True)
    assert joint.like_ode
    two.position = two.position + 0.5
    two.quaternion = two.quaternion + 0.05
    assert given_momentum(joint) > 1e-3
    joint.like_ode = False
    assert not joint.like_ode
    with pytest.raises(TypeError, match="like_ode"):
        joint.like_ode = "yes"


def highest_energy(world, body, steps):
    """The highest energy, J, in a fall of so many steps, or until it is beyond all bounds."""
    highest = -np.inf
    for _ in range(steps):
        world.step(0.01)
        highest = max(highest, body.kinetic_energy - body.mass * (world.gravity @ body.position))
        if highest > 1000.0:
            break
    return highest


@pytest.mark.parametrize("like_ode", [False, True])
def test_pr_stop_does_not_feed_the_motion(like_ode):
    """Swinging between stops for 20 s; with ODE's rows the energy grows without bounds."""
    world = od.World(gravity=(0, 0, -2))
    body = world.add_body(mass=od.Mass(1, (0.2, 0.3, 0.35)), linear_velocity=(0.3, 0.5, 0.2))
    joint = world.add_pr(body, None, anchor=(0.3, -0.4, 0.2), stops=(-0.3, 0.3), like_ode=like_ode)
    joint.limit_motors[0].bounce = 0.5
    energy = highest_energy(world, body, 2000)
    assert energy > 1000.0 if like_ode else energy < 0.5


@pytest.mark.parametrize("like_ode", [False, True])
def test_pu_joint_does_not_feed_the_motion(like_ode):
    """Sliding and tumbling down for 2 s; with ODE's rows the energy, 0.2 J, grows more than a thousandfold."""
    world = od.World(gravity=(0, 0, -9.81))
    body = world.add_body(
        mass=od.Mass(1.5, [[0.3, 0.02, -0.03], [0.02, 0.25, 0.015], [-0.03, 0.015, 0.35]]),
        quaternion=(0.98877, 0.10567, 0.10567, 0),
        linear_velocity=(0.2, 0.1, 0.3),
        angular_velocity=(0.5, -0.8, 0.4),
    )
    across, slide = np.array([0.3, 1, 0.2]), np.array([1, 0.1, -0.2])
    world.add_pu(
        body,
        None,
        anchor=(-0.4, 0, 0.1),
        axis1=across,
        axis2=np.cross(across, slide),
        prismatic_axis=slide,
        like_ode=like_ode,
    )
    energy = highest_energy(world, body, 200)
    assert energy > 1000.0 if like_ode else energy < 0.5


def test_pr_axes_may_have_any_angle():
    """The bodies turn about the hinge's axis, wherever the slider points."""
    world, one, two = moved_pair()
    joint = world.add_pr(one, two, axis1=(1, 0, 0.5), axis2=(0, 0, 1))
    axis = joint._inner_bodies[1].vector_from_world(joint.axis2)
    for _ in range(500):
        world.step(0.01)
    close(two.vector_to_world(axis), joint.axis2, atol=1e-3)
    spin = one.angular_velocity - two.angular_velocity
    close(spin, (spin @ joint.axis2) * joint.axis2, atol=1e-2)
    assert abs(spin @ joint.axis2) > 0.1


@pytest.mark.parametrize("attachment", ["pair", "world", "reversed"])
def test_piston_force(attachment):
    """Along the axis on body1 and against it on body2, on one line. ODE gives 0 if body1 is None, and turns a pair."""
    world, one, two = moved_pair()
    joined = {"pair": (one, two), "world": (one, None), "reversed": (None, two)}[attachment]
    joint = world.add_piston(*joined, anchor=(0.3, 0.1, 0), axis=(0, 1, 0))
    joint.add_force(2.0)
    for body, sign in zip(joined, (1, -1), strict=True):
        if body is not None:
            close(body.force, (0, 2 * sign, 0), atol=1e-15)
    if attachment == "pair":
        total = sum(body.torque + np.cross(body.position, body.force) for body in joined)
        close(total, 0, atol=1e-12)


def test_reversed_piston_force_drives_as_the_other_does():
    """A force that drives body1 = body against the world one way drives body2 = body the other way."""
    ends = []
    for reverse in (False, True):
        world = od.World()
        body = world.add_body()
        joint = world.add_piston(*((None, body) if reverse else (body, None)), axis=(0, 0, 1))
        for _ in range(100):
            joint.add_force(1.0)
            world.step(0.01)
        assert joint.position == pytest.approx(0.505, abs=1e-9)
        ends.append(body.position[2])
    assert ends[0] == pytest.approx(-ends[1])


@pytest.mark.parametrize("reverse", [False, True])
def test_offsets_and_deltas(reverse):
    world, one, two = moved_pair()
    bodies = (None, two) if reverse else (one, two)
    piston = world.add_piston(*bodies, axis=(0, 0, 1))
    piston.set_anchor_offset((1, 2, 3), (0.1, 0.2, 0.3))
    assert piston.position == pytest.approx(0.3)
    close(piston.anchor if reverse else piston.anchor2, (1, 2, 3))
    piston.set_axis_delta((0, 2, 0), (0.1, 0.2, 0.3))
    assert piston.position == pytest.approx(0.2) and piston.angle == pytest.approx(0)
    close(piston.axis, (0, 1, 0), atol=1e-15)
    pu = world.add_pu(*bodies, prismatic_axis=(0, 1, 0))
    pu.set_anchor_offset((1, 2, 3), (0.1, 0.2, 0.3))
    assert pu.position == pytest.approx(0.2)
    close(pu.angles, (0, 0), atol=1e-15)
    pu.set_anchor_delta((1, 2, 3), (0.1, 0.2, 0.3))
    assert pu.position == pytest.approx(0.2 if reverse else -0.2)
    for joint, name in ((piston, "set_anchor_offset"), (piston, "set_axis_delta"), (pu, "set_anchor_delta")):
        before = joint._record.copy()
        with pytest.raises(ValueError, match="finite"):
            getattr(joint, name)((1, 0, 0), (np.nan, 0, 0))
        with pytest.raises((ValueError, TypeError)):
            getattr(joint, name)(None, (1, 0, 0))
        assert joint._record == before


def test_options():
    world, one, two = moved_pair()
    pr = world.add_pr(one, two, anchor=(0, 0, 1), axis1=(0, 0, 1), axis2=(1, 0, 0), stops=(-1, 1), angle_stops=(-2, 2))
    close([pr.anchor, pr.axis1, pr.axis2], [(0, 0, 1), (0, 0, 1), (1, 0, 0)], atol=1e-15)
    assert (pr.stops, pr.angle_stops) == ((-1, 1), (-2, 2))
    pu = world.add_pu(
        one, two, anchor=(0, 1, 0), prismatic_axis=(0, 1, 0), stops1=(-1, 1), stops2=(-2, 2), stops=(-3, 3)
    )
    close([pu.anchor, pu.prismatic_axis, pu.axis3], [(0, 1, 0)] * 3, atol=1e-14)
    assert [motor.stops for motor in pu.limit_motors] == [(-1, 1), (-2, 2), (-3, 3)]
    piston = world.add_piston(one, two, anchor=(1, 0, 0), axis=(0, 3, 0), stops=(-1, 1), angle_stops=(-2, 2))
    close([piston.anchor, piston.anchor2, piston.axis], [(1, 0, 0), (1, 0, 0), (0, 1, 0)], atol=1e-15)
    for joint in (pr, piston):
        joint.motor(1.0, 2.0)
        joint.angle_motor(3.0, 4.0)
        assert [(motor.velocity, motor.max_force) for motor in joint.limit_motors] == [(1, 2), (3, 4)]
    pu.motor(1.0, 2.0)
    assert (pu.limit_motors[2].velocity, pu.limit_motors[2].max_force) == (1, 2)
    with pytest.raises(ValueError, match=r"stops? of a pu joint"):
        world.add_pu(one, two, stops=(1, -1))
    assert len(world.joints) == 3


ATTACHED = {"pair": (0, 1), "world": (0, None), "reversed": (None, 1)}


def displace(body, pose, h):
    """Move a body from `pose` for h seconds at its constant velocities."""
    (x, y, z), (place, (s, *v)) = 0.5 * h * body.angular_velocity, pose
    body.position = place + h * body.linear_velocity
    angle = np.linalg.norm((x, y, z))
    turn = np.sinc(angle / np.pi) * np.array((x, y, z))
    body.quaternion = (np.cos(angle) * s - turn @ v, *(np.cos(angle) * np.array(v) + s * turn + np.cross(turn, v)))


@pytest.mark.parametrize("like", ["opendynamics", "ode"])
@pytest.mark.parametrize("attachment", ATTACHED)
@pytest.mark.parametrize("kind", ["slider", *KINDS])
def test_position_rate_is_that_of_the_position(kind, attachment, like):
    """Also while the bodies rotate, unlike ODE's, which is right only for a PU joint to the world."""
    world, one, two = moved_pair(like=like)
    bodies = [None if k is None else (one, two)[k] for k in ATTACHED[attachment]]
    joint = getattr(world, f"add_{kind}")(*bodies, **({} if kind == "slider" else {"anchor": (0.4, -0.7, 0.3)}))
    one.position = np.add(one.position, (0.1, 0.5, -0.3))
    two.position = np.add(two.position, (0.3, -0.2, 0.1))
    one.quaternion = one.quaternion + 0.1
    poses = [(body, (body.position.copy(), body.quaternion.copy())) for body in (one, two)]
    ends, rate = [], joint.position_rate
    for h in (-1e-5, 1e-5):
        for body, pose in poses:
            displace(body, pose, h)
        ends.append(joint.position)
    error = abs((ends[1] - ends[0]) / 2e-5 - rate)
    if like == "ode" and not (kind == "pu" and attachment != "pair"):
        assert error > 1e-3
    else:
        assert error < 1e-8


def test_position_rate_of_bodies_that_turn_together():
    """1 m apart across the axis, at 1 rad/s: the rate is that of the motor alone, also as an array."""
    rates = {}
    for like in ("opendynamics", "ode"):
        world = od.World(like=like)
        one, two = (
            world.add_body(od.Box((0.3, 0.2, 0.1)), mass=1, position=(0, side, 0), linear_velocity=(-side, 0, 0))
            for side in (0.5, -0.5)
        )
        one.angular_velocity = two.angular_velocity = (0, 0, 1)
        joint = world.add_slider(one, two)
        rates[like] = [joint.position_rate]
        joint.motor(0.7)
        world.advance(1e-4)
        rates[like] += od.JointArray([joint]).rates.tolist()
    close(rates["opendynamics"], (0.0, 0.7), atol=1e-6)
    close(rates["ode"], (-1.0, -0.9709), atol=1e-4)


def test_setting_the_slider_of_a_pr_joint_keeps_the_error_of_its_hinge():
    world = od.World(like="ode", erp=0.5)
    body = world.add_body()
    joint = world.add_pr(body, None)  # a slider along y, a hinge about x
    body.quaternion = np.cos(0.05), 0, 0, np.sin(0.05)
    joint.axis1 = joint.axis1
    world.step(0.1)
    assert body.angular_velocity[2] == pytest.approx(-0.5 * np.sin(0.1) / 0.1, rel=1e-6)
