"""Contacts recorded from ODE 0.16.2 (double precision): same number and positions, in both orders of a pair.

Where more contacts were found than were asked for, ODE and we keep different ones; then only their number must agree. These are
the contacts of worlds like ODE; `world.collider = "exact"` has others where ODE's are not exact.
"""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tests.families.convex_oracle import gaps_along
from tests.families.pair_calls import Shape, collide_many, hull_of, rotation_of

DATA = Path(__file__).parents[1] / "data" / "contacts"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in DATA.glob("*.json.gz"))
TOLERANCE = 1e-9
NO_LIMIT = 64

SIZES = {
    "sphere": ["radius"],
    "box": ["lengths"],
    "capsule": ["radius", "length"],
    "cylinder": ["radius", "length"],
    "plane": ["normal", "d"],
    "convex": ["points"],
}

# Where ODE is not exact (docs/deviations.md): how many of the recorded poses that touch it has the deepest contact of.
APPROXIMATE = {
    "box_convex": 24,
    "box_cylinder": 39,
    "capsule_convex": 14,
    "capsule_cylinder": 4,
    "convex_convex": 21,
    "cylinder_convex": 12,
    "cylinder_cylinder": 8,
    "sphere_convex": 10,
}
# Cases tested separately below.
APART = {"cylinder_plane", "ray_convex"}


def shape_of(record):
    if record["type"] == "ray":
        flags = record["first_contact"] + 2 * record["backface_cull"] + 4 * record["closest_hit"]
        return Shape("ray", (record["length"], float(flags)), tuple(record["start"]), frame_along(record["dir"]))
    size = np.hstack([record[key] for key in SIZES[record["type"]]])
    if record["type"] == "plane":
        return Shape("plane", tuple(size))
    return Shape(record["type"], tuple(size), tuple(record["pos"]), rotation_of(record["quat"]))


def frame_along(direction):
    """A rotation whose z axis is `direction`."""
    z = np.array(direction)
    x = np.cross(z, np.eye(3)[np.argmin(abs(z))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def recorded(name):
    """(a, b, limit, contacts) of every call that was recorded, those in the other order too."""
    with gzip.open(DATA / f"{name}.json.gz") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        a, b = shape_of(case["a"]), shape_of(case["b"])
        yield a, b, case["max_contacts"], case["contacts"]
        if "swapped_contacts" in case:
            yield b, a, case["max_contacts"], case["swapped_contacts"]


def rows(position, normal, depth):
    return np.column_stack([position, normal, depth])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {*APPROXIMATE, *APART}])
def test_contacts_are_those_of_ode(name):
    calls = list(recorded(name))
    all_contacts = collide_many([(a, b) for a, b, _, _ in calls], NO_LIMIT, like_ode=True)
    for (a, b, limit, expected), unlimited in zip(calls, all_contacts, strict=True):
        found = unlimited if len(unlimited) <= limit else collide_many([(a, b)], limit, like_ode=True)[0]
        assert len(found) == len(expected), (a, b)
        if len(unlimited) > limit or not expected:
            continue
        ours = rows(found.position, found.normal, found.depth)
        theirs = rows(*([point[key] for point in expected] for key in ("pos", "normal", "depth")))
        differences = abs(theirs[:, None] - ours[None]).max(axis=2)
        assert differences.min(axis=1).max() < TOLERANCE, (a, b)
        assert differences.min(axis=0).max() < TOLERANCE, (a, b)


@pytest.mark.parametrize("name", sorted(APPROXIMATE))
def test_ode_finds_no_shorter_way_out(name):
    """Where both find contacts, the shapes overlap along ODE's normal at least as far as along ours."""
    cases = [case for case in recorded(name) if case[3]]
    pairs = [(a, b) for a, b, _, _ in cases]
    agreeing = 0
    for pair, found, (_, _, _, theirs) in zip(pairs, collide_many(pairs, NO_LIMIT), cases, strict=True):
        deepest = max(theirs, key=lambda contact: contact["depth"])
        normal = np.array(deepest["normal"])
        overlap = -gaps_along([pair], normal[None] / np.linalg.norm(normal))[0]
        ours = found.depth.max(initial=-1.0)
        if len(found):
            assert -gaps_along([pair], found.normal[:1])[0] == pytest.approx(ours, abs=TOLERANCE)
        assert ours <= overlap + TOLERANCE
        agreeing += abs(ours - deepest["depth"]) < 1e-6 and abs(found.normal[0] - normal).max() < 1e-6
    assert agreeing == APPROXIMATE[name], (agreeing, len(cases))


def test_a_cylinder_on_a_plane_has_odes_contacts_and_more_round_its_rim():
    for a, b, _, expected in recorded("cylinder_plane"):
        found = collide_many([(a, b)], NO_LIMIT)[0]
        assert (len(found) > 0) == (len(expected) > 0)
        ours = rows(found.position, found.normal, found.depth)
        for point in expected:
            assert abs(ours - np.hstack([point["pos"], point["normal"], point["depth"]])).max(axis=1).min() < TOLERANCE


def test_rays_meet_a_convex_polyhedron_on_its_surface():
    """ODE takes the distance of the start from a face's plane for the way along the ray: its points are elsewhere."""
    on_surface = hits = 0
    for a, b, _, theirs in recorded("ray_convex"):
        ray, hull = (a, b) if a.name == "ray" else (b, a)
        found = collide_many([(a, b)], NO_LIMIT)[0]
        planes = hull_of(hull.size).planes
        start, along = np.array(ray.position), np.asarray(ray.rotation)[:, 2]

        def height(t, hull=hull, planes=planes, start=start, along=along):
            points = (start + np.multiply.outer(t, along) - hull.position) @ np.asarray(hull.rotation)
            return (points @ planes[:, :3].T - planes[:, 3]).max(axis=-1)

        hits += len(theirs)
        on_surface += sum(abs(height(point["depth"])) < 1e-6 for point in theirs)
        before = height(np.linspace(0.0, float(found.depth[0]) if len(found) else ray.size[0], 1000)[:-1])
        assert before.min() > 0.0 or before.max() < 0.0
        if len(found):
            assert abs(height(found.depth[0])) < 1e-12
            assert abs(start + found.depth[0] * along - found.position[0]).max() < 1e-12
    assert hits > 30 and on_surface == 0


def test_the_recordings_have_contacts_in_both_orders():
    assert len(NAMES) == 26
    for name in NAMES:
        assert sum(len(expected) for _, _, _, expected in recorded(name)) > 30
