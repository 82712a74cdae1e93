"""docs/c-names.md is up to date, has every C name, and only existing names."""

import importlib.util
import inspect
import re
from pathlib import Path

import opendynamics as od
from opendynamics import c_api

DOCS = Path(__file__).parents[2] / "docs"


def generator():
    spec = importlib.util.spec_from_file_location("c_names", DOCS / "c_names.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = generator()
TABLE = (DOCS / "c-names.md").read_text(encoding="utf-8")


def test_pages_are_current():
    assert MAKER.page() == TABLE, "run python docs/c_names.py"
    assert (DOCS / "c-reference.md").read_text(encoding="utf-8") == MAKER.reference()


def test_every_c_function_has_a_row():
    rows = set(re.findall(r"^\| \[(\w+)\]", TABLE, re.MULTILINE))
    functions = {name for name in c_api.__all__ if inspect.isfunction(getattr(c_api, name))}
    assert rows <= functions and len(rows) > 700
    assert {name for name in functions - rows if getattr(c_api, name).__name__ not in rows} == set()


def test_pythonic_names_exist():
    found = re.findall(r"\{py:(?:class|func)\}`([\w.]+) <opendynamics\.(?!c_api)([\w.]+)>`", TABLE)
    assert len(found) > 450
    for shown, owner in found:
        target = getattr(od, owner)
        for part in shown.split(".")[1:]:
            known = hasattr(target, part) or part in target.__annotations__ or part in target.__slots__
            assert known, shown
            target = getattr(target, part, None)


def test_some_rows_say_what_one_would_expect():
    text = re.sub(r"\{py:\w+\}`([\w.]+) <[\w.]+>`|\[([\w.]+)\]\([\w.#-]+\)", r"\1\2", TABLE)
    for row in (
        "| dWorldStep | World.step | World.step |",
        "| dBodySetPosition | Body.position | Body.setPosition |",
        "| dJointGetHingeAngle | Hinge.angle | HingeJoint.getAngle |",
        "| dBoxTouchesBox | boxes_touch | — |",
        "| dWorldSetQuickStepNumIterations | World.quickstep_iterations | World.setQuickStepNumIterations |",
    ):
        assert row in text, row


def test_every_link_has_a_heading():
    reference = (DOCS / "c-reference.md").read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", reference, re.MULTILINE)
    anchors = {MAKER.anchor(heading) for heading in headings}
    assert len(headings) == len(set(headings)) == len(anchors)
    links = set(re.findall(r"\(c-reference\.md#([\w-]+)\)", TABLE))
    assert len(links) > 700 and links <= anchors
    assert MAKER.anchors("# Ab\n## aB\n## c.d\n") == {"Ab": "ab", "aB": "ab-1", "c.d": "cd"}
