"""The choice of scenes in the live view: all built-in scenes, and all examples, one after another in one view."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="the live view needs viser")

import opendynamics
from opendynamics import scenes
from opendynamics.cli.viewing import _built, known_scenes
from opendynamics.scenes import SCENES
from tests.examples.running import PROGRAMS
from tests.viewer.showing import show


def test_scenes_and_examples_are_offered():
    offered = known_scenes()
    with_scene = {f"examples/{path.name}" for path in PROGRAMS if "\ndef build(" in path.read_text(encoding="utf-8")}
    assert set(offered) == set(SCENES.names) | with_scene and len(with_scene) > 30


def test_examples_of_another_project_are_not_offered(tmp_path, monkeypatch):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "theirs.py").write_bytes(b"# \xff\ndef build():\n    pass\n")
    monkeypatch.setattr(opendynamics, "__file__", str(tmp_path / "opendynamics" / "__init__.py"))
    assert set(known_scenes()) == set(SCENES.names)


def test_the_camera_is_that_of_the_chosen_scene():
    choices = {name: lambda name=name: scenes.build(name) for name in ("wall", "pendulum")}
    with show(scenes.build("falling_ball"), threaded=False, choices=choices) as viewer:
        for name in choices:
            viewer._session.choose(name)
            camera, scene = viewer._session.server.initial_camera, scenes.build(name)
            assert np.allclose(camera.position, scene.camera) and np.allclose(camera.look_at, scene.target), name


def test_worlds_that_are_shown_no_longer_take_no_turns():
    choices = {"wall": lambda: scenes.build("wall")}
    with show(scenes.build("falling_ball"), threaded=False, choices=choices) as viewer:
        worlds = [viewer.world]
        for act in (lambda: viewer._session.choose("wall"), viewer.reset):
            act()
            assert [world._store.patient for world in (*worlds, viewer.world)] == [False] * len(worlds) + [True]
            worlds.append(viewer.world)


@pytest.mark.slow
def test_each_can_be_chosen_and_runs():
    choices = {name: lambda word=word: _built(word) for name, word in known_scenes().items()}
    with show(scenes.build("falling_ball"), threaded=False, choices=choices) as viewer:
        session = viewer._session
        for name in choices:
            session.choose(name)
            viewer.sync()
            assert session.chosen == name and session.panel("choice").names.value == name
            assert sum(len(batch.members) for batch in session.batches.batches) == len(session.batches.geoms) > 0, name
            session.step()
            viewer.sync()
            assert viewer.time == session.source.scene.h and session.error is None
