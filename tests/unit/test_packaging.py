"""Contents of the packages, and their metadata."""

import re
import runpy
import sys
import types
from itertools import chain
from pathlib import Path

import pytest

import opendynamics as od
from tests.floors import ENDS, EXTRAS, TOOLS, floors, resolve

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


# Distributions that modules are not named by.
MODULES = {"imageio-ffmpeg": "imageio_ffmpeg", "pillow": "PIL", "pyyaml": "yaml"}


def test_every_extra_has_code():
    extras = project()["project"]["optional-dependencies"]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "opendynamics").rglob("*.py"))
    for extra in extras.keys() - {"dev", "docs"}:
        distributions = {re.split(r"[\[>]", line)[0] for line in extras[extra]} - {"opendynamics"}
        modules = "|".join(MODULES.get(name, name) for name in distributions)
        pattern = rf'^ *(import|from) ({modules})\b|(import_module|require)\("({modules})\b'
        assert re.search(pattern, sources, re.M), f"nothing imports what the extra {extra!r} brings"


def test_test_data_are_not_packed():
    excluded = project()["tool"]["hatch"]["build"]["targets"]["sdist"]["exclude"]
    assert {"/tests", "/docs/pictures"} <= set(excluded)


def test_links_to_the_project_are_given():
    assert {"Homepage", "Documentation", "Changelog", "Issues"} <= set(project()["project"]["urls"])


def test_names_that_are_imported_late_are_listed():
    assert set(od.__all__) <= set(dir(od))
    assert {"Recorder", "Video", "robot", "plot"} <= set(dir(od))
    assert not {"Any", "annotations", "importlib", "sys"} & set(dir(od))


def test_frozen_programs_have_all_modules(monkeypatch):
    """The hook's requests to PyInstaller, recorded by a stand-in for its function."""
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


def test_the_index_is_asked_for_both_ends(tmp_path, monkeypatch):
    """By a project that needs nothing, one that nothing fits, and an index that is not there."""
    pytest.importorskip("uv")
    text = '[project]\nname = "trial"\nversion = "1"\nrequires-python = ">=3.10"\ndependencies = [{}]\n'
    text += "[project.optional-dependencies]\n" + "".join(f"{extra} = []\n" for extra in EXTRAS)
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    trial = tmp_path / "pyproject.toml"
    trial.write_text(text.format(""))
    assert resolve(trial, "--offline") == "Python 3.10, lowest-direct: \nPython 3.14, highest: "
    trial.write_text(text.format('"pip>=2", "pip<1"'))
    with pytest.raises(ValueError, match=r"no lowest-direct versions fit together on Python 3\.10"):
        resolve(trial, "--offline")
    trial.write_text(text.format('"pip>=2"'))
    assert "not asked: " in resolve(trial, "--index-url", "http://127.0.0.1:9/", "--no-cache")


def test_lanes_are_those_of_the_project():
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]
    assert jobs.keys() == {"gate", "oldest", "newest", "platforms", "frozen"}
    words = {name: " ".join(map(str, job["steps"])) for name, job in jobs.items()}
    low, high = ENDS
    assert low in words["oldest"] and high in words["newest"]
    assert project()["project"]["requires-python"] == f">={low},<3.{int(high[2:]) + 1}"
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make ([a-z-]+)", " ".join(words.values())):
        assert f"\n{target}:" in makefile
    for path in re.findall(r"(?:tests|examples)/[\w./]*\w", " ".join(words.values())):
        assert (ROOT / path).exists()
    assert set(EXTRAS) <= project()["project"]["optional-dependencies"].keys()


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
