"""Every example is short, describes itself, runs, and has a scene for `opendynamics view`."""

import ast

import pytest

from opendynamics.scenes import Scene
from tests.examples.running import PROGRAMS, run

# Programs that read from top to bottom.
WITHOUT_SCENE = {"hello", "classic_loop", "mesh_on_terrain", "recording"}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_it_is_short_and_says_what_it_shows(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 80
    summary = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    assert summary.endswith(".") and len(summary) > 30


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_it_runs_and_prints_what_came_out(path):
    scope, out = run(path.stem)
    assert 1 <= len(out.strip().splitlines()) <= 12
    assert ("build" in scope and isinstance(scope.get("scene", scope["build"]()), Scene)) != (
        path.stem in WITHOUT_SCENE
    )


def test_there_are_forty_of_them():
    assert len(PROGRAMS) >= 40
