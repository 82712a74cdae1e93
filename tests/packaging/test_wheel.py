"""Wheels with machine code, as `make wheel` builds them: installed, they compile nothing; on other processors, they say why.

The quick tests build a wheel with the code of one entry, the slow one a wheel with all.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from opendynamics.core.compile import shipped

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[2]
LEVEL = "x86-64-v3"
FOR_THE_LEVEL = {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": ""}

pytestmark = pytest.mark.skipif(bool(shipped.missing_features(LEVEL)), reason=f"this processor is not {LEVEL}")

COMPILE_ONE = "from opendynamics.core.step import begin; begin.load()"

# Prints where the package is, what it compiled, whether it needed Numba, and its warnings.
REPORT = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    {program}
from opendynamics import __file__ as package
from opendynamics.core.kernels import ENTRIES
loaded = [entry.cache for entry in ENTRIES if entry.cache.was_kept is not None]
print(json.dumps(dict(
    package=package, loaded=len(loaded), compiled=[cache.name for cache in loaded if not cache.was_kept],
    numba="numba" in sys.modules, warned=[str(warning.message) for warning in caught],
)))
"""

FIRST_LINES = """
    import opendynamics as od
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
    box = world.add_body(od.Box((0.2, 0.2, 0.2)), position=(1, 0, 2), density=1000)
    world.advance(1 / 60, steps=300)
    assert abs(ball.position[2] - 0.1) < 1e-3 and abs(box.position[2] - 0.1) < 1e-3
"""


def requirements():
    from importlib.metadata import version

    numpy = ".".join(version("numpy").split(".")[:2])
    return f"numba=={version('numba')} llvmlite=={version('llvmlite')} numpy=={numpy}.*"


def built(code, folder):
    """The wheel with the machine code of a folder."""
    (code / "requires.txt").write_text(requirements())
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(
        command, cwd=ROOT, env=os.environ | {"OPENDYNAMICS_MACHINE_CODE": str(code)}, check=True, timeout=120
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(wheel, folder):
    """The folder in which pip has installed the wheel, without its requirements."""
    options = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "--quiet", "--target"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(folder), str(wheel)], check=True, timeout=120)
    return folder


def compiled(code, program):
    """The machine code for the level of what a program loads, in a folder."""
    chosen = {"OPENDYNAMICS_CACHE_DIR": str(code / LEVEL), "PYTHONPATH": str(ROOT)}
    subprocess.run(program, env=os.environ | FOR_THE_LEVEL | chosen, check=True, timeout=3000)
    return code


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    code = compiled(tmp_path_factory.mktemp("code"), [sys.executable, "-c", COMPILE_ONE])
    return built(code, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def untouched(wheel, tmp_path_factory):
    return installed(wheel, tmp_path_factory.mktemp("site"))


@pytest.fixture
def site(untouched, tmp_path):
    """An installation that a test may damage."""
    return Path(shutil.copytree(untouched, tmp_path / "site"))


def run(site, folder, program=COMPILE_ONE, **environment):
    """What a fresh process in an empty folder says of a program, by an installation and a user without anything."""
    folder.mkdir(exist_ok=True)
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"} | environment
    done = subprocess.run(
        [sys.executable, "-c", REPORT.format(program=program)],
        cwd=folder,
        env=given,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    report = json.loads(done.stdout.splitlines()[-1])
    assert Path(report["package"]).is_relative_to(site) and report["loaded"] > 0
    return report


def files_of(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_it_says_what_it_is_for(wheel):
    here = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert f"-{here}-{here}-" in wheel.name and wheel.name.endswith("x86_64.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        described = archive.read(metadata).decode()
    kernels = [name for name in names if name.endswith(".kernel")]
    assert len(kernels) == 1 and kernels[0].startswith(f"opendynamics/_machine_code/{LEVEL}/core.step.begin-")
    for requirement in requirements().split():
        assert f"Requires-Dist: {requirement}" in described


def test_nothing_is_compiled_and_nothing_is_written(untouched, tmp_path):
    """As in a read-only installation, for a user without a home."""
    before = files_of(untouched)
    report = run(untouched, tmp_path / "empty")
    assert report["compiled"] == report["warned"] == [] and not report["numba"]
    assert files_of(untouched) == before and not list((tmp_path / "empty").iterdir())


def test_a_processor_without_the_features_compiles_and_says_so_in_a_line(untouched, tmp_path):
    choice = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "OPENDYNAMICS_CACHE_DIR": str(tmp_path / "cache")}
    report = run(untouched, tmp_path / "empty", **choice)
    assert report["compiled"] == ["core.step.begin"]
    (warning,) = report["warned"]
    assert warning.startswith(f"the machine code that came with opendynamics is for {LEVEL}, and NUMBA_CPU_FEATURES")
    assert "avx2" in warning and "\n" not in warning
    again = run(untouched, tmp_path / "empty", **choice)
    assert again["compiled"] == again["warned"] == []


def test_a_damaged_file_is_compiled_anew_and_named_in_a_line(site, tmp_path):
    (kernel,) = site.rglob("*.kernel")
    content = bytearray(kernel.read_bytes())
    content[-1] ^= 1
    kernel.write_bytes(content)
    report = run(site, tmp_path / "empty", OPENDYNAMICS_CACHE_DIR=str(tmp_path / "cache"))
    assert report["compiled"] == ["core.step.begin"]
    (warning,) = report["warned"]
    assert kernel.name in warning and "is damaged" in warning and "\n" not in warning


def test_without_its_file_and_a_place_to_keep_kernels_one_line_says_so(site, tmp_path):
    (kernel,) = site.rglob("*.kernel")
    kernel.unlink()
    report = run(site, tmp_path / "empty", OPENDYNAMICS_CACHE_DIR="/dev/null/none")
    assert report["compiled"] == ["core.step.begin"]
    (warning,) = report["warned"]
    assert warning.startswith("compiled kernels are not kept") and "\n" not in warning


@pytest.mark.slow
def test_the_whole_wheel_runs_first_lines_and_the_demo_without_compiling(tmp_path):
    given = os.environ.get("OPENDYNAMICS_WHEEL")  # one that `make wheel` has built
    if given:
        whole = Path(given)
    else:
        everything = [sys.executable, "-c", "from opendynamics.cli import main; raise SystemExit(main(['warmup']))"]
        (tmp_path / "dist").mkdir()
        whole = built(compiled(tmp_path / "code", everything), tmp_path / "dist")
    site = installed(whole, tmp_path / "site")
    nowhere = {"OPENDYNAMICS_CACHE_DIR": "/dev/null/none"}
    for program in (FIRST_LINES, "from opendynamics.cli import main; main(['demo', '--seconds', '1'])"):
        report = run(site, tmp_path / "empty", program, **nowhere)
        assert report["compiled"] == report["warned"] == [] and not report["numba"]
