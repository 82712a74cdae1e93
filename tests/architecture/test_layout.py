"""The house stays as the design says: order of imports, sizes of files and functions, names."""

import ast
from pathlib import Path
from statistics import median

import pytest

PACKAGE = Path(__file__).parents[2] / "opendynamics"
FILES = sorted(PACKAGE.rglob("*.py"))
CORE = [path for path in FILES if path.is_relative_to(PACKAGE / "core")]

# The folders of core in the order in which data moves; each imports only from itself and those before it.
PIPELINE = ["algebra", "arrays", "bodies", "collide", "constrain", "solve", "update"]
EVERYWHERE = {
    "compile",
    "kernels",
    "families",
}  # how kernels become machine code and are called; no part of the data flow

MAX_FILE, MAX_FUNCTION, MEDIAN_FILE = 600, 60, 150
VAGUE = {"utils", "util", "common", "helpers", "helper", "manager", "misc_functions"}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def stage_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["opendynamics", "core"] and len(parts) > 2 else None


def test_pipeline_is_in_alphabetical_order():
    folders = sorted(path.name for path in (PACKAGE / "core").iterdir() if (path / "__init__.py").exists())
    assert [folder for folder in folders if folder not in EVERYWHERE] == PIPELINE == sorted(PIPELINE)


@pytest.mark.parametrize("path", CORE, ids=module_of)
def test_core_imports_only_what_comes_before(path):
    own = stage_of(module_of(path))
    for imported in imports_of(path):
        if imported.startswith("opendynamics"):
            assert imported.startswith("opendynamics.core"), f"core knows no Python objects, but imports {imported}"
        stage = stage_of(imported)
        if stage is None or stage in EVERYWHERE or own not in PIPELINE:
            continue
        assert stage in PIPELINE, f"{imported} is above the pipeline"
        assert PIPELINE.index(stage) <= PIPELINE.index(own), f"{module_of(path)} imports {imported}, which comes later"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_files_and_functions_are_small(path):
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and path.stem != "box_box":
            lines = node.end_lineno - node.lineno + 1
            assert lines <= MAX_FUNCTION, f"{node.name} has {lines} lines"


def test_the_usual_file_is_small():
    sizes = [len(path.read_text().splitlines()) for path in FILES if path.name != "__init__.py"]
    assert median(sizes) <= MEDIAN_FILE


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_modules_say_what_they_are(path):
    assert path.stem not in VAGUE
    assert ast.get_docstring(ast.parse(path.read_text())), "a module begins with a docstring"
