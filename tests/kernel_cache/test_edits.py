"""Tables and functions, edited at random in a copy of the package: no entry runs outdated machine code.

What an entry is made of is found by the names in its functions (`call_graph.py`), and not by import statements as keys are.
"""

import ast
import json
import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from opendynamics.cli.kernels import find_entries
from opendynamics.core.arrays.table import DECLARED
from tests.kernel_cache.call_graph import reached_from
from tests.kernel_cache.copies import KEYS, copy_to, run

HERE = Path(__file__).parent

# Calls small entries that read tables, and prints their results.
MEASURES = """
import opendynamics as od
world = od.World(gravity=(0, 0, -10))
arm = od.Body(world)
arm.position = (1, 0, 0)
arm.linear_velocity, arm.angular_velocity = (1, 2, 3), (0.3, 0.5, 0.7)
hinge = world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 1, 0.5))
print(hinge.angle, hinge.rate, od.Box((1, 2, 3)).point_depth((0.25, 0.1, 0)), od.Sphere(1).point_depth((0.25, 0, 0)))
"""


def name_of(entry):
    return f"{entry.py_func.__module__}.{entry.py_func.__name__}"


@pytest.fixture(scope="module")
def made_of():
    """By entry: the functions and the tables that it is made of."""
    return {name_of(entry): reached_from(entry) for entry in find_entries()}


@pytest.fixture
def copy(tmp_path):
    return copy_to(tmp_path)


def keys_of(copy):
    return json.loads(run(copy, KEYS))


# Modules of which all entries are made.
USED_BY_ALL = ("opendynamics.core.algebra", "opendynamics.core.table_methods")


def test_the_other_way_finds_what_entries_are_made_of(made_of):
    functions, tables = made_of["opendynamics.core.step.advance"]
    assert ("opendynamics.core.algebra.vec3", "dot") in functions and len(functions) > 100
    assert {"motions", "rows", "shortage"} - {"shortage"} <= tables and len(tables) > 20


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_twenty_edited_functions(copy, made_of, seed):
    done = subprocess.run(
        [sys.executable, HERE / "edits.py", str(seed), "20"],
        env={"PYTHONPATH": str(copy.parent), "HOME": str(copy.parent)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    users = defaultdict(set)
    for entry, (functions, _) in made_of.items():
        for function in functions:
            users[function].add(entry)
    edits = json.loads(done.stdout)
    assert len(edits) == 20
    for module, function, changed in edits:
        assert users[module, function] <= set(changed), f"{module}.{function} is part of entries whose key stays"
        assert len(changed) < len(made_of) or module.startswith(USED_BY_ALL), module
    assert any(users[module, function] for module, function, _ in edits)


def declaration_of(copy, name):
    """The file in which a table is declared, its text, and where in it."""
    for path in sorted((copy / "core").rglob("*.py")):
        text = path.read_text()
        declaration = re.search(rf'^\w+ = Table\(\s*"{name}"', text, re.MULTILINE)
        if declaration:
            return path, text, declaration.start()
    raise AssertionError(f"no declaration of {name}")


def insert_table(copy, name):
    """Declare a table before that of this name."""
    path, text, at = declaration_of(copy, name)
    added = f'ADDED = Table("added_before_{name}", "f4", type(SHORTAGE.role).CACHE, room=1)\n'
    text = f"{text[:at]}{added}{text[at:]}"
    if path.stem != "table":
        text = text.replace(
            "\nfrom opendynamics.core.arrays.table import ",
            "\nfrom opendynamics.core.arrays.table import SHORTAGE, ",
            1,
        )
    path.write_text(text)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", [table.name for table in DECLARED if table.name != "shortage"])
def test_a_table_before_each(copy, made_of, name):
    before = keys_of(copy)
    path = insert_table(copy, name)
    now = keys_of(copy)
    assert not set(before.values()) & set(now.values()), path


@pytest.mark.slow
@pytest.mark.parametrize("name", [table.name for table in DECLARED])
def test_another_type_of_each(copy, made_of, name):
    """A table whose fields stand in another order, by a change where it is declared or elsewhere; a lone one gets company.

    Other changes may end the import, as Python writes whole rows of some tables.
    """
    before = keys_of(copy)
    path = declaration_of(copy, name)[0]
    path = copy / "core" / "arrays" / "__init__.py" if path.parent.name == "arrays" else path
    path.write_text(
        f"{path.read_text()}\nimport numpy\nfrom opendynamics.core.arrays.table import DECLARED\n"
        f"changed = next(found for found in DECLARED if found.name == {name!r})\n"
        "first, *others = changed.dtype.descr\n"
        "changed.dtype = numpy.dtype([*others, first] if others else [('first', changed.dtype), ('more', 'f8')])\n"
    )
    now = keys_of(copy)
    assert all(now[entry] != before[entry] for entry, (_, tables) in made_of.items() if name in tables)
    assert now != before


def scale_sums(path, name):
    """Let a function that returns a sum or a product return 1.25 times that."""
    text = path.read_text()
    returned = [
        node.value for function in ast.parse(text).body if isinstance(function, ast.FunctionDef) and function.name == name
        for node in ast.walk(function) if isinstance(node, ast.Return) and isinstance(node.value, ast.BinOp)
    ]  # fmt: skip
    for value in returned[-1:]:
        source = ast.get_source_segment(text, value)
        path.write_text(text.replace(f"return {source}", f"return 1.25 * ({source})", 1))


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_results_are_those_of_an_empty_cache(copy, made_of, seed):
    """With the cache of what was before, as with an empty one: after a table inserted and functions edited."""
    draw = random.Random(seed)
    before = run(copy, MEASURES)
    insert_table(copy, draw.choice(["motions", "poses", "joints"]))
    assert run(copy, MEASURES) == before
    entries = [
        "core.constrain.joints.hinge.measure",
        "core.bodies.shapes.box.point_depth",
        "core.bodies.shapes.sphere.point_depth",
    ]
    functions = sorted(set().union(*(made_of[f"opendynamics.{entry}"][0] for entry in entries)))
    for module, name in draw.sample(functions, 4 * len(functions) // 5):
        place = copy.parent.joinpath(*module.split("."))
        scale_sums(place / "__init__.py" if place.is_dir() else place.with_suffix(".py"), name)
    now = run(copy, MEASURES)
    assert now == run(copy, MEASURES, OPENDYNAMICS_CACHE_DIR=str(copy.parent / "empty"))
    assert now != before
