"""Contacts recorded from ODE 0.16.2 (double precision): as many of ours, in the same places, in both orders of a pair.

Where more contacts were found than were asked for, ODE and we keep different ones; then only their number must agree.
"""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tests.families.pair_calls import Shape, collide_many, rotation_of

DATA = Path(__file__).parents[1] / "data" / "contacts"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in DATA.glob("*.json.gz"))
TOLERANCE = 1e-9
NO_LIMIT = 64

SIZES = {"sphere": ["radius"], "box": ["lengths"], "capsule": ["radius", "length"], "plane": ["normal", "d"]}


def shape_of(record):
    size = np.hstack([record[key] for key in SIZES[record["type"]]])
    if record["type"] == "plane":
        return Shape("plane", tuple(size))
    return Shape(record["type"], tuple(size), tuple(record["pos"]), rotation_of(record["quat"]))


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


@pytest.mark.parametrize("name", NAMES)
def test_contacts_are_those_of_ode(name):
    calls = list(recorded(name))
    all_contacts = collide_many([(a, b) for a, b, _, _ in calls], NO_LIMIT)
    for (a, b, limit, expected), unlimited in zip(calls, all_contacts, strict=True):
        found = unlimited if len(unlimited) <= limit else collide_many([(a, b)], limit)[0]
        assert len(found) == len(expected), (a, b)
        if len(unlimited) > limit or not expected:
            continue
        ours = rows(found.position, found.normal, found.depth)
        theirs = rows(*([point[key] for point in expected] for key in ("pos", "normal", "depth")))
        differences = abs(theirs[:, None] - ours[None]).max(axis=2)
        assert differences.min(axis=1).max() < TOLERANCE, (a, b)
        assert differences.min(axis=0).max() < TOLERANCE, (a, b)


def test_the_recordings_have_contacts_in_both_orders():
    assert len(NAMES) == 9
    for name in NAMES:
        assert sum(len(expected) for _, _, _, expected in recorded(name)) > 30
