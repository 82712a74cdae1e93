"""Bodies: every property and method."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS


@pytest.fixture
def world():
    return od.World(gravity=(0, 0, -10))


@pytest.fixture
def body(world):
    """Somewhere, turned somehow, moving and turning."""
    return world.add_body(
        mass=od.Mass(2, (1, 2, 3)),
        position=(1, 2, 3),
        quaternion=(1, 2, 3, 4),
        linear_velocity=(4, 5, 6),
        angular_velocity=(7, 8, 9),
    )


def test_defaults_are_odes(world):
    body = od.Body(world)
    assert body.mass == 1.0
    assert (body.inertia == np.eye(3)).all()
    assert body.quaternion.tolist() == [1, 0, 0, 0]
    assert (body.rotation == np.eye(3)).all()
    for vector in (body.position, body.linear_velocity, body.angular_velocity, body.force, body.torque):
        assert vector.tolist() == [0, 0, 0]
    assert body.enabled and body.gravity_mode and body.gyroscopic_mode
    assert not (body.kinematic or body.finite_rotation_mode or body.auto_disable or body.faulty)
    assert body.finite_rotation_axis.tolist() == [0, 0, 0]
    assert (body.linear_damping, body.angular_damping) == (0, 0)
    assert (body.linear_damping_threshold, body.angular_damping_threshold) == (0.01, 0.01)
    assert body.max_angular_speed == math.inf
    assert (body.auto_disable_linear_threshold, body.auto_disable_angular_threshold) == (0.01, 0.01)
    assert (body.auto_disable_steps, body.auto_disable_time, body.auto_disable_samples) == (10, 0.0, 1)
    assert body.moved_callback is None
    assert body.data is None
    assert body.joints == body.geoms == ()
    assert body.world is world
    assert body.alive


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("position", [1.5, -2, 3]),
        ("linear_velocity", [1.5, -2, 3]),
        ("angular_velocity", [1.5, -2, 3]),
        ("force", [1.5, -2, 3]),
        ("torque", [1.5, -2, 3]),
        ("quaternion", [0.5, 0.5, -0.5, 0.5]),
        ("rotation", [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ("inertia", [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]]),
        ("finite_rotation_axis", [0, 1, 0]),
        ("mass", 3.5),
        ("linear_damping", 0.25),
        ("angular_damping", 1.0),
        ("linear_damping_threshold", 0.5),
        ("angular_damping_threshold", 0.0),
        ("max_angular_speed", 9.0),
        ("auto_disable_linear_threshold", 0.5),
        ("auto_disable_angular_threshold", math.inf),
        ("auto_disable_steps", 0),
        ("auto_disable_time", 2.5),
        ("auto_disable_samples", 7),
        ("auto_disable", True),
        ("enabled", False),
        ("gravity_mode", False),
        ("gyroscopic_mode", False),
        ("finite_rotation_mode", True),
        ("kinematic", True),
        ("data", {"any": "thing"}),
        ("name", "Bob"),
    ],
)
def test_what_is_set_is_what_is_read(body, name, value):
    neighbour = body.world.add_body()
    before = getattr(neighbour, name)
    setattr(body, name, value)
    assert np.array_equal(getattr(body, name), value)
    if name != "name":
        assert np.array_equal(getattr(neighbour, name), before)


def test_arrays_that_are_read_are_copies_that_stay(body):
    for name in (
        "position",
        "quaternion",
        "rotation",
        "linear_velocity",
        "angular_velocity",
        "force",
        "torque",
        "inertia",
    ):
        array = getattr(body, name)
        before = array.copy()
        setattr(body, name, {"rotation": array[[1, 2, 0]], "inertia": 2.0 * array}.get(name, np.roll(array, 1) + 1.0))
        assert (array == before).all()
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 99


def test_quaternion_and_rotation_are_one_orientation(body):
    assert np.linalg.norm(body.quaternion) == pytest.approx(1, abs=1e-15)
    assert body.rotation == pytest.approx(od.rotation.matrix_from_quaternion(body.quaternion), abs=1e-15)
    body.rotation = od.rotation.from_axis_angle((1, 2, 3), 0.5)
    assert body.quaternion == pytest.approx(od.rotation.quaternion_from_axis_angle((1, 2, 3), 0.5), abs=1e-15)
    # A matrix that is off by rounding becomes a rotation again.
    body.rotation = body.rotation + 1e-6
    assert body.rotation @ body.rotation.T == pytest.approx(np.eye(3), abs=1e-15)
    assert np.linalg.norm(body.quaternion) == pytest.approx(1, abs=1e-15)


def test_mass_scales_the_inertia(body):
    body.mass = 6
    assert (body.inertia == np.diag([3, 6, 9])).all()
    body.mass_properties = od.Mass.sphere(1, mass=5)
    assert body.mass == 5
    assert body.mass_properties == od.Mass.sphere(1, mass=5)
    body.mass_properties.translate((1, 0, 0))  # a copy
    assert body.mass_properties == od.Mass.sphere(1, mass=5)


def test_points_and_vectors(body):
    r, x, v, w = body.rotation, body.position, body.linear_velocity, body.angular_velocity
    p = np.array([0.3, -0.7, 1.1])
    assert body.vector_to_world(p) == pytest.approx(r @ p)
    assert body.vector_from_world(p) == pytest.approx(r.T @ p)
    assert body.point_to_world(p) == pytest.approx(x + r @ p)
    assert body.point_from_world(p) == pytest.approx(r.T @ (p - x))
    assert body.velocity_at(p) == pytest.approx(v + np.cross(w, p - x))
    assert body.velocity_at(p, local=True) == pytest.approx(v + np.cross(w, r @ p))
    assert body.velocity_at(x) == pytest.approx(v)


def test_points_and_vectors_are_summed_in_one_order(world):
    """Whatever multiplies NumPy's matrices: each term is rounded, and the first two are added first."""
    random = np.random.default_rng(5)
    for place, turn, point in zip(
        random.normal(size=(20, 3)), random.normal(size=(20, 4)), random.normal(size=(20, 3)), strict=True
    ):
        body = world.add_body(mass=1.0, position=place, quaternion=turn)
        r, (x, y, z) = body.rotation.tolist(), point.tolist()
        outside = [row[0] * x + row[1] * y + row[2] * z for row in r]
        assert body.vector_to_world(point).tolist() == outside
        assert body.point_to_world(point).tolist() == [a + b for a, b in zip(place.tolist(), outside, strict=True)]
        assert body.vector_from_world(point).tolist() == [r[0][k] * x + r[1][k] * y + r[2][k] * z for k in range(3)]
        ball, d = world.add_ball(body, None, anchor=point), (point - place).tolist()
        local = ball._values["anchor0"].tolist()
        assert local == [r[0][k] * d[0] + r[1][k] * d[1] + r[2][k] * d[2] for k in range(3)]


def test_forces_add_up(body):
    r, x = body.rotation, body.position
    f, p = np.array([1.0, -2, 3]), np.array([0.5, 0.25, -1])
    calls = [
        ({}, f, 0 * f),
        ({"local": True}, r @ f, 0 * f),
        ({"at": p}, f, np.cross(p - x, f)),
        ({"at_local": p}, f, np.cross(r @ p, f)),
        ({"at": p, "local": True}, r @ f, np.cross(p - x, r @ f)),
        ({"at_local": p, "local": True}, r @ f, np.cross(r @ p, r @ f)),
    ]
    force, torque = np.zeros(3), np.zeros(3)
    for options, df, dt in calls:
        body.add_force(f, **options)
        force, torque = force + df, torque + dt
        assert body.force == pytest.approx(force)
        assert body.torque == pytest.approx(torque)
    body.add_torque(f)
    body.add_torque(f, local=True)
    assert body.torque == pytest.approx(torque + f + r @ f)
    with pytest.raises(ValueError, match="one point"):
        body.add_force(f, at=p, at_local=p)


def test_loads_are_for_one_step(world):
    body = world.add_body()
    body.force, body.torque = (1, 0, 0), (0, 1, 0)
    world.step(0.5)
    assert body.force.tolist() == body.torque.tolist() == [0, 0, 0]
    assert body.linear_velocity.tolist() == [0.5, 0, -5]
    assert body.angular_velocity.tolist() == [0, 0.5, 0]


@pytest.mark.parametrize("add", ["add_force", "add_torque"])
def test_forces_of_any_numbers_add_up_or_are_refused(add):
    body = od.World().add_body(mass=1)
    read = {"add_force": "force", "add_torque": "torque"}[add]
    total = np.zeros(3)
    for x in (0, 1, -2.5, True, 2**60 + 1, 1e308, np.float32(0.1), np.int64(3), Fraction(1, 3)):
        for vector in ((x, 0, 1.5), [0.5, x, 0], np.array([0.0, 0.25, float(x)])):
            getattr(body, add)(vector)
            total += [float(number) for number in vector]
        assert getattr(body, read).tolist() == total.tolist()
    for x in (10**400, np.inf, np.nan, np.float64(-np.inf), None, "1", 1j, [1]):
        for vector in ((1, 2, x), [x, -(10**400), 1.0]):
            with pytest.raises((ValueError, TypeError), match=f"the {read} on body 1 must be"):
                getattr(body, add)(vector)
    for vector in ({1, 2, 3}, {1: 1, 2: 2, 3: 3}, "123", b"123", (1, 2), (1, 2, 3, 4), 5, None):
        with pytest.raises((ValueError, TypeError), match=f"the {read} on body 1 must be"):
            getattr(body, add)(vector)
    assert getattr(body, read).tolist() == total.tolist()


def test_a_refused_force_leaves_nothing_behind(body):
    for call in (
        lambda: body.add_force((1, 2)),
        lambda: body.add_force((1, 2, math.nan)),
        lambda: body.add_force((1, 2, 3), at=(1, 2)),
        lambda: body.add_force((1, 2, 3), at_local="here"),
        lambda: body.add_torque(5),
        lambda: body.add_torque((1, 2, math.inf), local=True),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()
        assert not body.force.any() and not body.torque.any()


def test_kinetic_energy(body):
    # ½ 2 (16 + 25 + 36) + ½ Σ I_i w_i² in the body's frame.
    w = body.vector_from_world(body.angular_velocity)
    assert body.kinetic_energy == pytest.approx(77 + 0.5 * (w[0] ** 2 + 2 * w[1] ** 2 + 3 * w[2] ** 2))


def test_joints_and_geoms_are_listed_newest_first(world, body):
    other = world.add_body()
    joints = [world.add_ball(body, None), world.add_hinge(other, body), world.add_contact(od.Contact(), body1=body)]
    geoms = [od.Sphere(1, body=body), od.Box((1, 1, 1), body=body)]
    assert body.joints == tuple(reversed(joints))
    assert body.geoms == tuple(reversed(geoms))
    joints[1].attach(other, None)
    geoms[0].body = None
    assert body.joints == (joints[2], joints[0])
    assert body.geoms == (geoms[1],)
    joints[1].attach(body, other)  # again, now the newest
    assert body.joints[0] is joints[1]


def test_connections(world, body):
    other, third = world.add_body(), world.add_body()
    hinge, ball = world.add_hinge(body, other), world.add_ball(other, body)
    contact = world.add_contact(od.Contact(), body1=body, body2=third)
    assert body.is_connected_to(other) and other.is_connected_to(body)
    assert body.is_connected_to(third)
    assert not body.is_connected_to(third, excluding=od.ContactJoint)
    assert body.is_connected_to(other, excluding=(od.Hinge, od.ContactJoint))
    assert not body.is_connected_to(other, excluding=(od.Hinge, od.Ball))
    assert not other.is_connected_to(third)
    assert not body.is_connected_to(body)
    assert set(body.connecting_joints(other)) == {hinge, ball}
    assert body.connecting_joints(third) == [contact]
    assert body.connecting_joints(body) == []
    with pytest.raises(TypeError, match="bodies"):
        body.is_connected_to("other")


def test_destroying_a_body_frees_its_joints_and_geoms(world, body):
    other = world.add_body()
    joint, geom = world.add_hinge(body, other), od.Sphere(1, body=body, space=world.space)
    at = geom.position
    body.destroy(keep_geoms=True)
    assert body not in world.bodies
    assert joint.alive and joint.bodies == (None, None)
    assert other.joints == ()
    assert geom.alive and geom.body is None
    assert (geom.position == at).all()
    world.advance(0.01)


def test_moved_callback(world):
    moved = []
    a, b, resting = (world.add_body(name=name) for name in ("a", "b", "resting"))
    for body in (a, b, resting):
        body.moved_callback = moved.append
    resting.enabled = False
    world.step(0.01)
    assert set(moved) == {a, b}
    moved.clear()
    world.advance(0.01, steps=3)
    assert len(moved) == 6
    a.moved_callback = None
    moved.clear()
    world.step(0.01)
    assert moved == [b]


def test_callbacks_may_change_the_world(world):
    # Members they add take part from the next step on; members they destroy are no longer called.
    bodies = [world.add_body(name=str(k)) for k in range(3)]
    made, called = [], []

    def moved(body):
        called.append(body.name)
        for other in bodies:
            if other is not body and other.alive:
                other.destroy()
        made.append(world.add_body(od.Sphere(0.1), position=(9.0 * len(made), 0, 0)))

    for body in bodies:
        body.moved_callback = moved
    world.advance(0.1, steps=3)
    assert len(called) == 3 and len(set(called)) == 1
    assert [body.alive for body in bodies].count(True) == 1
    # The n-th of the new bodies has fallen for 2 - n steps: v = -g h.
    assert [body.linear_velocity[2] for body in made] == pytest.approx([-2, -1, 0])


def test_settings_are_copied_from_the_world_when_asked(world, body):
    world.auto_disable, world.auto_disable_steps, world.auto_disable_samples = True, 3, 4
    world.auto_disable_time, world.auto_disable_linear_threshold = 0.5, 0.25
    world.set_damping(0.1, 0.2)
    assert (body.auto_disable, body.auto_disable_steps, body.linear_damping) == (False, 10, 0)
    body.set_auto_disable_defaults()
    assert (body.auto_disable, body.auto_disable_steps, body.auto_disable_samples) == (True, 3, 4)
    assert (body.auto_disable_time, body.auto_disable_linear_threshold) == (0.5, 0.25)
    assert body.linear_damping == 0
    body.set_damping_defaults()
    assert (body.linear_damping, body.angular_damping) == (0.1, 0.2)


def test_names_are_for_messages(world):
    body = world.add_body()
    assert "body" in body.name
    body.name = "crate"
    assert "crate" in repr(body)
    body.name = None
    assert "body" in body.name


# -- bodies made of shapes ---------------------------------------------------------------------------------------------


def test_a_body_of_one_shape(world):
    body = world.add_body(od.Box((1, 2, 3)), position=(1, 1, 1), density=500)
    assert body.mass == pytest.approx(3000)
    assert body.inertia == pytest.approx(od.Mass.box((1, 2, 3), mass=3000).inertia)
    assert world.add_body(od.Sphere(1)).mass == pytest.approx(4000 / 3 * math.pi)
    assert world.add_body(od.Sphere(1), mass=2).inertia == pytest.approx(np.eye(3) * 0.8)
    assert world.add_body(mass=2).inertia == pytest.approx(np.eye(3) * 2)


def test_shapes_stay_where_they_are_told_to_be(world):
    # A hammer: a light shaft along x and a heavy head at its end, given in a frame that is turned and shifted.
    turn = od.rotation.from_axis_angle((1, 1, 0), 0.8)
    shaft = od.Capsule(0.1, 1, quaternion=od.rotation.quaternion_from_axis_angle((0, 1, 0), math.pi / 2))
    head = od.Box((0.2, 0.4, 0.2), position=(0.6, 0, 0))
    hammer = world.add_body(shaft, head, position=(5, 6, 7), rotation=turn, density=100)
    origin = np.array([5, 6, 7])
    assert shaft.position == pytest.approx(origin, abs=1e-12)
    assert head.position == pytest.approx(origin + turn @ [0.6, 0, 0], abs=1e-12)
    assert head.rotation == pytest.approx(turn, abs=1e-12)
    assert shaft.rotation @ [0, 0, 1] == pytest.approx(turn @ [1, 0, 0], abs=1e-12)
    # Its centre is that of the masses, and its inertia is about it.
    parts = [
        od.Mass.capsule(0.1, 1, axis="x", density=100),
        od.Mass.box((0.2, 0.4, 0.2), density=100).translate((0.6, 0, 0)),
    ]
    total = parts[0] + parts[1]
    assert hammer.mass == pytest.approx(total.mass)
    assert hammer.position == pytest.approx(origin + turn @ total.center, abs=1e-12)
    assert hammer.inertia == pytest.approx(total.translate(-total.center).inertia, abs=1e-12)
    assert hammer.geoms == (head, shaft)
    assert set(world.space) == {head, shaft}


def test_a_given_mass_has_its_centre_where_it_says(world):
    body = world.add_body(od.Sphere(1), position=(1, 0, 0), mass=od.Mass(3, (3, 3, 3), (0, 0.5, 0)))
    assert body.position.tolist() == [1, 0.5, 0]
    assert body.geoms[0].position.tolist() == [1, 0, 0]
    assert body.inertia == pytest.approx(np.diag([3 - 0.75, 3, 3 - 0.75]))


SHAPES = [
    lambda: od.Sphere(0.3),
    lambda: od.Box((0.1, 0.2, 0.3)),
    lambda: od.Capsule(0.1, 0.7),
    lambda: od.Cylinder(0.2, 0.3),
]


@pytest.mark.parametrize("make", SHAPES)
@pytest.mark.parametrize("given", [{}, {"density": 123.4}, {"mass": 5.6}])
def test_the_mass_of_one_shape_is_that_of_shapes_added_up(make, given):
    """To the last bit, whether computed by the shape's formula alone or as a part of a compound."""
    world = od.World()
    shape = make()
    alone = world.add_body(shape, **given)
    volume, inertia, _ = shape._solid()
    density = given.get("density", 1000.0)
    expected = od.Mass() + od.Mass(density * volume, density * inertia)
    if "mass" in given:
        expected.adjust(given["mass"])
    assert alone.mass_properties == expected
    with pytest.raises(ValueError, match=r"inverse overflows|positive definite"):
        world.add_body(od.Sphere(1e-80))


@pytest.mark.parametrize("kilograms", [2, 0.3, 1e-200, 7e5])
def test_a_body_without_shapes_has_its_mass_times_one_square_metre(kilograms):
    world = od.World()
    one, other = world.add_body(mass=kilograms), world.add_body(mass=od.Mass(kilograms, np.eye(3) * kilograms))
    assert one.mass == other.mass
    for table in (INERTIAS, MOTIONS):
        assert world._store[table][one._index].tobytes() == world._store[table][other._index].tobytes()
