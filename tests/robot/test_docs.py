"""The page on robots: its examples have the stated results."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_examples_of_the_page(monkeypatch):
    monkeypatch.chdir(ROOT)
    failures, tried = doctest.testfile(str(ROOT / "docs" / "robots.md"), module_relative=False, encoding="utf-8")
    assert tried > 15 and not failures


def test_every_name_of_the_package_is_there():
    import opendynamics as od

    assert all(hasattr(od.robot, name) for name in od.robot.__all__) and od.load_robot is od.robot.load_robot


def test_the_engine_alone_does_not_import_robots():
    import subprocess
    import sys

    script = "import sys, opendynamics; print([name for name in sys.modules if 'robot' in name or name in ('lark', 'trimesh')])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
