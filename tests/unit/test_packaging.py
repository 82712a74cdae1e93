"""What is packed, and what the package says of itself."""

import re
import runpy
import sys
import types
from itertools import chain
from pathlib import Path

import pytest

import opendynamics as od
from tests.floors import TOOLS, floors

ROOT = Path(__file__).parents[2]


def project():
    return pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text())


def test_the_version_is_written_down_once():
    described = project()
    assert "version" not in described["project"] and described["project"]["dynamic"] == ["readme", "version"]
    assert described["tool"]["hatch"]["version"]["path"] == "opendynamics/__init__.py"
    found = [
        path
        for path in (*ROOT.glob("*.toml"), *(ROOT / "opendynamics").rglob("*.py"))
        if re.search(rf'version__? = "{re.escape(od.__version__)}"', path.read_text(encoding="utf-8"))
    ]
    assert found == [ROOT / "opendynamics" / "__init__.py"]


def test_films_have_an_extra_of_their_own():
    extras = project()["project"]["optional-dependencies"]
    assert not any("ffmpeg" in line for line in extras["render"])
    assert any("ffmpeg" in line for line in extras["video"])


def test_test_data_are_not_packed():
    excluded = project()["tool"]["hatch"]["build"]["targets"]["sdist"]["exclude"]
    assert {"/tests", "/docs/pictures"} <= set(excluded)


def test_links_to_the_project_are_given():
    assert {"Homepage", "Documentation", "Changelog", "Issues"} <= set(project()["project"]["urls"])


def test_names_that_are_imported_late_are_listed():
    assert set(od.__all__) <= set(dir(od))
    assert {"Recorder", "Video", "robot", "plot"} <= set(dir(od))


def test_frozen_programs_have_all_modules(monkeypatch):
    """What the hook asks of PyInstaller, by a stand-in for its function."""
    asked = {}

    def collect_submodules(package, filter):
        asked[package] = filter
        return ["found"]

    hooks = types.ModuleType("PyInstaller.utils.hooks")
    hooks.collect_submodules = collect_submodules
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    found = runpy.run_path(str(ROOT / "opendynamics" / "_pyinstaller" / "hook-opendynamics.py"))
    assert found["hiddenimports"] == ["found"] and "py" in found["module_collection_mode"]
    (wanted,) = asked.values()
    assert wanted("opendynamics.core.constrain.joints.hinge") and not wanted("opendynamics._pyinstaller")


def test_every_dependency_has_one_floor():
    """Those of the package and its extras, which `make test-oldest` installs."""
    known = floors((ROOT / "pyproject.toml").read_text())
    described = project()["project"]
    lines = [*described["dependencies"], *chain.from_iterable(described["optional-dependencies"].values())]
    named = {re.split(r"[>=<\[]", line)[0] for line in lines}
    assert known.keys() == named - TOOLS - {"opendynamics"}
    assert known["numba"] == "0.61" and known["trimesh"] == "4.4"
    with pytest.raises(ValueError, match="pillow has two floors"):
        floors('"pillow>=10", "pillow>=11"')
