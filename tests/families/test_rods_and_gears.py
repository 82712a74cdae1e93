"""Joints that keep a distance, and transmissions: laws of rods, gears and chains."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.constrain.joints.transmission import SIGN

H = 0.01
X, Y, Z = np.eye(3)

# -- rods --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attachment", ["pair", "world", "reversed"])
def test_a_rod_keeps_its_length_and_takes_another(attachment):
    world = od.World(gravity=(0, 0, 0) if attachment == "pair" else (0, 0, -5))
    a = world.add_body(mass=1.0, position=(0, 0, 0), angular_velocity=(0.3, 0.4, 0.5))
    b = world.add_body(mass=2.0, position=(1, 0.2, 0.3), angular_velocity=(0.5, -0.4, 0.1))
    one, two = {"pair": (a, b), "world": (a, None), "reversed": (None, a)}[attachment]
    rod = world.add_dball(one, two, anchor1=(0.1, 0, 0), anchor2=(0.9, 0.1, 0.2))
    assert rod.distance == pytest.approx(np.linalg.norm((0.8, 0.1, 0.2)))
    for length in (rod.distance, 1.2, 0.9):
        rod.distance = length
        for _ in range(500):
            world.step(0.002)
        assert np.linalg.norm(rod.anchor1 - rod.anchor2) == pytest.approx(length, abs=4e-3)
        assert rod.distance == length


def test_a_rod_without_length_has_a_direction_to_grow_in():
    world = od.World()
    a, b = world.add_body(mass=1.0), world.add_body(mass=1.0)
    rod = world.add_dball(a, b)
    assert rod.distance == 0.0
    rod.distance = 0.5
    for _ in range(100):
        world.step(H)
    np.testing.assert_allclose(abs(a.position - b.position), (0.5, 0, 0), atol=1e-6)


def test_a_rod_without_length_grows_the_way_its_ends_part():
    world = od.World()
    a, b = world.add_body(mass=1.0), world.add_body(mass=1.0)
    rod = world.add_dball(a, b)
    a.linear_velocity = (0, 0.3, 0.4)
    rod.distance = 0.5
    for _ in range(100):
        world.step(H)
    np.testing.assert_allclose(a.position - b.position, (0, 0.3, 0.4), atol=1e-6)


def test_setting_an_anchor_takes_the_distance_anew():
    world = od.World()
    rod = world.add_dball(world.add_body(position=(1, 0, 0)), world.add_body(position=(-2, 0, 0)))
    assert rod.distance == 3.0
    rod.distance = 7.0
    rod.anchor2 = (-1, 0, 0)
    assert rod.distance == 2.0


@pytest.mark.parametrize("attachment", ["pair", "world", "reversed"])
def test_a_double_hinge_is_two_hinges_with_a_rod_between(attachment):
    world = od.World(gravity=(0, 0, 0) if attachment == "pair" else (0, 0, -5))
    a = world.add_body(mass=1.0, angular_velocity=(0, 0.7, 0), quaternion=(0.9, 0.1, 0.2, 0.3))
    b = world.add_body(mass=2.0, position=(1, 0.2, 0.3), angular_velocity=(0, -0.5, 0))
    one, two = {"pair": (a, b), "world": (a, None), "reversed": (None, a)}[attachment]
    link = world.add_dhinge(one, two, anchor1=(0.1, 0, 0), anchor2=(0.9, 0, 0.2), axis=(0, 1, 0))
    for _ in range(6000):
        world.step(H)
        assert abs(link._axis(0) - link._axis(1)).max() < 1e-5
        assert abs((link.anchor1 - link.anchor2) @ link.axis) < 1e-6
        assert np.linalg.norm(link.anchor1 - link.anchor2) == pytest.approx(link.distance, abs=1e-2)


# -- wheels ------------------------------------------------------------------------------------------------------------

BEVEL = np.array((np.sin(1.0), 0, np.cos(1.0)))
# What the joint takes, its axes and centres. The last two touch where ODE expects a wheel to turn the other way.
GEARS = {
    "parallel": {"mode": "parallel", "axes": (Z, Z), "centres": ((0, 0, 0), (2, 1, 0)), "ratio": 1.7},
    "chain": {"mode": "chain", "axes": (Z, Z), "centres": ((0, 0, 0), (2, 1, 0)), "radius1": 0.5, "radius2": 0.3},
    "bevel": {"mode": "intersecting", "axes": (Z, BEVEL), "centres": (-Z, -BEVEL)},
    "bevel turned round": {"mode": "intersecting", "axes": (Z, BEVEL), "centres": (-Z, -BEVEL), "axis1": -Z},
    "bevel far side": {"mode": "intersecting", "axes": (Z, BEVEL), "centres": (-0.3 * Z, -BEVEL)},
    "bevel other side": {"mode": "intersecting", "axes": (Z, BEVEL), "centres": (Z, -BEVEL)},
}
# Turns of the second wheel about its axis for one of the first, in units of the radii's ratio.
SENSE = {"parallel": -1, "chain": 1, "bevel": -1, "bevel turned round": -1, "bevel far side": 1, "bevel other side": 1}


def geared(kind, /, at=(0, 0, 0), turn=(1, 0, 0, 0), **more):
    """Two wheels on axles in the world, and their transmission; placed and turned as a whole."""
    gear = {**GEARS[kind], **more}
    r = od.rotation.matrix_from_quaternion(turn)
    world = od.World()
    axes = [r @ axis for axis in gear.pop("axes")]
    centres = [np.asarray(at) + r @ np.asarray(centre, dtype=float) for centre in gear.pop("centres")]
    wheels = []
    for centre, axis in zip(centres, axes, strict=True):
        wheel = world.add_body(mass=od.Mass(2.0, np.diag((0.2, 0.2, 0.3))), position=centre)
        wheel.rotation = od.rotation.from_z_axis(axis)
        wheels.append(wheel)
        world.add_hinge(wheel, None, anchor=centre, axis=axis)
    if gear["mode"] == "intersecting":
        gear |= {"axis1": r @ gear.get("axis1", Z), "axis2": axes[1]}
    else:
        gear["axis"] = axes[0]
    joint = world.add_transmission(*wheels, anchor1=centres[0], anchor2=centres[1], **gear)
    return world, wheels, axes, joint


def axle(wheel):
    return next(joint for joint in wheel.joints if joint.kind == "hinge")


def spins(wheels, axes):
    return np.array([axis @ wheel.angular_velocity for wheel, axis in zip(wheels, axes, strict=True)])


@pytest.mark.parametrize("name", GEARS)
@pytest.mark.parametrize("driven", [0, 1])
def test_speeds_are_as_the_radii_and_power_goes_through(name, driven):
    world, wheels, axes, joint = geared(name)
    axle(wheels[driven]).motor(1.5, 3.0)
    for _ in range(100):
        world.step(H)
        one, two = spins(wheels, axes)
        assert two == pytest.approx(SENSE[name] * one * joint.ratio, rel=1e-4, abs=1e-7)
        fed = joint.feedback
        work = fed.torque1 @ wheels[0].angular_velocity + fed.torque2 @ wheels[1].angular_velocity
        assert work == pytest.approx(0.0, abs=1e-4)  # of 4.5 W
    assert max(abs(spins(wheels, axes))) > 0.5


@pytest.mark.parametrize("name", GEARS)
def test_row_is_the_derivative_of_how_far_wheels_are_out_of_step(name):
    """With a joint too soft to act: the gap as phases and radii tell it, before and after, against the row's velocity."""
    world, wheels, axes, joint = geared(name)
    joint.cfm = 1e12
    h = 1e-4
    for wheel, axis, speed in zip(wheels, axes, (1.3, 0.6), strict=True):
        wheel.finite_rotation_mode = True
        wheel.angular_velocity = speed * axis
    world.step(h)
    signs = joint._record["numbers"][SIGN : SIGN + 2]
    assert signs[0] * signs[1] == -SENSE[name]
    gaps, rates = [0.0], []
    for _ in range(3):
        row = world._store[ROWS][int(joint._record["first_row"])]
        first, second = (np.concatenate([wheel.linear_velocity, wheel.angular_velocity]) for wheel in wheels)
        rates.append((row["j0"] @ first + row["j1"] @ second) / np.linalg.norm(row["j0"][:3]))
        world.step(h)
        gaps.append(signs[0] * joint.radius1 * joint.angle1 + signs[1] * joint.radius2 * joint.angle2)
    np.testing.assert_allclose(np.diff(gaps) / h, rates, rtol=1e-6)


@pytest.mark.parametrize("name", GEARS)
def test_wheels_stay_in_step_over_many_turns(name):
    world, wheels, _, joint = geared(name)
    for wheel in wheels:
        wheel.finite_rotation_mode = True
    axle(wheels[0]).motor(20.0, 50.0)
    for _ in range(6000):
        world.step(H)
    turned = joint.angle1, joint.angle2
    assert abs(turned[0]) > 180 * 2 * np.pi
    assert abs(turned[1]) == pytest.approx(abs(turned[0]) * joint.ratio, rel=1e-6)


@pytest.mark.parametrize("name", ["parallel", "chain", "bevel"])
def test_backlash_lets_go_until_it_is_used_up(name):
    world, wheels, axes, joint = geared(name, backlash=0.05)
    wheels[0].angular_velocity = 0.5 * axes[0]
    met = None
    for step in range(100):
        world.step(H)
        if abs(spins(wheels, axes)[1]) > 1e-9:
            met = step
            break
    way = joint.radius1 * 0.5 * met * H
    assert way == pytest.approx(0.05, abs=2 * 0.5 * H * joint.radius1)
    for _ in range(50):
        world.step(H)
    one, two = spins(wheels, axes)
    assert abs(two) >= abs(one) * joint.ratio - 1e-6  # pushed, not pulled
    assert SENSE[name] * one * two > 0


def test_what_follows_is_known_before_the_first_step():
    """ODE returns whatever was in memory."""
    _, _, _, joint = geared("parallel", at=(1, 2, 3))
    assert (joint.ratio, joint.angle1, joint.angle2) == (1.7, 0.0, 0.0)
    assert joint.radius1 / joint.radius2 == pytest.approx(1.7)
    assert joint.radius1 + joint.radius2 == pytest.approx(np.sqrt(5))
    np.testing.assert_allclose(joint.contact1, np.array((1, 2, 3)) + np.array((2, 1, 0)) * 1.7 / 2.7)
    np.testing.assert_allclose(joint.contact1, joint.contact2)
    _, _, _, joint = geared("bevel")
    assert joint.ratio == pytest.approx(1.0)
    np.testing.assert_allclose(joint.contact1, joint.contact2, atol=1e-12)
    _, _, _, joint = geared("chain")
    assert (joint.radius1, joint.radius2, joint.ratio) == (0.5, 0.3, 0.5 / 0.3)


@pytest.mark.parametrize("name", GEARS)
def test_where_the_origin_is_and_how_all_is_turned_makes_no_difference(name):
    """In ODE bevel gears change their radii away from the origin, and a chain runs askew unless it runs along x."""
    found = []
    for at, turn in (((0, 0, 0), (1, 0, 0, 0)), ((5, -3, 4), (0.5, 0.5, -0.5, 0.5)), ((1, 7, 2), (0.8, 0, 0.6, 0))):
        world, wheels, axes, joint = geared(name, at, turn)
        r = od.rotation.matrix_from_quaternion(turn)
        start = [r.T @ (contact - at) for contact in (joint.contact1, joint.contact2)]
        wheels[0].angular_velocity, wheels[1].angular_velocity = 2.0 * axes[0], -0.7 * axes[1]
        for _ in range(50):
            world.step(H)
        end = [r.T @ (contact - at) for contact in (joint.contact1, joint.contact2)]
        found.append(np.concatenate([*start, *end, spins(wheels, axes), (joint.angle1, joint.angle2, joint.radius1)]))
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)
    np.testing.assert_allclose(found[2], found[0], atol=1e-6)


@pytest.mark.parametrize("direction", [1, -1])
def test_the_stretched_strand_of_a_chain_pulls(direction):
    """ODE takes the other strand, which then pushes, when the second wheel is on the far side along x."""
    for side in (1, -1):
        world, wheels, axes, joint = geared("chain", centres=((0, 0, 0), (2.0 * side, 0, 0)))
        wheels[0].angular_velocity = direction * 1.0 * axes[0]
        axle(wheels[1]).motor(0.0, 0.5)  # a brake
        for _ in range(20):
            world.step(H)
        force = joint.feedback.force1
        assert force @ (joint.contact2 - joint.contact1) > 0.1
        for wheel, radius, contact in zip(wheels, (0.5, 0.3), (joint.contact1, joint.contact2), strict=True):
            assert np.linalg.norm(contact - wheel.position) == pytest.approx(radius, abs=1e-6)
            assert (contact - wheel.position) @ (joint.contact2 - joint.contact1) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("finite", [False, True])
def test_phases_follow_wheels_that_turn_more_than_half_round_in_a_step(finite):
    """ODE expects the wheels to turn the other way, and takes a phase that is whole turns off."""
    world, wheels, axes, joint = geared("parallel", ratio=1.0)
    world.integrator = "euler"  # which turns by half of the tangent, unless rotations are finite
    speed = 600.0  # so fast that w h and 2 atan(w h / 2) differ by more than half a turn
    for wheel, axis, sense in zip(wheels, axes, (1, -1), strict=True):
        wheel.finite_rotation_mode = finite
        wheel.angular_velocity = sense * speed * axis
    for _ in range(21):
        world.step(H)
    turn = speed * H if finite else 2 * np.arctan(speed * H / 2)
    assert joint.angle1 == pytest.approx(-20 * turn, rel=1e-6)
    assert joint.angle2 == pytest.approx(20 * turn, rel=1e-6)


@pytest.mark.parametrize("name", ["parallel", "chain"])
def test_phases_count_turns_once_where_rows_are_filled_for_velocities_alone(name):
    """With "verlet" they are, and a wheel that was expected to turn for ever gained whole turns."""
    world, wheels, _, joint = geared(name, axis=Z)
    world.integrator = "verlet"
    axle(wheels[0]).motor(20.0, 1e4)
    turned = 0.0
    for _ in range(300):
        world.advance(H)
        turned += H * axle(wheels[0]).angle_rate
    assert abs(turned) > 9 * 2 * np.pi
    assert abs(joint.angle1) == pytest.approx(abs(turned), abs=20.0 * H)
    assert abs(joint.angle2) == pytest.approx(abs(joint.angle1) * joint.ratio, rel=1e-6)


@pytest.mark.parametrize("like_ode", [False, True])
def test_wheels_that_are_apart_along_their_axes_turn_as_evenly_as_others(like_ode):
    """ODE takes the angle to a direction that is not at right angles to the axis, and the ratio is off by 4.5 %."""
    worst = 0.0
    world = od.World(gravity=(0, 0, 0))
    world.solver, world.integrator = "exact", "euler"
    wheels = [
        world.add_body(mass=od.Mass(1.0, np.diag((0.1, 0.1, 0.125))), position=p) for p in ((0, 0, 0), (2, 0, 0.3))
    ]
    for wheel in wheels:
        world.add_hinge(wheel, None, anchor=wheel.position, axis=Z)
    joint = world.add_transmission(*wheels, axis=Z, ratio=2.0, like_ode=like_ode)
    assert joint.like_ode is like_ode
    for _ in range(400):
        wheels[0].add_torque((0, 0, 1))
        world.step(0.005)
        one, two = spins(wheels, (Z, Z))
        worst = max(worst, abs(two / one / -2.0 - 1.0))
    assert worst == pytest.approx(0.0453, abs=1e-4) if like_ode else worst < 1e-4
    assert joint.radius1 + joint.radius2 == pytest.approx(np.hypot(2.0, 0.3) if like_ode else 2.0, rel=1e-6)


@pytest.mark.parametrize(
    ("integrator", "finite"),
    [("energy-momentum", False), ("energy-momentum", True), ("verlet", False), ("euler", True)],
)
@pytest.mark.parametrize("speed", [300.0, 600.0, -900.0])
def test_wheels_that_turn_by_radians_in_a_step_keep_their_ratio(integrator, finite, speed):
    """Only Euler's infinitesimal rotation turns a wheel by less than w h: by 2 atan(w h / 2)."""
    world, wheels, axes, _ = geared("parallel", ratio=0.5)
    world.integrator = integrator
    for wheel, spin in zip(wheels, (speed, -0.5 * speed), strict=True):
        wheel.finite_rotation_mode = finite
        wheel.angular_velocity = (0, 0, spin)
    for _ in range(50):
        world.step(0.01)
        assert spins(wheels, axes) == pytest.approx([speed, -0.5 * speed], rel=1e-6)


def test_a_chain_round_a_wheel_inside_another_keeps_the_ratio():
    """There is no common tangent: the chain leaves both wheels where the smaller one is nearest to the rim."""
    world, wheels, axes, _ = geared("chain", centres=((0, 0, 0), (0.3, 0, 0)), radius1=2.0, radius2=0.5)
    axle(wheels[0]).motor(1.0, 100.0)
    for _ in range(20):
        world.step(H)
    one, two = spins(wheels, axes)
    assert abs(one) == pytest.approx(1.0, rel=1e-3) and two == pytest.approx(4.0 * one, rel=1e-6)
    assert not world.faults


def test_transmissions_of_worlds_like_ode_are():
    for like in ("opendynamics", "ode"):
        world = od.World(like=like)
        joint = world.add_transmission(world.add_body(), world.add_body(position=(1, 0, 0)))
        assert joint.like_ode is (like == "ode")


def test_wheels_on_one_axle_do_not_mesh():
    world, wheels, axes, _ = geared("parallel", centres=((0, 0, 0), (0, 0, 1)))
    wheels[0].angular_velocity = axes[0]
    for _ in range(5):
        world.step(H)
    assert spins(wheels, axes) == pytest.approx((1, 0), abs=1e-9)


def test_a_step_that_is_done_again_changes_no_phase():
    """Rows that do not fit make the step start again with more room: here or in a world that had it, all is the same."""
    states = []
    for early in (True, False):
        world, wheels, axes, joint = geared("parallel", backlash=0.01)
        for wheel, axis in zip(wheels, axes, strict=True):
            wheel.finite_rotation_mode = True
            wheel.angular_velocity = 400.0 * axis
        for step in range(6):
            if step == (0 if early else 3):
                for k in range(100):
                    world.add_fixed(world.add_body(position=(0, 0, 50 + k)), None)
            world.step(H)
        states.append(np.concatenate([*(w.quaternion for w in wheels), (joint.angle1, joint.angle2)]))
    np.testing.assert_array_equal(states[0], states[1])


def test_axis1_turns_round_if_it_points_against_axis2():
    world, _, _, joint = geared("bevel turned round")
    np.testing.assert_allclose(joint.axis1, -Z)
    world.step(H)
    np.testing.assert_allclose(joint.axis1, Z)
    np.testing.assert_allclose(joint.axis2, BEVEL, atol=1e-12)


# -- bad input ---------------------------------------------------------------------------------------------------------


def test_distances_that_are_no_distances():
    world = od.World()
    rod = world.add_dball(world.add_body(), world.add_body(position=(1, 0, 0)), name="rod")
    for wrong in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="distance of rod must be"):
            rod.distance = wrong
    assert rod.distance == 1.0
    with pytest.raises(ValueError, match="joins nothing; attach it"):
        world.add_dball().distance = 1.0
    with pytest.raises(ValueError, match="a dball joint that joins nothing"):
        world.add_dball(anchor1=(1, 2, 3))
    with pytest.raises(AttributeError):
        world.add_dhinge(*world.bodies).distance = 2.0


def test_numbers_of_a_transmission_out_of_range():
    for name, key, wrong in (
        ("parallel", "ratio", 0.0),
        ("parallel", "ratio", -1.0),
        ("parallel", "ratio", np.inf),
        ("chain", "radius1", 0.0),
        ("chain", "radius2", -2.0),
        ("chain", "backlash", -0.1),
        ("bevel", "backlash", np.nan),
    ):
        _, _, _, joint = geared(name, name="gear")
        kept = joint._record.copy()
        with pytest.raises(ValueError, match=f"{key[:-1]}.* of gear must be"):
            setattr(joint, key, wrong)
        assert joint._record == kept
        with pytest.raises(ValueError, match="of a transmission joint must be"):
            geared(name, **{key: wrong})


def test_what_a_mode_has_no_use_for():
    _, _, _, spur = geared("parallel", name="spur")
    _, _, _, bevel = geared("bevel", name="bevel")
    _, _, _, chain = geared("chain", name="chain")
    for joint, key, value, message in (
        (spur, "radius1", 1.0, "spur has radii to set in chain mode only, not in parallel mode"),
        (chain, "ratio", 1.0, "chain has a ratio to set in parallel mode only, not in chain mode"),
        (bevel, "ratio", 1.0, "parallel mode only, not in intersecting mode"),
        (bevel, "axis", Z, "intersecting mode has no common axis; set axis1 and axis2"),
        (spur, "axis1", Z, "intersecting mode only, not in parallel mode; set `axis` for both wheels"),
        (bevel, "axis2", Z, "must not be parallel"),
        (spur, "mode", "belt", "must be one of 'parallel', 'intersecting', 'chain', not 'belt'"),
    ):
        kept = joint._record.copy()
        with pytest.raises(ValueError, match=message):
            setattr(joint, key, value)
        assert joint._record == kept
    world = od.World()
    bodies = world.add_body(name="wheel"), world.add_body()
    with pytest.raises(ValueError, match="chain mode needs radius1 and radius2"):
        world.add_transmission(*bodies, mode="chain", axis=Z)
    with pytest.raises(ValueError, match="parallel mode takes axis, ratio, not axis1"):
        world.add_transmission(*bodies, axis1=Z)
    with pytest.raises(ValueError, match="joins two bodies, not wheel and the static world"):
        world.add_transmission(bodies[0], None)
    with pytest.raises(ValueError, match="joins nothing"):
        world.add_transmission().anchor1 = (1, 2, 3)
    with pytest.raises(ValueError, match="must not be parallel"):
        world.add_transmission(*bodies, mode="intersecting", axis1=Z, axis2=-Z)
    assert not world.joints or len(world.joints) == 1


def test_wheels_that_cannot_touch_do_nothing():
    """Centres in one place, or a chain without radii: no direction to push in, and no NaN."""
    world = od.World()
    a, b = world.add_body(), world.add_body()
    a.angular_velocity = (1, 0, 0)
    joint = world.add_transmission(a, b)
    world.step(H)
    joint.mode = "chain"
    world.step(H)
    np.testing.assert_allclose(a.angular_velocity, (1, 0, 0))
    np.testing.assert_allclose(b.angular_velocity, 0)


def test_another_ratio_counts_from_where_the_wheels_are():
    """ODE keeps the radii that the phases are multiplied with, and pulls the wheels out of the new ratio."""
    world, wheels, axes, joint = geared("parallel")
    axle(wheels[0]).motor(1.5, 3.0)
    for ratio in (1.7, 0.6):
        joint.ratio = ratio
        for _ in range(60):
            world.step(H)
        one, two = spins(wheels, axes)
        assert one == pytest.approx(1.5, rel=1e-3)
        assert two == pytest.approx(-one * ratio, rel=1e-4)
