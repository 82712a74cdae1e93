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
    "table_methods",  # what of Numba makes tables known to it
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


def test_every_folder_with_modules_is_a_package():
    """Tools that gather modules, such as PyInstaller, do not look into folders that only happen to hold some."""
    assert [path.parent for path in FILES if not (path.parent / "__init__.py").exists()] == []


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


# Folders in which every folder is one room and arrows between rooms run one way only.
ONE_WAY = ["core/collide", "core/constrain", "core/solve", "core/arrays", "core/bodies", "core/update"]
MOST_FILES = 16


def rooms_below(folder: Path) -> dict[Path, set[Path]]:
    """For each folder below `folder`, itself among them, the other folders there that its own files import from."""
    arrows: dict[Path, set[Path]] = {path.parent: set() for path in FILES if path.is_relative_to(folder)}
    modules = {module_of(path): path for path in FILES}
    for path in FILES:
        if not path.is_relative_to(folder):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            for name in [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]:
                target = modules.get(name)
                if target is not None:
                    if target.parent in arrows and target.parent != path.parent:
                        arrows[path.parent].add(target.parent)
                    if name != node.module:
                        break
    return arrows


@pytest.mark.parametrize("place", ONE_WAY)
def test_imports_between_folders_run_one_way(place):
    """Rooms can be put in an order in which each imports only from those before it."""
    arrows = rooms_below(PACKAGE / place)
    assert len(arrows) > 1
    while ready := [room for room, targets in arrows.items() if not targets & set(arrows)]:
        for room in ready:
            del arrows[room]
    assert not arrows, f"imports in circles: {', '.join(str(room.relative_to(PACKAGE)) for room in arrows)}"


def test_folders_of_core_hold_few_files():
    for folder in rooms_below(PACKAGE / "core"):
        files = [path.name for path in folder.glob("*.py")]
        assert len(files) <= MOST_FILES, f"{folder.relative_to(PACKAGE)} has {len(files)} files"


def test_only_the_contract_and_colliders_of_certain_shapes_ask_for_the_kind_of_a_shape():
    """Everything else asks `bodies/shape.py` and the traits, so that a new shape is one file."""
    kinds = {"SPHERE", "BOX", "CAPSULE", "CYLINDER", "CONVEX", "MAPPED", "PLANE", "RAY"}
    allowed = {
        "core/bodies/shape.py",  # the contract
        "core/collide/narrowphase/convex/sat.py",  # polyhedra
        "core/collide/narrowphase/cylinder/cylinder_sat.py",
        "core/collide/narrowphase/cylinder/minkowski_sum.py",
        "core/collide/narrowphase/mesh/convex_triangle.py",  # chooses among the files beside it
        "core/collide/narrowphase/mesh/general_triangle.py",  # polyhedra and triangles
    }
    asking = set()
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                names = {part.id for part in [node.left, *node.comparators] if isinstance(part, ast.Name)}
                if names & kinds:
                    asking.add(path.relative_to(PACKAGE).as_posix())
    assert asking == allowed
