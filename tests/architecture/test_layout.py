"""The rules of the design: order of imports, sizes of files and functions, names."""

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
    "table_methods",  # makes tables known to Numba
}  # how kernels are compiled and called; not part of the data flow

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
    """Tools that collect modules, such as PyInstaller, skip folders that are not packages."""
    assert [path.parent for path in FILES if not (path.parent / "__init__.py").exists()] == []


@pytest.mark.parametrize("path", CORE, ids=module_of)
def test_core_imports_only_what_comes_before(path):
    own = stage_of(module_of(path))
    for imported in imports_of(path):
        if imported.startswith("opendynamics"):
            assert imported.startswith("opendynamics.core"), (
                f"core must not depend on Python objects, but imports {imported}"
            )
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
        if isinstance(node, ast.FunctionDef):
            lines = node.end_lineno - node.lineno + 1
            assert lines <= MAX_FUNCTION, f"{node.name} has {lines} lines"


def test_the_median_file_is_small():
    sizes = [len(path.read_text().splitlines()) for path in FILES if path.name != "__init__.py"]
    assert median(sizes) <= MEDIAN_FILE


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_modules_have_a_docstring(path):
    assert path.stem not in VAGUE
    assert ast.get_docstring(ast.parse(path.read_text())), "a module begins with a docstring"


# Folders in which imports between the inner folders run one way only.
ONE_WAY = ["core/collide", "core/constrain", "core/solve", "core/arrays", "core/bodies", "core/update"]
MAX_FILES = 16


def imports_between_folders(folder: Path) -> dict[Path, set[Path]]:
    """For each folder in `folder`, including itself, the other folders there that its own files import from."""
    imports: dict[Path, set[Path]] = {path.parent: set() for path in FILES if path.is_relative_to(folder)}
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
                    if target.parent in imports and target.parent != path.parent:
                        imports[path.parent].add(target.parent)
                    if name != node.module:
                        break
    return imports


@pytest.mark.parametrize("place", ONE_WAY)
def test_imports_between_folders_run_one_way(place):
    """The folders have an order in which each imports only from those before it."""
    imports = imports_between_folders(PACKAGE / place)
    assert len(imports) > 1
    while ready := [folder for folder, targets in imports.items() if not targets & set(imports)]:
        for folder in ready:
            del imports[folder]
    assert not imports, f"circular imports: {', '.join(str(folder.relative_to(PACKAGE)) for folder in imports)}"


def test_folders_of_core_hold_few_files():
    for folder in imports_between_folders(PACKAGE / "core"):
        files = [path.name for path in folder.glob("*.py")]
        assert len(files) <= MAX_FILES, f"{folder.relative_to(PACKAGE)} has {len(files)} files"


def test_only_the_contract_and_special_colliders_compare_the_kind_of_a_shape():
    """Everything else uses `bodies/shape.py` and the traits, so that a new shape is one file."""
    kinds = {"SPHERE", "BOX", "CAPSULE", "CYLINDER", "CONVEX", "MAPPED", "PLANE", "RAY"}
    allowed = {
        "core/bodies/shape.py",  # the contract
        "core/collide/narrowphase/convex/sat.py",  # polyhedra
        "core/collide/narrowphase/cylinder/cylinder_sat.py",
        "core/collide/narrowphase/cylinder/minkowski_sum.py",
        "core/collide/narrowphase/mesh/convex_triangle.py",  # selects one of the files in its folder
        "core/collide/narrowphase/mesh/general_triangle.py",  # polyhedra and triangles
    }
    comparing = set()
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                names = {part.id for part in [node.left, *node.comparators] if isinstance(part, ast.Name)}
                if names & kinds:
                    comparing.add(path.relative_to(PACKAGE).as_posix())
    assert comparing == allowed


def test_kernels_of_calls_import_no_more_of_the_package_than_they_use():
    """Their keys in the cache depend on all modules that they import, which are read when they are loaded."""
    modules = [*(PACKAGE / "api" / "compiled_calls").glob("*.py"), PACKAGE / "pyode" / "loop_calls.py"]
    assert len(modules) > 5
    for path in modules:
        for module in imports_of(path):
            if module.startswith("opendynamics."):
                assert module.startswith(("opendynamics.core", "opendynamics.api.compiled_calls")), (path.name, module)
