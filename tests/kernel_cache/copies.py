"""Copies of the package for editing, and programs that run with them and a separate kernel cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

PACKAGE = Path(__file__).parents[2] / "opendynamics"

# An entry that compiles in a moment, and its callees.
DEPTH = "import opendynamics as od; print(od.Sphere(1.0).point_depth((0, 0, 0.25)))"

KEYS = """
import json
from opendynamics.cli.kernels import find_entries
print(json.dumps({entry.py_func.__module__ + "." + entry.py_func.__name__: entry.cache.file_name()
                  for entry in find_entries()}))
"""


def copy_to(folder: Path) -> Path:
    """A copy of the package in `folder`; returns the copy."""
    return Path(shutil.copytree(PACKAGE, folder / "opendynamics", ignore=shutil.ignore_patterns("__pycache__")))


def edit(path: Path, old: str, new: str) -> None:
    """Replace `old`, of which there is one, by `new`."""
    text = path.read_text()
    assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
    path.write_text(text.replace(old, new))


def start(copy: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program with the copy and a cache folder next to it; with the package itself, the test has to name one."""
    found = os.environ | {"PYTHONPATH": str(copy.parent)}
    if copy != PACKAGE:
        found["OPENDYNAMICS_CACHE_DIR"] = str(copy.parent / "cache")
    assert "OPENDYNAMICS_CACHE_DIR" in found | environment
    return subprocess.run(
        [sys.executable, "-c", dedent(script)],
        env=found | environment,
        cwd=found["PYTHONPATH"],
        capture_output=True,
        text=True,
        check=False,
    )


def run(copy: Path, script: str, **environment: str) -> str:
    """The output of the program; it must neither fail nor warn."""
    done = start(copy, script, **environment)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr, done.stderr
    return done.stdout.strip()
