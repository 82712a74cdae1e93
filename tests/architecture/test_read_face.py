"""Packages other than `api` use only its public names."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTSIDE = ("io", "viewer", "c_api", "pyode", "robot", "cli", "drawstuff", "scenes")
FILES = sorted(
    path
    for folder in (*(ROOT / "opendynamics" / name for name in OUTSIDE), ROOT / "benchmarks")
    for path in folder.rglob("*.py")
)


def private_names_of_the_api():
    """Attributes with an underscore that classes of `api` define."""
    found = set()
    for path in (ROOT / "opendynamics" / "api").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found |= {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
                found.add(node.value)  # __slots__
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def own_names(tree):
    """Private names that a file's own classes define, or that it sets on itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            yield node.attr


def reaches(tree):
    """Private names accessed on anything other than self, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            its_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not its_own:
                yield node.attr, node.lineno


API = private_names_of_the_api()


def test_the_names_that_matter_are_known():
    assert {"_store", "_row", "_record", "_home", "_bodies", "_values", "_watchers"} <= API


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_private_reach_into_the_api(path):
    tree = ast.parse(path.read_text())
    own = set(own_names(tree))
    found = [f"line {line}: {name}" for name, line in reaches(tree) if name in API and name not in own]
    assert not found, f"{found}; read by opendynamics.api.reading"
