"""`import opendynamics` imports only its tables; other names are imported on first use."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import opendynamics as od

ROOT = Path(od.__file__).parents[1]


def run(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()


def test_importing_the_package_imports_the_tables_alone():
    """Whose order must not depend on what is imported next."""
    shown = run("import sys, opendynamics; print([name for name in sys.modules if name.startswith('opendynamics.')])")
    modules = ast.literal_eval(shown)
    assert "opendynamics.core.arrays.table" in modules
    assert [name for name in modules if not name.startswith("opendynamics.core")] == []
    assert run("import sys, opendynamics; print({'logging', 'numba', 'llvmlite'} & set(sys.modules))") == "set()"


def test_each_name_has_the_place_that_type_checkers_see():
    tree = ast.parse(Path(od.__file__).read_text(encoding="utf-8"))
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module.removeprefix("opendynamics").lstrip(".")
        for node in checked.body
        for alias in node.names
    }
    modules = {name: seen.pop(name) for name in ("robot", "rotation")}
    assert modules == {"robot": "", "rotation": "api"}
    assert seen == od._PLACES
    assert set(od.__all__) == {*seen, *modules}


def test_names_are_there_and_stay_the_same():
    for name in od.__all__:
        assert getattr(od, name) is getattr(od, name) and name in dir(od)
    assert od.World.__module__ == "opendynamics.api.world" and od.rotation.__name__ == "opendynamics.api.rotation"
    with pytest.raises(AttributeError, match="has no attribute 'Wrld'; did you mean 'World'"):
        od.Wrld  # noqa: B018


def test_tables_have_their_positions_whatever_is_imported_first():
    """Machine code depends on them, so another order would recompile everything."""
    show = "from opendynamics.core.arrays.table import DECLARED; print([table.name for table in DECLARED])"
    expected = run(f"import opendynamics as od; od.World; {show}")
    firsts = ("opendynamics.api.solver_settings", "opendynamics.robot.robot", "opendynamics.c_api", "opendynamics.io")
    for first in firsts:
        assert run(f"import {first}; {show}") == expected, first
