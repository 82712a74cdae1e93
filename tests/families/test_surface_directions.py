"""Surfaces push bodies along their own normals, and along the minimum translation."""

from functools import cache

import numpy as np
import pytest

import opendynamics as od

OCTAHEDRON = 0.3 * np.concatenate([np.eye(3), -np.eye(3)])
BODIES = {
    "sphere": lambda: od.Sphere(0.3),
    "box": lambda: od.Box((0.5, 0.4, 0.3)),
    "capsule": lambda: od.Capsule(0.25, 0.5),
    "cylinder": lambda: od.Cylinder(0.25, 0.5),
    "convex": lambda: od.Convex.hull(OCTAHEDRON),
}


@cache
def ring(sides=28, sections=18):
    """A tube that runs round a circle: convex outside, a saddle inside; also the unit normals of its triangles."""
    u, v = (axis.ravel() for axis in np.meshgrid(np.arange(sides), np.arange(sections), indexing="ij"))
    a, b = 2 * np.pi * u / sides, 2 * np.pi * v / sections
    across = 1.0 + 0.4 * np.cos(b)
    vertices = np.stack([across * np.cos(a), across * np.sin(a), 0.4 * np.sin(b)], axis=1)
    here, right = u * sections + v, (u + 1) % sides * sections + v
    above, beyond = u * sections + (v + 1) % sections, (u + 1) % sides * sections + (v + 1) % sections
    corners = np.concatenate([np.stack([here, right, beyond], 1), np.stack([here, beyond, above], 1)])
    p, q, r = (vertices[corners[:, k]] for k in range(3))
    normals = np.cross(q - p, r - p)
    return od.Trimesh(od.MeshData(vertices, corners)), normals / np.linalg.norm(normals, axis=1)[:, None]


@pytest.mark.parametrize("name", BODIES)
def test_directions_are_normals_that_the_surface_has(name):
    # Normals of triangles that share an edge differ by no more than 20 degrees, of those that share a corner by no more
    # than 35, and so do what edges and corners have between them. A direction may serve other triangles, too.
    mesh, normals = ring()
    rng, body, seen = np.random.default_rng(1), BODIES[name](), 0
    for _ in range(300):
        a, b, out = *rng.uniform(0.0, 2 * np.pi, 2), 0.4 + rng.uniform(0.05, 0.25)
        body.position = ((1 + out * np.cos(b)) * np.cos(a), (1 + out * np.cos(b)) * np.sin(a), out * np.sin(b))
        turn = rng.normal(size=4)
        body.quaternion = turn / np.linalg.norm(turn)
        nearest = {}
        for contact in od.collide(body, mesh, max_contacts=32):
            way = tuple(np.round(contact.normal, 9))
            nearest[way] = max(nearest.get(way, -1.0), float(normals[contact.side2] @ contact.normal))
        seen += len(nearest)
        assert min(nearest.values(), default=1.0) > np.cos(np.radians(35))
    assert seen > 200


def test_a_cylinder_leaves_a_ridge_the_shortest_way():
    # The overlap along n with a ridge through the origin is r |n across the axis| + half |n along it| - n·centre.
    roof = od.Heightfield(od.HeightfieldData(np.array([[-1.0, 0.0, -1.0]] * 3), width=2.0, depth=8.0))
    angles = np.linspace(-np.pi / 4, np.pi / 4, 20_001)
    ways = np.column_stack([np.sin(angles), np.cos(angles), np.zeros_like(angles)])
    rng, met = np.random.default_rng(3), 0
    for _ in range(400):
        radius, half = rng.uniform(0.05, 0.4), rng.uniform(0.02, 0.3)
        cylinder = od.Cylinder(radius, 2 * half)
        turn = rng.normal(size=4)
        cylinder.quaternion = turn / np.linalg.norm(turn)
        axis = cylinder.rotation[:, 2]
        centre = np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.3), 0.0])
        cylinder.position = centre

        def overlap(n, axis=axis, centre=centre, radius=radius, half=half):
            along = n @ axis
            return radius * np.sqrt(np.maximum(1.0 - along**2, 0.0)) + half * abs(along) - n @ centre

        contacts = od.collide(cylinder, roof, max_contacts=16)
        if contacts:
            met += 1
            assert min(overlap(np.array(c.normal)) for c in contacts) <= overlap(ways).min() + 1e-12
    assert met > 200


@pytest.mark.parametrize("lift", [-0.2, 0.0, 0.2])
def test_a_thin_cylinder_through_the_middle_of_a_large_triangle_touches_it(lift):
    floor = od.Trimesh(od.MeshData([(-5, -5, 0), (5, -5, 0), (0, 5, 0)], [(0, 1, 2)]))
    pole = od.Cylinder(0.05, 1.0, position=(0.0, 0.0, lift))
    contacts = od.collide(pole, floor)
    assert contacts
    assert max(contact.depth for contact in contacts) == pytest.approx(0.5 - lift, abs=1e-12)
    assert all(abs(contact.normal[2] - 1.0) < 1e-12 for contact in contacts)
