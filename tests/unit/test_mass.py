"""Masses: ODE's own check values, and translation, rotation and sums compared with clouds of particles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opendynamics as od


def test_numbers_of_odes_own_demo():
    sphere = od.Mass.sphere(0.86, density=1.4)
    assert sphere.mass == pytest.approx(3.73002719949386, rel=1e-13)
    assert sphere.inertia == pytest.approx(np.eye(3) * 1.10349124669826, rel=1e-13)
    capsule = od.Mass.capsule(0.76, 1.53, axis="x", density=1.3)
    assert capsule.mass == pytest.approx(5.99961928996029, rel=1e-13)
    assert np.diag(capsule.inertia) == pytest.approx([1.59461986077384, 4.21878433864904, 4.21878433864904], rel=1e-13)
    box = od.Mass.box((3, 4, 5), density=0.27)
    assert box.mass == pytest.approx(16.2, rel=1e-14)
    assert np.diag(box.inertia) == pytest.approx([55.35, 45.9, 33.75], rel=1e-14)
    with pytest.raises(ValueError, match="positive definite"):
        od.Mass(10, [[1, 4, 5], [4, 2, 6], [5, 6, 3]]).require_valid("the mass")


def test_cylinder():
    # m = π r² l ρ; I = m (r²/4 + l²/12) across, m r²/2 along.
    m = od.Mass.cylinder(0.5, 2.0, density=3.0)
    mass = math.pi * 0.25 * 2 * 3
    assert m.mass == pytest.approx(mass, rel=1e-14)
    across = mass * (0.25 / 4 + 4 / 12)
    assert np.diag(m.inertia) == pytest.approx([across, across, mass * 0.125], rel=1e-14)


@pytest.mark.parametrize(("axis", "along"), [("x", 0), ("y", 1), ("z", 2), (1, 0), (2, 1), (3, 2)])
def test_axes(axis, along):
    for m in (od.Mass.capsule(0.1, 2, axis=axis, mass=1), od.Mass.cylinder(0.1, 2, axis=axis, mass=1)):
        moments = np.diag(m.inertia)
        assert np.argmin(moments) == along
        assert np.count_nonzero(m.inertia - np.diag(moments)) == 0


def test_total_mass_and_density_agree():
    for by_density in (
        od.Mass.sphere(0.3, density=7),
        od.Mass.box((1, 2, 3), density=7),
        od.Mass.capsule(0.3, 2, density=7),
        od.Mass.cylinder(0.3, 2, density=7),
    ):
        assert by_density.check()
    a, b = od.Mass.box((1, 2, 3), density=7), od.Mass.box((1, 2, 3), mass=42)
    assert a.mass == pytest.approx(b.mass, rel=1e-14)
    assert a.inertia == pytest.approx(b.inertia, rel=1e-14)


def test_a_capsule_without_length_is_a_sphere():
    assert od.Mass.capsule(0.7, 0, density=2).inertia == pytest.approx(
        od.Mass.sphere(0.7, density=2).inertia, rel=1e-14
    )


def test_either_density_or_mass():
    for arguments in ({}, {"density": 1, "mass": 1}):
        with pytest.raises(ValueError, match="density or the mass"):
            od.Mass.sphere(1, **arguments)


@pytest.mark.parametrize("shape", [od.Sphere(1e200), od.Capsule(1e200, 1e200), od.RoundedBox((9e199,) * 3, 1e199)])
def test_masses_too_large_for_a_float_are_refused(shape):
    world = od.World()
    for call in (
        lambda: world.add_body(shape),
        lambda: world.add_body(shape, mass=1),
        lambda: world.add_bodies(shape, [(0, 0, 0)]),
        lambda: od.Mass.sphere(1e200, density=1),
        lambda: od.Mass.capsule(1e200, 1, mass=1),
    ):
        with pytest.raises(ValueError, match="finite"):
            call()
    assert world.bodies == ()


numbers = st.floats(-2, 2)
vectors = st.tuples(numbers, numbers, numbers)
clouds = st.lists(st.tuples(st.floats(0.1, 2), vectors), min_size=4, max_size=8)


def of_particles(cloud):
    """Mass, centre and inertia about the origin of point masses, by their definitions."""
    masses, points = np.array([m for m, _ in cloud]), np.array([p for _, p in cloud])
    inertia = sum(m * ((p @ p) * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    return od.Mass(masses.sum(), inertia, masses @ points / masses.sum())


def assert_same(a, b):
    assert a.mass == pytest.approx(b.mass, rel=1e-12)
    assert a.center == pytest.approx(b.center, rel=1e-9, abs=1e-11)
    assert a.inertia == pytest.approx(b.inertia, rel=1e-9, abs=1e-10)


@settings(max_examples=30)
@given(clouds, vectors)
def test_translation_moves_every_particle(cloud, offset):
    moved = [(m, np.add(p, offset)) for m, p in cloud]
    assert_same(of_particles(cloud).translate(offset), of_particles(moved))


@settings(max_examples=30)
@given(clouds, vectors, st.floats(-4, 4))
def test_rotation_turns_every_particle(cloud, axis, angle):
    r = od.rotation.from_axis_angle(axis, angle)
    turned = [(m, r @ p) for m, p in cloud]
    assert_same(of_particles(cloud).rotate(r), of_particles(turned))


@settings(max_examples=30)
@given(clouds, clouds)
def test_sum_is_of_all_particles(one, two):
    assert_same(of_particles(one) + of_particles(two), of_particles(one + two))


@settings(max_examples=30)
@given(clouds, st.floats(0.1, 10))
def test_adjust_scales_every_particle(cloud, mass):
    m = of_particles(cloud)
    scaled = [(k * mass / m.mass, p) for k, p in cloud]
    assert_same(m.copy().adjust(mass), of_particles(scaled))


def solid_tetrahedron(corners, density):
    """Mass, centre and inertia about the origin: the integral of x xᵀ is V/20 (Σ c cᵀ + s sᵀ) with the corners' sum s."""
    volume = abs(np.linalg.det(corners[1:] - corners[0])) / 6
    total = corners.sum(axis=0)
    second = volume / 20 * (corners.T @ corners + np.outer(total, total))
    inertia = density * (np.trace(second) * np.eye(3) - second)
    return od.Mass(density * volume, inertia, total / 4)


@settings(max_examples=30)
@given(vectors, st.floats(-4, 4), vectors)
def test_a_mesh_has_its_mass_where_it_is_placed(axis, angle, position):
    corners = np.array([(0.1, -0.2, 0.3), (1.3, 0.1, 0.2), (0.2, 0.9, -0.1), (-0.3, 0.2, 1.7)])
    data = od.MeshData(corners, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    rotation = od.rotation.from_axis_angle(axis, angle)
    placed = od.Trimesh(data, position=position, quaternion=od.rotation.quaternion_from_axis_angle(axis, angle))
    assert_same(od.Mass.trimesh(data, density=3.0), solid_tetrahedron(corners, 3.0))
    expected = solid_tetrahedron(corners @ rotation.T + position, 3.0)
    assert_same(od.Mass.trimesh(placed, density=3.0), expected)
    assert_same(od.Mass.trimesh(placed, mass=7.0), expected.copy().adjust(7.0))


def test_changes_return_the_mass_itself_and_sums_a_new_one():
    m = od.Mass.sphere(1, mass=1)
    assert m.translate((1, 0, 0)) is m
    assert m.rotate(np.eye(3)) is m
    assert m.adjust(2) is m
    assert m.add(od.Mass()) is m
    other = m + m
    assert (m.mass, other.mass) == (2, 4)
    copy = m.copy()
    assert copy == m
    copy.translate((1, 0, 0))
    assert copy != m
    with pytest.raises(TypeError, match="Mass"):
        m + 1


def test_principal_moments_stand_for_a_tensor():
    assert (od.Mass(1, (1, 2, 3)).inertia == np.diag([1, 2, 3])).all()


def test_check_tells_what_a_body_can_have():
    assert od.Mass(1, (1, 1, 1)).check()
    assert not od.Mass().check()
    assert not od.Mass(1).check()
    # Positive about the origin, but not about the centre: 1 kg at 2 m adds up to 4 of the 3 kg m² there.
    assert not od.Mass(1, (3, 3, 3), (2, 0, 0)).check()
    for name, value in (("mass", float("inf")), ("mass", "heavy"), ("center", (np.nan, 0, 0)), ("inertia", np.eye(2))):
        m = od.Mass(1, (1, 1, 1))
        setattr(m, name, value)
        assert not m.check(), name


def test_repr_says_it_all():
    m = od.Mass(2, (1, 2, 3), (0, 0, 1))
    assert eval(repr(m), {"Mass": od.Mass}) == m


def test_a_displaced_shape_keeps_its_moments_to_the_last_bit():
    """The body's origin goes to the centre, about which the moments are the shape's own; nothing is shifted there and back."""
    world = od.World()
    for place in ((0.1, -7.0, 30.0), (1e-3, 2.0, 0.0)):
        here = world.add_body(od.Capsule(0.3, 1.1), mass=2.7)
        there = world.add_body(od.Capsule(0.3, 1.1, position=place), mass=2.7, quaternion=(0.4, 0.1, -0.7, 0.2))
        (both,) = world.add_bodies([od.Capsule(0.3, 1.1, position=place)], [(0, 0, 0)], mass=2.7)
        assert here.inertia.tolist() == there.inertia.tolist() == both.inertia.tolist()
        assert there.position == pytest.approx(there.vector_to_world(place))
        assert there.geoms[0].position == pytest.approx(there.position, abs=1e-14)


TURN = od.rotation.from_axis_angle((1, 2, 3), 0.7)


@pytest.mark.parametrize("inertia", [np.diag([1, 1, 2.1]), TURN @ np.diag([1, 3, 1]) @ TURN.T])
def test_moments_of_no_body_give_a_warning(inertia):
    """Each moment is the integral of two of x², y² and z², so that none exceeds the sum of the others."""
    body = od.World().add_body(name="top")
    with pytest.warns(od.SetupWarning, match=r"^the inertia has the principal moments 1, 1, (2.1|3) kg m²"):
        od.Mass(1, inertia)
    with pytest.warns(od.SetupWarning, match=r"^the inertia of top has") as caught:
        body.inertia = inertia
    assert caught[0].filename == __file__
    assert body.mass_properties.adjust(2).inertia == pytest.approx(2 * inertia)  # reading it warns of nothing


def test_moments_of_flat_and_thin_bodies_give_no_warning():
    od.Mass(1, (1, 1, 2))  # a disc
    od.Mass(1, (0.333, 0.667, 1.0005))  # a sheet, in few digits
    od.Mass(1, (1e-12, 1, 1))  # a rod


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: od.Mass.box((1, 1, 1)), ValueError, "neither was given"),
        (lambda: od.Mass.box((1, 1, 1), density=2, mass=3), ValueError, "not both: 2 and 3"),
        (lambda: od.Mass.trimesh("wheel.obj", mass=1), TypeError, "takes a Trimesh or a MeshData, not 'wheel.obj'"),
    ],
)
def test_messages_show_what_was_given(make, error, message):
    with pytest.raises(error, match=message):
        make()
