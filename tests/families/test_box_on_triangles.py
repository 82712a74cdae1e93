"""Boxes on meshes and heightfields have closed forms; the same box as a convex polyhedron goes through the general code.

Both must push in the same directions, by the same overlaps. Flat cells, steps, open
edges, seams between coplanar triangles, closed meshes from inside, fields that go on for ever.
"""

from functools import cache

import numpy as np
import pytest

import opendynamics as od
from tests.families.test_surface_pairs import blob, field, placed

CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
POSES = 300
DEEP = 0.5  # part of the least length
TOUCHING = 1.0e-9  # m


@cache
def grid_mesh(height):
    """An open mesh of 8 by 7 cells of 0.5 m in the plane of x and y,."""
    places = [(0.5 * x - 2.0, 0.5 * y - 1.75, height * np.sin(1.3 * x) * np.cos(y)) for x in range(9) for y in range(8)]
    first = [(8 * i + j, 8 * i + 8 + j, 8 * i + j + 1) for i in range(8) for j in range(7)]
    second = [(8 * i + 8 + j, 8 * i + 9 + j, 8 * i + j + 1) for i in range(8) for j in range(7)]
    return od.MeshData(places, [*first, *second])


@cache
def heights(kind):
    x, y = np.meshgrid(np.arange(9), np.arange(8), indexing="ij")
    shapes = {"flat": 0.0 * x, "step": np.where(x > 4, 0.5, 0.0), "endless": 0.3 * np.sin(x) * np.cos(y)}
    return od.HeightfieldData(shapes[kind], width=4.0, depth=3.5, thickness=1.0, wrap=kind == "endless")


SURFACES = {
    "rough": lambda: od.Heightfield(field()),
    "flat": lambda: od.Heightfield(heights("flat")),
    "step": lambda: od.Heightfield(heights("step")),
    "endless": lambda: od.Heightfield(heights("endless")),
    "closed": lambda: od.Trimesh(blob()),
    "open": lambda: od.Trimesh(grid_mesh(0.2)),
    "sheet": lambda: od.Trimesh(grid_mesh(0.0)),
}


def pushes(contacts):
    """Directions, and the deepest overlap along each."""
    found = []
    for contact in contacts:
        for push in found:
            if np.allclose(push[0], contact.normal, rtol=0.0, atol=1e-9):
                push[1] = max(push[1], contact.depth)
                break
        else:
            found.append([np.array(contact.normal), contact.depth])
    return found


@pytest.mark.parametrize("name", SURFACES)
def test_boxes_and_equal_polyhedra_are_pushed_alike(name):
    rng = np.random.default_rng(sorted(SURFACES).index(name))
    touching = 0
    for k in range(POSES):
        turn = rng.normal(size=4) if k % 2 else np.array([1.0, 0.0, 0.0, 0.0])
        surface = placed(SURFACES[name](), rng.uniform(-1.0, 1.0, 3), turn)
        lengths = rng.uniform(0.1, 1.0, 3)
        reach = 1.2 if name == "closed" else np.array([2.2, 2.2, 0.6])
        if name not in ("closed", "open", "sheet"):
            reach = reach[[0, 2, 1]]  # heights are along y
        place = surface.position + surface.rotation.reshape(3, 3) @ (reach * rng.uniform(-1.0, 1.0, 3))
        own = rng.normal(size=4) if k % 3 else turn
        box = placed(od.Box(tuple(lengths)), place, own)
        solid = placed(od.Convex.hull(lengths * CORNERS), place, own)
        ours = od.collide(box, surface, max_contacts=64)
        theirs = od.collide(solid, surface, max_contacts=64)
        if max((contact.depth for contact in (*ours, *theirs)), default=0.0) > DEEP * min(lengths):
            continue  # several ways out may be as short
        touching += len(ours) > 0
        one, other = pushes(ours), pushes(theirs)
        assert len(one) == len(other), (k, one, other)
        for direction, depth in one:
            alike = [push for push in other if np.allclose(push[0], direction, rtol=0.0, atol=1e-9)]
            assert len(alike) == 1, (k, direction, other)
            if min(depth, alike[0][1]) < TOUCHING:
                continue  # an edge across an edge: the one point that stands for it is nearest to the face's centre
            assert alike[0][1] == pytest.approx(depth, abs=1e-9), (k, direction, depth, alike)
    assert touching > POSES // 15


def test_a_box_on_a_flat_field_touches_it_with_its_corners():
    field = od.Heightfield(heights("flat"))
    box = od.Box((1.3, 0.9, 0.7))
    for k in range(100):
        turn = 0.07 * k
        box.position = (0.011 * k - 0.5, 0.45 - 0.01, 0.3 - 0.007 * k)
        box.quaternion = (np.cos(turn), 0.0, np.sin(turn), 0.0)
        contacts = od.collide(box, field, max_contacts=16)
        turned = box.rotation.reshape(3, 3)
        for corner in CORNERS[[0, 1, 4, 5]]:
            lowest = box.position + turned @ (corner * (1.3, 0.9, 0.7))
            assert min(np.linalg.norm(contact.position - lowest) for contact in contacts) < 1e-9
        for contact in contacts:
            assert np.allclose(contact.normal, (0.0, 1.0, 0.0), rtol=0.0, atol=1e-12)
            assert contact.depth == pytest.approx(0.01, abs=1e-12)
