"""Contacts of meshes and convex polyhedra with planes, compared with all of their vertices.

A contact point is a vertex that is not above the plane; all are handed out if there is room. If not, the deepest is among
them, and they reach as far to all sides as points of that number can.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.pairs import ball_of, ring

LIMITS = (1, 2, 5, 8, 9, 32, 5000)


def bodies():
    """Meshes and hulls with few vertices, some, and more than are looked at together."""
    random = np.random.default_rng(5)
    corners = np.arange(3600).reshape(-1, 3)
    places = random.uniform(-2.0, 2.0, (1200, 1, 3)) + random.uniform(-0.1, 0.1, (1200, 3, 3))
    yield "triangle", od.Trimesh(od.MeshData([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    yield "ring", od.Trimesh(od.MeshData(*ring()))
    yield "soup", od.Trimesh(od.MeshData(places.reshape(-1, 3), corners))
    yield "octahedron", od.Convex.hull(ball_of(6))
    yield "ball", od.Convex.hull(ball_of(40))
    yield "fine ball", od.Convex.hull(ball_of(700))


BODIES = dict(bodies())


def vertices_of(body):
    return np.unique(body.mesh.vertices if isinstance(body, od.Trimesh) else body.points, axis=0)


def met(name, limit, seed, count=25):
    """(contacts, vertices not above the plane, their depths, normal) of a body and random planes across it."""
    body, random = BODIES[name], np.random.default_rng(seed)
    own = vertices_of(body)
    for _ in range(count):
        body.position, body.quaternion = random.uniform(-3.0, 3.0, 3), random.normal(size=4)
        normal = random.normal(size=3)
        normal /= np.linalg.norm(normal)
        points = own @ body.rotation.T + body.position
        heights = points @ normal
        d = random.uniform(heights.min() - 0.05, heights.max() + 0.05)
        contacts = od.collide(body, od.Plane(normal, d), max_contacts=limit)
        below = heights <= d
        yield contacts, points[below], (d - heights)[below], normal


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", BODIES)
def test_points_are_vertices_below_the_plane_and_the_deepest_is_among_them(name, limit):
    for contacts, points, depths, normal in met(name, limit, seed=1):
        assert len(contacts) == min(limit, len(points))
        taken = set()
        for contact in contacts:
            gaps = np.linalg.norm(points - contact.position, axis=1)
            k = int(gaps.argmin())
            assert gaps[k] < 1e-12
            assert contact.depth == pytest.approx(depths[k], abs=1e-12)
            assert contact.normal == pytest.approx(normal, abs=1e-12)
            taken.add(k)
        assert len(taken) == len(contacts)
        if contacts:
            assert max(contact.depth for contact in contacts) == pytest.approx(depths.max(), abs=1e-12)


@pytest.mark.parametrize("limit", (8, 12, 32))
@pytest.mark.parametrize("name", BODIES)
def test_points_reach_to_all_sides(name, limit):
    """What sticks out between the points of two neighbouring ways, of n, is in a triangle over them with angles pi / n."""
    compared, slack = 0, np.tan(np.pi / (limit - 1))
    for contacts, points, _, normal in met(name, limit, seed=2):
        if len(points) <= limit:
            continue
        chosen = np.array([contact.position for contact in contacts])
        flat = points - np.outer(points @ normal, normal)
        largest = 2.0 * np.linalg.norm(flat - flat.mean(axis=0), axis=1).max()
        for side in np.random.default_rng(3).normal(size=(20, 3)):
            across = side - (side @ normal) * normal
            across /= np.linalg.norm(across)
            assert np.ptp(chosen @ across) >= np.ptp(points @ across) - slack * largest - 1e-12
            compared += 1
    assert compared > 0 or len(vertices_of(BODIES[name])) <= limit


@pytest.mark.parametrize("name", ("triangle", "ring", "soup"))
def test_points_know_a_triangle_that_has_them(name):
    body = BODIES[name]
    corners = body.mesh.vertices[body.mesh.triangles]
    for contacts, *_ in met(name, 5000, seed=4, count=3):
        for contact in contacts[:200]:
            places = corners[contact.side1] @ body.rotation.T + body.position
            assert np.linalg.norm(places - contact.position, axis=1).min() < 1e-12


def corners_below(like):
    """Contacts of thin boxes all below a plane, at random tilts: how far they reach along the box's three axes."""
    random, plane = np.random.default_rng(8), od.Plane()
    for _ in range(200):
        size = random.permutation([0.4, 0.3, 1e-4])
        plate = od.Box(size)
        turn = np.eye(3)[size.argsort()[::-1]]  # its thickness upwards
        turn[2] *= np.linalg.det(turn)
        tilt = random.uniform(-0.01, 0.01, 2)
        plate.rotation = od.Box((1, 1, 1), quaternion=(1.0, *tilt, 0.0)).rotation @ turn
        plate.position = (*random.uniform(-1, 1, 2), -0.01)
        contacts = od.collide(plate, plane, max_contacts=4, **like)
        own = np.array([contact.position - plate.position for contact in contacts]) @ plate.rotation
        deepest = max(0.01 - float((np.array(corner) * size / 2 @ plate.rotation.T)[2]) for corner in CORNERS)
        assert max(contact.depth for contact in contacts) == pytest.approx(deepest, rel=1e-9)
        yield np.ptp(own, axis=0)[size > 0.01] / size[size > 0.01]


CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def test_a_thin_box_below_a_plane_has_contacts_at_all_its_sides():
    """ODE's four corners are on one edge of it, where that rises by more than its thickness: it rocks from side to side."""
    assert all((reach > 0.999).all() for reach in corners_below({}))
    assert not all((reach > 0.999).all() for reach in corners_below({"like": "ode"}))


@pytest.mark.parametrize("most", [4, 5, 8])
def test_a_standing_cylinder_is_carried_on_all_sides(most):
    cylinder = od.Cylinder(
        0.5, 1.0, position=(1, 2, 0.499), quaternion=od.rotation.quaternion_from_axis_angle((0, 0, 1), 0.3)
    )
    found = od.collide(cylinder, od.Plane(), max_contacts=most)
    places = np.array([contact.position for contact in found]) - (1, 2, 0)
    for angle in np.linspace(0.0, 2.0 * np.pi, 33):
        assert (places @ (np.cos(angle), np.sin(angle), 0)).max() > 0.5 * np.cos(np.pi / 4) - 1e-9
