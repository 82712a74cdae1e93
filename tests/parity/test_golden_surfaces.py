"""Meshes and heightfields compared with an exact oracle, in the poses recorded from ODE 0.16.2 (double precision).

The recorded mesh is convex, so that the least overlap of a body with the solid that it bounds is exactly known: by
`mesh_oracle.py`, which shares nothing with the engine. How often ODE finds another depth is written down here, too, and
in docs/deviations.md.
"""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from tests.families.mesh_oracle import ConvexMesh, along, closest, overlap
from tests.families.pair_calls import Shape, rotation_of

DATA = Path(__file__).parents[1] / "data" / "surface_contacts"
TOLERANCE = 1e-6

# Of the recorded poses: how many there are, and in how many ODE's deepest contact is not as deep as the overlap.
ODE_DIFFERS = {"sphere": (39, 20), "box": (39, 25), "capsule": (39, 19), "cylinder": (39, 20), "convex": (39, 30)}


def read(name):
    with gzip.open(DATA / f"{name}.json.gz") as file:
        return json.load(file)


@cache
def mesh_data():
    mesh = read("_shared")["icosphere80"]
    return od.MeshData(mesh["vertices"], mesh["triangles"])


@cache
def field_data():
    field = dict(read("_shared")["random12"])
    samples = field["width_samples"], field["depth_samples"]
    return od.HeightfieldData(
        field["heights"], field["width"], field["depth"], thickness=field["thickness"], samples=samples
    )


def geom_of(record):
    kind = record["type"]
    place = {"position": record.get("pos"), "quaternion": record.get("quat")}
    if kind == "plane":
        return od.Plane(record["normal"], record["d"])
    if kind == "ray":
        flags = {key: bool(record[key]) for key in ("first_contact", "backface_cull", "closest_hit")}
        return od.Ray(record["length"], start=record["start"], direction=record["dir"], **flags)
    makers = {
        "sphere": lambda: od.Sphere(record["radius"], **place),
        "box": lambda: od.Box(record["lengths"], **place),
        "capsule": lambda: od.Capsule(record["radius"], record["length"], **place),
        "cylinder": lambda: od.Cylinder(record["radius"], record["length"], **place),
        "convex": lambda: od.Convex.hull(points_of(record), **place),
        "trimesh": lambda: od.Trimesh(mesh_data(), **place),
        "heightfield": lambda: od.Heightfield(field_data(), **place),
    }
    return makers[kind]()


def points_of(record):
    return record["points"] if "points" in record else read("_shared")[record["hull"]]["points"]


def shape_of(record):
    sizes = {
        "sphere": lambda: (record["radius"],),
        "box": lambda: tuple(record["lengths"]),
        "capsule": lambda: (record["radius"], record["length"]),
        "cylinder": lambda: (record["radius"], record["length"]),
        "convex": lambda: tuple(np.ravel(points_of(record))),
    }
    return Shape(record["type"], sizes[record["type"]](), tuple(record["pos"]), rotation_of(record["quat"]))


def recorded(name, body):
    """(record of the body, record of the surface, contacts of ODE) of every call."""
    found = read(name)
    for case in found["cases"] + found["apart"]:
        a, b = case["a"], case["b"]
        yield (a, b, case["contacts"]) if a["type"] == body else (b, a, case["contacts"])


def truth(body, surface):
    data = read("_shared")["icosphere80"]
    mesh = ConvexMesh(data["vertices"], data["triangles"], surface["pos"], rotation_of(surface["quat"]))
    return mesh, overlap(shape_of(body), mesh)[0]


@pytest.mark.parametrize("body", ["sphere", "box", "capsule", "convex", "cylinder"])
def test_the_deepest_contact_with_a_mesh_is_true(body):
    touching = ode_differs = calls = 0
    for one, surface, theirs in recorded(f"{body}_trimesh", body):
        calls += 1
        geom, mesh_geom = geom_of(one), geom_of(surface)
        contacts = od.collide(geom, mesh_geom, max_contacts=64)
        mesh, depth = truth(one, surface)
        if body == "cylinder" and not contacts:
            assert not theirs
            continue
        deepest_of_ode = max((contact["depth"] for contact in theirs), default=-1.0)
        ode_differs += abs(deepest_of_ode - max(depth, -1.0)) > TOLERANCE if depth >= 0.0 else bool(theirs)
        assert bool(contacts) == (depth >= 0.0)
        if not contacts:
            continue
        touching += 1
        deepest = max(contacts, key=lambda contact: contact.depth)
        assert deepest.depth == pytest.approx(depth, abs=TOLERANCE)
        assert along(shape_of(one), mesh, deepest.normal) == pytest.approx(depth, abs=TOLERANCE)
        assert 0 <= deepest.side2 < 80 and deepest.side1 == -1
    assert touching > 20
    assert (calls, ode_differs) == ODE_DIFFERS[body]


def test_two_convex_meshes_overlap_as_deep_as_their_solids():
    data = read("_shared")["icosphere80"]
    ode_differs = calls = 0
    for one, other, theirs in recorded("trimesh_trimesh", "trimesh"):
        calls += 1
        a, b = (ConvexMesh(data["vertices"], data["triangles"], g["pos"], rotation_of(g["quat"])) for g in (one, other))
        crossed = np.cross(a.along[:, None], b.along[None]).reshape(-1, 3)
        lengths = np.linalg.norm(crossed, axis=1)
        crossed = crossed[lengths > 1e-9] / lengths[lengths > 1e-9][:, None]
        n = np.concatenate([b.normals, -a.normals, crossed, -crossed])
        depth = ((b.vertices @ n.T).max(axis=0) - (a.vertices @ n.T).min(axis=0)).min()
        contacts = od.collide(geom_of(one), geom_of(other), max_contacts=64)
        deepest = max((contact.depth for contact in contacts), default=-1.0)
        assert (deepest == pytest.approx(depth, abs=TOLERANCE)) if depth >= 0.0 else not contacts
        deepest_of_ode = max((contact["depth"] for contact in theirs), default=-1.0)
        ode_differs += abs(deepest_of_ode - depth) > TOLERANCE if depth >= 0.0 else bool(theirs)
    assert (calls, ode_differs) == (36, 34)


def test_contacts_of_planes_with_a_mesh_are_those_of_ode():
    compared = 0
    for plane, mesh, theirs in recorded("plane_trimesh", "plane"):
        if len(theirs) == 4:  # ODE was given a limit of four, and returns the first it finds
            continue
        compared += len(theirs)
        contacts = od.collide(geom_of(plane), geom_of(mesh), max_contacts=64)
        ours = np.array(sorted((*c.position, *c.normal, c.depth) for c in contacts))
        expected = np.array(sorted((*c["pos"], *c["normal"], c["depth"]) for c in theirs))
        assert ours.shape == expected.shape
        assert abs(ours - expected).max(initial=0.0) < 1e-9
    assert compared > 100


def test_hits_of_rays_on_a_mesh_are_those_of_ode():
    """Of a ray that is content with any hit, ODE gives the one that it came across, we the nearest of a leaf."""
    compared = 0
    for ray, mesh, theirs in recorded("ray_trimesh", "ray"):
        contacts = od.collide(geom_of(ray), geom_of(mesh), max_contacts=64)
        assert len(contacts) == len(theirs)
        if ray["first_contact"] and not ray["closest_hit"]:
            continue
        ours = np.array(sorted((*c.position, *c.normal, c.depth) for c in contacts))
        expected = np.array(sorted((*c["pos"], *c["normal"], c["depth"]) for c in theirs))
        # ODE casts rays at meshes in single precision.
        assert abs(ours - expected).max(initial=0.0) < 1e-6
        compared += len(theirs)
    assert compared > 15


def field_triangles(surface):
    """All triangles of the recorded heightfield in the world, shape (n, 3, 3)."""
    field = read("_shared")["random12"]
    n = field["width_samples"]
    line = (np.arange(n) / (n - 1) - 0.5) * field["width"]
    x, z = np.meshgrid(line, line)
    points = np.column_stack([x.ravel(), np.ravel(field["heights"]), z.ravel()])
    points = points @ rotation_of(surface["quat"]).T + surface["pos"]
    corner = np.arange(n * n).reshape(n, n)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    return points[np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([d, b, c], -1).reshape(-1, 3)])]


def test_rays_meet_the_triangles_of_a_heightfield():
    """Every hit of a ray that wants all of them, against a search through all triangles; the others are among them."""
    ode_differs = compared = 0
    for ray, surface, theirs in recorded("ray_heightfield", "ray"):
        start, way = np.array(ray["start"]), np.array(ray["dir"])
        a, b, c = np.moveaxis(field_triangles(surface) - start, 1, 0)
        normals = np.cross(b - a, c - a)
        volumes = np.array([np.cross(q, p) @ way for p, q in ((a, b), (b, c), (c, a))])
        t = np.einsum("ni,ni->n", a, normals) / (normals @ way)
        hit = (np.all(volumes >= 0.0, axis=0) | np.all(volumes <= 0.0, axis=0)) & (t >= 0.0) & (t <= ray["length"])
        if ray["backface_cull"]:
            hit &= normals @ way < 0.0
        expected = np.sort(t[hit])
        ours = [contact.depth for contact in od.collide(geom_of(ray), geom_of(surface), max_contacts=64)]
        single = ray["first_contact"] or ray["closest_hit"]
        assert ours == pytest.approx(expected[:1] if single else expected, abs=1e-9)
        compared += len(ours)
        of_ode = np.sort([contact["depth"] for contact in theirs])
        ode_differs += len(of_ode) != len(ours) or not np.allclose(of_ode, ours, atol=TOLERANCE)
    assert compared > 20
    assert ode_differs > 5


def test_spheres_are_as_deep_in_a_heightfield_as_their_centre_says():
    """Depth is the radius less the signed distance of the centre from the surface. How often ODE says so: measured."""
    ode_differs = calls = touching = 0
    for sphere, surface, theirs in recorded("sphere_heightfield", "sphere"):
        calls += 1
        triangles, centre = field_triangles(surface), np.array(sphere["pos"])
        gaps = [centre - closest(centre, *triangle) for triangle in triangles]
        distance = min(np.linalg.norm(gap) for gap in gaps)
        ground = od.collide(
            od.Ray(10.0, start=(*centre[:2], 5.0), direction=(0, 0, -1), closest_hit=True), geom_of(surface)
        )
        depth = sphere["radius"] - (distance if centre[2] >= ground[0].position[2] else -distance)
        contacts = od.collide(geom_of(sphere), geom_of(surface), max_contacts=64)
        deepest = max((contact.depth for contact in contacts), default=-1.0)
        touching += depth >= 0.0
        assert (deepest == pytest.approx(depth, abs=1e-9)) if depth >= 0.0 else not contacts
        deepest_of_ode = max((contact["depth"] for contact in theirs), default=-1.0)
        ode_differs += abs(deepest_of_ode - depth) > TOLERANCE if depth >= 0.0 else bool(theirs)
    assert touching > 20
    assert (calls, ode_differs) == (39, 30)


@pytest.mark.parametrize("body", ["sphere", "box", "capsule", "cylinder", "convex", "trimesh"])
def test_a_heightfield_is_the_mesh_of_its_triangles(body):
    """Bodies that are not wholly below meet a heightfield as they meet a mesh of the same triangles."""
    compared = 0
    for one, surface, _ in recorded(f"{body}_heightfield", body):
        geom, field = geom_of(one), geom_of(surface)
        contacts = od.collide(geom, field, max_contacts=64)
        as_mesh = od.Trimesh(field_triangles(surface).reshape(-1, 3))
        others = od.collide(geom, as_mesh, max_contacts=64)
        if not others:
            continue
        assert contacts
        # How a body half buried is pushed depends on which of several ways is tried first.
        if max(c.depth for c in others) > 0.35:
            continue
        compared += 1
        assert max(c.depth for c in contacts) == pytest.approx(max(c.depth for c in others), abs=1e-9)
    assert compared > 0 or body == "trimesh"  # all recorded meshes are deep
