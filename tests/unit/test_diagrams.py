"""Diagrams of the reference: those in the repository are what the script makes, and their labels are names of the classes."""

import re
import runpy
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics.api.geoms.geom import GEOM_CLASSES

DOCS = Path(__file__).parents[2] / "docs"
MADE = runpy.run_path(str(DOCS / "diagrams.py"))
BUILT = DOCS.parent / "build" / "docs" / "api.html"
# Labels that are words, not names of the class; those of frames; and joints without a diagram of their own.
WORDS = {
    "body1", "body2", "x", "y", "z", "body1 (chassis)", "body2 (wheel)", "1 turn", "ratio turns", "origin", "solid below",
    "origin of the world", "world", "centre of mass", "rotation, quaternion: its axes in the world",
}  # fmt: skip
PLAIN = {"ContactJoint", "Fixed", "Null", "Servo"}
BY_DATA = {"Convex", "CustomGeom", "GeomTransform", "Ray", "SupportGeom", "Trimesh", "Geom"}


@pytest.mark.parametrize("name", MADE["DIAGRAMS"])
def test_the_diagram_is_current_and_names_what_there_is(name):
    text = (MADE["PICTURES"] / f"{name}.svg").read_text(encoding="utf-8")
    assert text == MADE["diagram"](name), "run python docs/diagrams.py"
    for label in set(re.findall(r">([^<>]+)</text>", text)) - WORDS:
        owner = od.HeightfieldData if label in ("width", "depth") and name == "Heightfield" else getattr(od, name)
        assert hasattr(owner, label.partition("[")[0]), f"{name} has no {label!r}"


def test_each_joint_and_each_shape_with_dimensions_has_one():
    joints = {name for name in od.__all__ if isinstance(kind := getattr(od, name), type) and issubclass(kind, od.Joint)}
    shapes = {kind.__name__ for kind in GEOM_CLASSES.values() if kind.__module__.startswith("opendynamics.api")}
    assert (joints | shapes) - PLAIN - BY_DATA - {"Joint"} <= set(MADE["DIAGRAMS"])


def test_the_reference_shows_each_once():
    if not BUILT.exists():
        pytest.skip("the documentation has not been built: make docs")
    shown = re.findall(r'alt="Diagram of (\w+)"', BUILT.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(MADE["DIAGRAMS"])
