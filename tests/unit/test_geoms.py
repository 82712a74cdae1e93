"""Geoms: poses with and without a body, offsets, boxes, bits and materials."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opendynamics as od

SHAPES = {
    "sphere": lambda **k: od.Sphere(0.5, **k),
    "box": lambda **k: od.Box((1, 2, 3), **k),
    "capsule": lambda **k: od.Capsule(0.3, 1.4, **k),
}
numbers = st.floats(-3, 3)
vectors = st.tuples(numbers, numbers, numbers)
quaternions = st.tuples(numbers, numbers, numbers, numbers).filter(lambda q: np.linalg.norm(q) > 1e-2)


def half_extent(geom):
    """Half of the box around a geom at orientation R, from the definition of each shape."""
    r = geom.rotation
    if geom.shape == "sphere":
        return np.full(3, geom.radius)
    if geom.shape == "box":
        return abs(r) @ geom.lengths / 2
    return geom.radius + abs(r[:, 2]) * geom.length / 2


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=30)
@given(position=vectors, quaternion=quaternions)
def test_place_and_box(shape, position, quaternion):
    geom = SHAPES[shape](position=position, quaternion=quaternion)
    assert geom.position.tolist() == list(position)
    assert geom.rotation == pytest.approx(od.rotation.matrix_from_quaternion(quaternion / np.linalg.norm(quaternion)))
    low, high = geom.aabb[0::2], geom.aabb[1::2]
    assert 0.5 * (low + high) == pytest.approx(position, abs=1e-12)
    assert 0.5 * (high - low) == pytest.approx(half_extent(geom), rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=30)
@given(position=vectors, quaternion=quaternions, point=vectors)
def test_frames(shape, position, quaternion, point):
    geom = SHAPES[shape](position=position, quaternion=quaternion)
    r = geom.rotation
    assert geom.point_to_world(point) == pytest.approx(r @ point + position, abs=1e-12)
    assert geom.point_from_world(geom.point_to_world(point)) == pytest.approx(point, abs=1e-12)
    assert geom.vector_to_world(point) == pytest.approx(r @ point, abs=1e-12)
    assert geom.vector_from_world(point) == pytest.approx(r.T @ point, abs=1e-12)


def test_sizes_change():
    sphere, box, capsule, plane = od.Sphere(1), od.Box((1, 1, 1)), od.Capsule(1, 1), od.Plane()
    sphere.radius = 2
    box.lengths = (2, 4, 6)
    capsule.radius, capsule.length = 0.5, 0
    plane.normal, plane.d = (0, 3, 4), 2.0
    assert (sphere.radius, capsule.radius, capsule.length, plane.d) == (2, 0.5, 0, 2)
    assert box.lengths.tolist() == [2, 4, 6]
    assert sphere.aabb.tolist() == [-2, 2, -2, 2, -2, 2]
    assert box.aabb.tolist() == [-1, 1, -2, 2, -3, 3]
    assert capsule.aabb.tolist() == [-0.5, 0.5] * 3
    assert plane.normal == pytest.approx([0, 0.6, 0.8])


@pytest.mark.parametrize(
    ("normal", "d", "unit", "distance"),
    [
        ((0, 0, 2), 6, (0, 0, 1), 3),  # a x + b y + c z = d
        ((0, 0, -0.5), 1, (0, 0, -1), 2),
        ((1e-200, 0, 0), 3e-200, (1, 0, 0), 3),
        ((1e200, 1e200, 0), 0, (math.sqrt(0.5), math.sqrt(0.5), 0), 0),
    ],
)
def test_planes_of_any_normal(normal, d, unit, distance):
    plane = od.Plane(normal, d)
    assert plane.normal == pytest.approx(unit)
    assert plane.d == pytest.approx(distance)
    plane.set_params(*normal, d)
    assert plane.normal == pytest.approx(unit)


def test_boxes_of_planes():
    inf = math.inf
    assert od.Plane((0, 0, 1), 2).aabb.tolist() == [-inf, inf, -inf, inf, -inf, 2]
    assert od.Plane((0, 0, -1), 2).aabb.tolist() == [-inf, inf, -inf, inf, -2, inf]
    assert od.Plane((0, -1, 0), 2).aabb.tolist() == [-inf, inf, -2, inf, -inf, inf]
    assert od.Plane((1, 0, 0), -1).aabb.tolist() == [-inf, -1, -inf, inf, -inf, inf]
    assert od.Plane((0, 0.6, 0.8), 2).aabb.tolist() == [-inf, inf] * 3


def test_planes_have_no_place_and_no_body():
    plane, body = od.Plane(), od.World().add_body()
    for call in (
        lambda: setattr(plane, "position", (0, 0, 0)),
        lambda: setattr(plane, "quaternion", (1, 0, 0, 0)),
        lambda: setattr(plane, "rotation", np.eye(3)),
        lambda: setattr(plane, "body", body),
        lambda: od.Plane(position=(0, 0, 1)),
    ):
        with pytest.raises(ValueError, match="plane"):
            call()


@pytest.mark.parametrize(
    ("geom", "point", "depth"),
    [
        (od.Sphere(1), (0, 0, 0), 1),
        (od.Sphere(1), (0.3, 0.4, 0), 0.5),
        (od.Sphere(1), (0, 0, 1.5), -0.5),
        (od.Box((2, 2, 2)), (0, 0, 0), 1),
        (od.Box((2, 2, 2)), (0.3, 0.4, 0), 0.6),
        (od.Box((2, 2, 2)), (1.3, 1.4, 0), -0.5),
        (od.Box((2, 2, 2)), (1.2, 1.4, 1.4), -0.6),
        (od.Capsule(0.5, 2), (0.2, 0, 0.9), 0.3),
        (od.Capsule(0.5, 2), (0, 0, 2), -0.5),
        (od.Plane((0, 0, 1), 1), (5, 5, 0.25), 0.75),
    ],
)
def test_point_depth(geom, point, depth):
    assert geom.point_depth(point) == pytest.approx(depth, abs=1e-12)
    if geom.placeable:
        geom.position, geom.quaternion = (1, 2, 3), (1, 2, 3, 4)
        assert geom.point_depth(geom.point_to_world(point)) == pytest.approx(depth, abs=1e-12)


# -- on a body ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def body():
    return od.World().add_body(position=(1, 2, 3), quaternion=(1, 2, 3, 4))


def test_a_geom_goes_where_its_body_goes(body):
    geom = od.Box((1, 2, 3), body=body)
    assert (geom.position == body.position).all()
    assert geom.rotation == pytest.approx(body.rotation)
    body.position = (7, 8, 9)
    assert geom.position.tolist() == [7, 8, 9]
    assert geom.aabb[0::2] + geom.aabb[1::2] == pytest.approx([14, 16, 18])
    geom.position = (0, 0, 1)  # moves the body
    assert body.position.tolist() == [0, 0, 1]
    geom.quaternion = (1, 0, 0, 1)
    assert body.quaternion == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])


def test_offsets(body):
    geom, turn = od.Box((1, 2, 3), body=body), od.rotation.from_axis_angle((0, 1, 1), 0.4)
    assert not geom.has_offset
    geom.offset_position, geom.offset_rotation = (1, 0, 0), turn
    assert geom.has_offset
    assert geom.position == pytest.approx(body.position + body.rotation @ [1, 0, 0])
    assert geom.rotation == pytest.approx(body.rotation @ turn)
    assert geom.offset_quaternion == pytest.approx(od.rotation.quaternion_from_matrix(turn))
    # Moving the geom moves the body, so that the geom gets there.
    geom.position = (4, 5, 6)
    assert geom.position == pytest.approx([4, 5, 6])
    assert body.position == pytest.approx(np.array([4, 5, 6]) - body.rotation @ [1, 0, 0])
    geom.rotation = np.eye(3)
    assert geom.rotation == pytest.approx(np.eye(3), abs=1e-15)
    assert geom.position == pytest.approx([4, 5, 6])
    assert geom.offset_position.tolist() == [1, 0, 0]
    geom.clear_offset()
    assert not geom.has_offset
    assert (geom.position == body.position).all()
    assert geom.offset_position.tolist() == [0, 0, 0]
    assert (geom.offset_rotation == np.eye(3)).all()


@pytest.mark.parametrize("empty", [True, False])
def test_clearing_the_offset_of_a_transform_without_a_body_changes_nothing(empty):
    held = None if empty else od.Box((1, 2, 3), position=(1, 0, 0), quaternion=(0.6, 0, 0.8, 0))
    geom = od.GeomTransform(held, position=(1, 2, 3), quaternion=(0.8, 0.6, 0, 0))
    at, turn = geom.position, geom.rotation
    geom.clear_offset()
    assert not geom.has_offset
    assert geom.position == pytest.approx(at) and geom.rotation == pytest.approx(turn)
    body = od.World().add_body(position=(4, 5, 6))
    geom.body = body
    geom.offset_position = 0, 0, 7
    geom.clear_offset()
    assert not geom.has_offset and geom.position == pytest.approx(body.position)


def test_offsets_given_in_the_world(body):
    geom, turn = od.Sphere(1, body=body), od.rotation.from_axis_angle((0, 1, 1), 0.4)
    before = body.position
    geom.set_offset_world_position((5, 5, 5))
    geom.set_offset_world_rotation(turn)
    assert geom.position == pytest.approx([5, 5, 5])
    assert geom.rotation == pytest.approx(turn)
    assert (body.position == before).all()
    geom.set_offset_world_quaternion((0, 1, 0, 0))
    assert geom.rotation == pytest.approx(np.diag([1, -1, -1]), abs=1e-15)


def test_offsets_need_a_body():
    geom = od.Sphere(1, name="loose")
    for call in (
        lambda: setattr(geom, "offset_position", (1, 0, 0)),
        lambda: setattr(geom, "offset_rotation", np.eye(3)),
        lambda: setattr(geom, "offset_quaternion", (1, 0, 0, 0)),
        lambda: geom.set_offset_world_position((0, 0, 0)),
        lambda: geom.set_offset_world_quaternion((1, 0, 0, 0)),
    ):
        with pytest.raises(ValueError, match="loose needs a body"):
            call()


def test_a_geom_that_leaves_its_body_stays_where_it_is(body):
    geom = od.Sphere(1, body=body)
    geom.offset_position = (1, 0, 0)
    at = geom.position
    geom.body = None
    body.position = (9, 9, 9)
    assert (geom.position == at).all()
    assert not geom.has_offset
    other = body.world.add_body(position=(3, 3, 3))
    geom.body = other  # its own place is gone, and so is the offset of before
    assert geom.position.tolist() == [3, 3, 3]
    assert (body.geoms, other.geoms) == ((), (geom,))


def test_a_geom_moves_from_world_to_world():
    a, b = od.World(), od.World()
    geom = od.Sphere(0.5, body=a.add_body(), material="ice", name="puck")
    geom.collide_bits, geom.category_bits, geom.data, geom.enabled = 5, 6, "mine", False
    geom.body = b.add_body(position=(1, 2, 3))
    assert geom.position.tolist() == [1, 2, 3]
    assert (geom.radius, geom.material, geom.collide_bits, geom.category_bits) == (0.5, "ice", 5, 6)
    assert (geom.data, geom.enabled, geom.name) == ("mine", False, "puck")
    assert "ice" in b.surfaces.materials
    assert a.bodies[0].geoms == ()


# -- bits and materials ------------------------------------------------------------------------------------------------


def test_bits():
    geom = od.Sphere(1)
    everything = 2**64 - 1
    assert (geom.category_bits, geom.collide_bits) == (everything, everything)
    geom.category_bits, geom.collide_bits = -1, 1 << 63
    assert (geom.category_bits, geom.collide_bits) == (everything, 1 << 63)
    geom.collide_bits = np.uint64(3)
    assert geom.collide_bits == 3


def test_materials():
    world = od.World()
    geom = world.add_geom(od.Sphere(1))
    assert geom.material is None
    geom.material = "rubber"
    assert world.surfaces.materials == (None, "rubber")
    assert od.Sphere(1, material="steel").material == "steel"


@pytest.mark.parametrize("material", [3, ("ice",), ["ice"]])
def test_a_bad_material_is_refused_before_it_can_do_harm(material):
    world, geom = od.World(), od.Sphere(1)
    for call in (
        lambda: setattr(geom, "material", material),
        lambda: od.Sphere(1, material=material),
        lambda: world.surfaces.index(material),
    ):
        with pytest.raises(TypeError, match="material"):
            call()
    world.add_geom(geom)
    assert geom.material is None


def test_enabled():
    geom = od.Sphere(1)
    assert geom.enabled
    geom.enabled = False
    assert not geom.enabled
    assert len(od.collide(geom, od.Sphere(1))) == 1  # that is for spaces
