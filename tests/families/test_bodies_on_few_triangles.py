"""Boxes and capsules on meshes and heightfields have closed forms.

The same box as a convex polyhedron goes through the general code: both must push in the same directions, by the same overlaps. A
capsule is as deep as the deepest of the spheres along its axis. Flat cells, steps, open
edges, seams between coplanar triangles, closed meshes from inside, fields that go on for ever.
"""

from functools import cache

import numpy as np
import pytest

import opendynamics as od
from tests.families.test_surface_pairs import blob, field, placed

CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
POSES = 150
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
        if min((contact.depth for contact in (*ours, *theirs)), default=0.0) < TOUCHING:
            continue  # an edge across an edge: the one point that represents it is nearest to the face's centre
        touching += len(ours) > 0
        one, other = pushes(ours), pushes(theirs)
        assert len(one) == len(other), (k, one, other)
        for direction, depth in one:
            alike = [push for push in other if np.allclose(push[0], direction, rtol=0.0, atol=1e-9)]
            assert len(alike) == 1, (k, one, other)
            assert alike[0][1] == pytest.approx(depth, abs=1e-9), (k, direction, depth, alike)
    assert touching > POSES // 20


@pytest.mark.parametrize("lengths", [(2.3, 0.2, 0.05), (0.05, 0.2, 2.3), (0.5, 0.3, 0.4), (0.25, 0.3, 0.8)])
def test_boxes_on_up_to_24_cells_are_pushed_as_equal_polyhedra(lengths):
    rng = np.random.default_rng(5)
    x, z = np.meshgrid(np.arange(41), np.arange(41), indexing="ij")
    data = od.HeightfieldData(0.03 * np.sin(1.1 * x) * np.cos(0.9 * z), width=4.0, depth=4.0, thickness=1.0)
    surface, touching = od.Heightfield(data), 0
    for k in range(POSES):
        place = (rng.uniform(-2.2, 2.2), 0.5 * lengths[1] + rng.uniform(-0.05, 0.04), rng.uniform(-2.2, 2.2))
        turn = (1.0, *rng.uniform(-0.01, 0.01, 3)) if k % 2 else (1.0, 0.0, 0.0, 0.0)
        box, solid = placed(od.Box(lengths), place, turn), placed(od.Convex.hull(lengths * CORNERS), place, turn)
        one, other = (pushes(od.collide(body, surface, max_contacts=64)) for body in (box, solid))
        if min((depth for _, depth in (*one, *other)), default=1.0) < TOUCHING:
            continue
        touching += len(one) > 0
        deepest, theirs = (max((depth for _, depth in found), default=0.0) for found in (one, other))
        assert deepest == pytest.approx(theirs, abs=1e-9), (k, one, other)
    assert touching > POSES // 20


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


@pytest.mark.parametrize("name", ["flat", "closed", "open"])
def test_a_capsule_is_as_deep_as_the_deepest_sphere_on_its_axis(name):
    rng = np.random.default_rng(7)
    surface, touching = SURFACES[name](), 0
    along = np.linspace(-0.5, 0.5, 201)
    for _ in range(60):
        radius, length = rng.uniform(0.15, 0.3), rng.uniform(0.2, 0.8)
        start = {"closed": rng.normal(size=3), "open": rng.uniform(-1.2, 1.2, 3)}.get(name, rng.uniform(-1.2, 1.2, 3))
        if name == "closed":
            start *= 1.4 / np.linalg.norm(start)
        else:
            start[2 if name == "open" else 1] = rng.uniform(0.1, 0.6)
        capsule = placed(od.Capsule(radius, length), start, rng.normal(size=4))
        axis = capsule.rotation.reshape(3, 3)[:, 2]
        spheres = [od.collide(od.Sphere(radius, position=start + length * part * axis), surface) for part in along]
        depths = [max((contact.depth for contact in found), default=0.0) for found in spheres]
        if max(depths) > 0.9 * radius:
            continue  # the axis meets the surface
        found = od.collide(capsule, surface, max_contacts=20)
        touching += len(found) > 0
        assert max((contact.depth for contact in found), default=0.0) == pytest.approx(max(depths), abs=1e-4)
    assert touching > 5


def test_a_capsule_on_a_flat_field_touches_it_along_its_axis():
    field = od.Heightfield(heights("flat"))
    capsule = od.Capsule(0.2, 0.9)
    for k in range(50):
        turn = 0.13 * k
        axis = np.array([np.cos(turn), 0.0, np.sin(turn)])
        capsule.position = (0.011 * k - 0.3, 0.2 - 0.01, 0.2 - 0.007 * k)
        capsule.rotation = np.column_stack([np.cross((0.0, 1.0, 0.0), axis), (0.0, 1.0, 0.0), axis])
        contacts = od.collide(capsule, field, max_contacts=16)
        for contact in contacts:
            assert np.allclose(contact.normal, (0.0, 1.0, 0.0), rtol=0.0, atol=1e-12)
            assert contact.depth == pytest.approx(0.01, abs=1e-12)
        for end in (-0.45, 0.45):
            lowest = capsule.position + end * axis - (0.0, 0.2, 0.0)
            assert min(np.linalg.norm(contact.position - lowest) for contact in contacts) < 1e-9
