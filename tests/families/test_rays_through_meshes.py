"""Rays through meshes, compared with tests of all triangles.

A ray meets a triangle where n·(a - o) / n·d is along it and the place has barycentric coordinates that are not negative.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.pairs import ring

WIDE = 8.0


def soup(count, size):
    random = np.random.default_rng(4)
    places = random.uniform(-1.0, 1.0, (count, 1, 3)) + random.uniform(-size, size, (count, 3, 3))
    return places.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def floor_of(sides):
    """A flat square of 2 x 2 m along z = 0: all of its boxes have no height."""
    x, y = (axis.ravel() for axis in np.meshgrid(*2 * [np.linspace(-1.0, 1.0, sides + 1)], indexing="ij"))
    i, j = (axis.ravel() for axis in np.meshgrid(*2 * [np.arange(sides)], indexing="ij"))
    a, b = i * (sides + 1) + j, (i + 1) * (sides + 1) + j
    corners = np.concatenate([np.stack([a, b, b + 1], axis=1), np.stack([a, b + 1, a + 1], axis=1)])
    return np.stack([x, y, 0.0 * x], axis=1), corners


MESHES = {
    "triangle": ([[0, 0, 0], [1, 0, 0], [0, 1, 0.5]], [[0, 1, 2]]),
    "few": soup(7, 1.5),
    "ring": ring(),
    "soup": soup(700, 0.3),
    "floor": floor_of(9),
}


def hits(mesh, start, along, length):
    """Distances along a ray at which it meets triangles, and their numbers, the nearest first."""
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    speed = n @ along
    t = np.einsum("ni,ni->n", n, a - start) / np.where(speed == 0.0, np.nan, speed)
    p = start + t[:, None] * along
    inside = np.all(
        [np.einsum("ni,ni->n", n, np.cross(v - u, p - u)) >= 0 for u, v in ((a, b), (b, c), (c, a))], axis=0
    )
    found = np.flatnonzero(inside & (t >= 0.0) & (t <= length))
    found = found[np.argsort(t[found])]
    return t[found], found


def rays(count=60):
    random = np.random.default_rng(6)
    for k in range(count):
        start = random.uniform(-1.0, 1.0, 3)
        along = random.uniform(0.0, 0.5, 3) - start
        if k % 3 == 0:  # along an axis, which has no inverse across it
            along = np.roll([0.0, 0.0, random.choice([-1.0, 1.0])], k // 3)
        yield start, along / np.linalg.norm(along), random.choice([0.5, 3.0, 50.0])


@pytest.mark.parametrize("name", MESHES)
def test_a_ray_meets_every_triangle_on_its_way(name):
    mesh, met = od.MeshData(*MESHES[name]), 0
    for start, along, length in rays():
        distances, numbers = hits(mesh, start, along, length)
        contacts = od.collide(od.Ray(length, start, along), od.Trimesh(mesh), max_contacts=64)
        assert [contact.depth for contact in contacts] == pytest.approx(distances, abs=1e-12)
        assert [contact.side2 for contact in contacts] == numbers.tolist()
        met += len(contacts)
    assert met > 3


@pytest.mark.parametrize("name", MESHES)
def test_few_contacts_are_the_nearest(name):
    mesh = od.MeshData(*MESHES[name])
    for start, along, length in rays():
        distances, numbers = hits(mesh, start, along, length)
        for most in (1, 2):
            contacts = od.collide(od.Ray(length, start, along), od.Trimesh(mesh), max_contacts=most)
            assert [contact.depth for contact in contacts] == pytest.approx(distances[:most], abs=1e-12)
        nearest = od.collide(od.Ray(length, start, along, closest_hit=True), od.Trimesh(mesh))
        assert [contact.side2 for contact in nearest] == numbers[:1].tolist()
        both = od.collide(od.Ray(length, start, along, closest_hit=True, first_contact=True), od.Trimesh(mesh))
        assert [contact.side2 for contact in both] == numbers[:1].tolist(), "the closest hit is also a first contact"
        any_of_them = od.collide(od.Ray(length, start, along, first_contact=True), od.Trimesh(mesh))
        assert {contact.side2 for contact in any_of_them} <= set(numbers.tolist())
        assert bool(any_of_them) == bool(len(numbers))


@pytest.mark.parametrize("name", ["few", "soup"])
@pytest.mark.parametrize("most", [1, 64])
def test_of_coincident_faces_the_first_one_is_hit(name, most):
    """A smaller triangle lies in every triangle: where both are met there is one hit, that of the lower number."""
    corners = np.asarray(MESHES[name][0])[np.asarray(MESHES[name][1])]
    random, met = np.random.default_rng(8), 0
    middle = corners.mean(axis=1, keepdims=True)
    corners = random.permutation(np.concatenate([corners, middle + 0.7 * (corners - middle)]))
    mesh = od.MeshData(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    for start, along, length in rays():
        distances, numbers = hits(mesh, start, along, length)
        first = np.flatnonzero(np.diff(distances, prepend=-1.0) > 1e-9)
        lowest = [run.min() for run in np.split(numbers, first[1:])] if len(first) else []
        contacts = od.collide(od.Ray(length, start, along), od.Trimesh(mesh), max_contacts=most)
        assert [contact.side2 for contact in contacts] == lowest[:most]
        assert [contact.depth for contact in contacts] == pytest.approx(distances[first][:most], abs=1e-9)
        met += len(numbers) > len(first)
    assert met > 3


def test_where_triangles_meet_there_is_one_hit_whatever_way_the_mesh_lies():
    """Rays down on the corners and edges of a flat mesh, turned about the vertical: nothing slips through, nothing is twice."""
    mesh = od.MeshData(*floor_of(4))
    seen = {}
    for turn in np.linspace(0.0, 1.5, 7):
        ground = od.Trimesh(mesh, quaternion=[np.cos(turn), 0.0, 0.0, np.sin(turn)])
        for x in np.linspace(-0.75, 0.75, 7):
            for y in np.linspace(-0.75, 0.75, 7):
                start = ground.rotation @ [x, y, 0.0] + [0.0, 0.0, 2.0]
                (hit,) = od.collide(od.Ray(WIDE, start, (0, 0, -1), closest_hit=True), ground)
                assert hit.depth == pytest.approx(2.0, abs=1e-12)
                (only,) = od.collide(od.Ray(WIDE, start, (0, 0, -1)), ground, max_contacts=16)
                assert only.side2 == hit.side2
                seen.setdefault((x, y), set()).add(hit.side2)
    assert len(seen) == 49
