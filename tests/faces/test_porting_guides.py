"""The porting guides from other engines: their examples run, and every name in their tables exists."""

import re
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics import c_api

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = sorted(path.stem for path in DOCS.glob("porting-*.md"))


def text_of(guide):
    return (DOCS / f"{guide}.md").read_text(encoding="utf-8")


def test_there_are_five_guides():
    assert GUIDES == ["porting-mujoco", "porting-ode", "porting-pybullet", "porting-pymunk", "porting-pyode"]
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert all(f"\n{guide}\n" in index for guide in GUIDES)


@pytest.mark.parametrize("guide", GUIDES)
def test_the_examples_of_a_guide_run(guide):
    """The blocks of a page are one program; they contain their own assertions."""
    blocks = re.findall(r"^```python\n(.*?)^```", text_of(guide), re.DOTALL | re.MULTILINE)
    assert blocks and sum(block.count("assert ") for block in blocks) >= 1
    scope = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, f"docs/{guide}.md", "exec"), scope)


@pytest.mark.parametrize("guide", GUIDES)
def test_names_in_the_tables_exist(guide):
    """`od.Name`, methods of worlds and bodies, and C names, in the columns that are about opendynamics."""
    rows = [line.split("|")[2:-1] for line in text_of(guide).splitlines() if line.startswith("| ")]
    text = " ".join(cell for row in rows for cell in row)
    for kind, name in re.findall(r"\b(od|world|body|hinge|geom)\.(\w+)", text):
        owner = {"od": od, "world": od.World(), "body": od.Body, "hinge": od.Hinge, "geom": od.Geom}[kind]
        assert hasattr(owner, name), f"{kind}.{name}"
    for name in re.findall(r"\b(add_\w+)", text):
        assert hasattr(od.World, name) or hasattr(od.Body, name), name
    for name in re.findall(r"\bd[A-Z]\w+", text):
        assert hasattr(c_api, name), name
    assert len(rows) > 8
