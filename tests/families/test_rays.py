"""Rays against every shape: hits on the surface, against the normal, from within, and at the ends."""

from functools import partial

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.bodies.shapes import CONVEX, FIRST_BY_ADDRESS
from opendynamics.core.families import SHAPES as FAMILY
from opendynamics.core.families import pair_names
from tests.families.geom_classes import geom_class

SHAPES = {
    "sphere": lambda: od.Sphere(0.5),
    "box": lambda: od.Box((0.8, 1.2, 0.6)),
    "capsule": lambda: od.Capsule(0.3, 0.8),
    "cylinder": lambda: od.Cylinder(0.4, 1.1),
    "convex": lambda: od.Convex.hull(np.random.default_rng(1).normal(size=(20, 3)) / 3),
}
# Shapes known by their contract only: their surface is closed in on, from support to support.
SEARCHED = {
    name: partial(geom_class(name).of_size, FAMILY[name].EXAMPLES[0])
    for name in FAMILY.names
    if FAMILY[name].TRAITS & CONVEX and FAMILY[name].KIND >= FIRST_BY_ADDRESS and hasattr(FAMILY[name], "EXAMPLES")
}
SHAPES |= SEARCHED


def placed(name, rng, distance=0.0):
    geom = SHAPES[name]()
    geom.position = distance * rng.uniform(-1, 1, 3) + rng.uniform(-0.2, 0.2, 3)
    geom.quaternion = rng.normal(size=4)
    return geom


def test_every_ray_pair_is_tried_here():
    found = {name.removesuffix("_ray") for name in pair_names() if name.endswith("_ray")}
    assert found - {"plane", "trimesh", "heightfield", "support"} == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("distance", [0.0, 1e4])
def test_hits_lie_on_the_surface_and_nothing_is_met_before(name, distance):
    rng = np.random.default_rng(2)
    geom = placed(name, rng, distance)
    tolerance = (1e-9 if name in SEARCHED else 1e-12) * max(1.0, distance)
    hits = inner = 0
    for _ in range(300):
        start = geom.position + rng.uniform(-1.0, 1.0, 3)
        ray = od.Ray(rng.uniform(0.1, 3.0), start, rng.normal(size=3))
        contacts = od.collide(ray, geom)
        way = np.linspace(0.0, contacts[0].depth if contacts else ray.length, 60)[1:-1]
        depths = np.array([geom.point_depth(start + t * ray.direction) for t in way])
        assert depths.max() < tolerance or depths.min() > -tolerance
        if contacts:
            (contact,) = contacts
            hits += 1
            inner += depths.min() > 0.0
            assert geom.point_depth(contact.position) == pytest.approx(0.0, abs=tolerance)
            assert contact.position == pytest.approx(start + contact.depth * ray.direction, abs=tolerance)
            assert contact.normal @ ray.direction < 0.0
            # The normal is that of the surface: a little along it, the depth falls as fast as the way.
            step = 1e-4 * contact.normal * (-1.0 if depths.min() > 0.0 else 1.0)
            assert geom.point_depth(contact.position + step) == pytest.approx(-1e-4, rel=1e-3, abs=100 * tolerance)
            turned = od.collide(geom, ray)[0]
            assert (turned.position == contact.position).all() and (turned.normal == -contact.normal).all()
    assert hits > 20 and inner > 2


@pytest.mark.parametrize("name", SHAPES)
def test_a_ray_ends_where_it_ends(name):
    rng = np.random.default_rng(3)
    geom = placed(name, rng)
    start = np.add(geom.position, (0.0, 0.0, 3.0))
    gap = od.collide(od.Ray(10.0, start, (0, 0, -1)), geom)[0].depth
    assert len(od.collide(od.Ray(1.0001 * gap, start, (0, 0, -1)), geom)) == 1
    assert not od.collide(od.Ray(0.9999 * gap, start, (0, 0, -1)), geom)
    assert not od.collide(od.Ray(1e-3, geom.position, (0, 0, 1)), geom), "a ray wholly inside meets nothing"


def test_rays_along_an_axis_are_no_special_case():
    start = (0.1, 0.2, 5.0)
    expected = {"sphere": np.sqrt(0.25 - 0.05), "box": 0.3, "capsule": 0.4 + np.sqrt(0.09 - 0.05), "cylinder": 0.55}
    for name, height in expected.items():
        (contact,) = od.collide(od.Ray(10.0, start, (0, 0, -1)), SHAPES[name]())
        assert contact.depth == pytest.approx(5.0 - height, rel=1e-15)
        assert not od.collide(od.Ray(10.0, (2.0, 0.2, 5.0), (0, 0, -1)), SHAPES[name]())


def test_a_plane_is_met_from_either_side():
    plane = od.Plane((0, 0, 1), 1.0)
    down, up = od.Ray(5.0, (0, 0, 3), (0, 0, -1)), od.Ray(5.0, (0, 0, -1), (0, 0, 1))
    assert od.collide(down, plane)[0].normal.tolist() == [0, 0, 1]
    assert od.collide(up, plane)[0].normal.tolist() == [0, 0, -1]
    assert od.collide(down, plane)[0].depth == od.collide(up, plane)[0].depth == 2.0
    assert not od.collide(od.Ray(5.0, (0, 0, 3), (1, 0, 0)), plane)


def test_rays_push_nothing():
    world = od.World(gravity=(0, 0, 0))
    ball = world.add_body(od.Sphere(0.5))
    world.add_geom(od.Ray(5.0, (0, 0, -2), (0, 0, 1)))
    world.advance(0.01, steps=5)
    assert not ball.position.any() and not ball.linear_velocity.any()
    assert world.statistics.contacts == 0


def test_a_ray_leaves_a_capsule_through_a_cap_however_short_it_is():
    capsule = od.Capsule(0.3, 0.8)
    for length, hits in ((0.69, 0), (0.71, 1), (100.0, 1)):  # along the axis nearly: it leaves the cylinder after 29 m
        contacts = od.collide(od.Ray(length, (0, 0, 0), (0.01, 0, 1)), capsule)
        assert len(contacts) == hits
        assert not hits or contacts[0].depth == pytest.approx(0.7, abs=1e-4)


def test_a_ray_along_a_slanted_face_hits_from_the_inside_only():
    """A prism over a diamond: the ray passes its box in any case, and meets the planes of the other faces."""
    prism = od.Convex.hull([(x, y, z) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)) for z in (-1, 1)])
    for level, hits in ((1.3, 0), (0.7, 1), (-0.7, 1), (-1.3, 0)):
        start = np.array((0.5 * level - 3.0, 0.5 * level + 3.0, 0.2))
        found = od.collide(od.Ray(9.0, start=start, direction=(1, -1, 0)), prism)
        assert len(found) == hits
        for contact in found:
            assert contact.position @ (1, -1, 0) == pytest.approx(-1.0)
            assert contact.depth == pytest.approx(np.hypot(*(contact.position - start)[:2]))
