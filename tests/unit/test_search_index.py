"""The search of the built documentation finds common terms; `make test` builds it first."""

import json
import re
from pathlib import Path

import pytest

INDEX = Path(__file__).parents[2] / "build" / "docs" / "searchindex.js"

pytestmark = pytest.mark.skipif(not INDEX.exists(), reason="the documentation has not been built: make docs")

# A query, and a page that must be among the results.
QUERIES = {
    "save and restore": "how-to",
    "save": "saving",
    "torque sensor": "how-to",
    "impulse": "how-to",
    "restitution": "how-to",
    "collision filter": "how-to",
    "conveyor": "how-to",
    "motor": "how-to",
    "servo": "how-to",
    "time step": "how-to",
    "units": "how-to",
    "stiff spring": "how-to",
    "taut chain": "how-to",
    "rope": "how-to",
    "wrecking ball": "how-to",
    "contact force": "how-to",
    "trigger": "how-to",
    "performance": "how-to",
    "which solver": "how-to",
    "solver": "solvers",
    "mujoco": "porting-mujoco",
    "pymunk": "porting-pymunk",
    "pybullet": "porting-pybullet",
    "euler angles": "how-to",
    "roll pitch yaw": "how-to",
    "joint friction": "how-to",
    "damping": "how-to",
    "static": "getting-started",
    "raycast": "how-to",
    "ray": "how-to",
    "delete": "how-to",
    "remove body": "how-to",
    "2d": "how-to",
    "layers": "how-to",
    "mask": "glossary",
    "collision groups": "how-to",
    "kinematic": "how-to",
    "actuator": "how-to",
    "weld": "how-to",
    "compound": "how-to",
    "revolute": "glossary",
    "prismatic": "glossary",
    "gravity": "getting-started",
    "glossary": "glossary",
    "validation": "design",
    "design": "design",
}

# The words that Sphinx leaves out of its index and its queries.
SMALL = {"and", "which", "a", "the", "of", "to", "in", "is", "how", "do"}


@pytest.fixture(scope="module")
def index():
    text = INDEX.read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)\s*", text, re.DOTALL)[1])


def pages(index, query):
    """Pages that hold every word of a query, as the page of the search looks for them: words by their stems."""
    stem = pytest.importorskip("snowballstemmer").stemmer("english").stemWord
    found = None
    for word in query.lower().split():
        if word in SMALL:
            continue
        numbers = set()
        for kind in ("terms", "titleterms"):
            entry = index[kind].get(stem(word), [])
            numbers |= {entry} if isinstance(entry, int) else set(entry)
        found = numbers if found is None else found & numbers
    return {index["docnames"][number] for number in found or ()}


@pytest.mark.parametrize("query", QUERIES)
def test_what_people_look_for_is_found(index, query):
    assert QUERIES[query] in pages(index, query)


def test_what_is_nowhere_is_not_found(index):
    assert not pages(index, "quidditch")
