"""Time in the live view: pace, steps, reset, errors, recordings, saved pages."""

import re
import threading
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics.viewer.live.commands import Commands
from opendynamics.viewer.live.overlays import OVERLAYS
from opendynamics.viewer.live.replay import Replay
from tests.viewer.fake_browser import FakeBrowser, until
from tests.viewer.showing import batch_of, panel_of, show


def test_time_goes_on_at_its_pace_and_stands_still(live):
    until(lambda: live.time > 0.3)
    live.pause()
    time = live.time
    assert not live.playing
    live.step(3)
    assert live.time == pytest.approx(time + 0.03)
    live.speed = 4.0
    live.play()
    until(lambda: live.time > time + 1.0)


def test_a_view_changes_nothing_of_the_motion(world):
    other = scenes.build("pit").world
    for _ in range(60):
        other.advance(0.01)
    with show(scenes.build("pit"), play=False) as viewer:
        viewer.call(lambda: [viewer._session.show_overlay(name, True) for name in OVERLAYS.names])
        viewer.call(lambda: viewer._session.panels[-1].switch(True))
        viewer.step(60)
        assert np.array_equal(viewer.world.positions, other.positions)


def test_reset_puts_a_world_back_to_the_last_bit(live, world):
    live.pause()
    live.reset()
    start = world.positions
    live.step(80)
    once = world.positions
    live.reset()
    assert np.array_equal(world.positions, start)
    live.step(80)
    assert np.array_equal(world.positions, once)


def test_reset_takes_back_members_that_came_and_went_and_builds_a_scene_anew_where_it_can(live, world):
    live.pause()
    live.reset()
    start, first, shown = world.state_hash(), world.bodies[0], len(live._session.batches.geoms)
    added = live.call(lambda: world.add_body(od.Sphere(0.1), position=(0, 5, 5)))
    live.call(first.destroy)
    live.step(3)
    live.reset()
    assert world.state_hash() == start
    assert first.alive
    assert not added.alive
    until(lambda: len(live._session.batches.geoms) == shown)
    assert live.error is None
    with show(scenes.build("wall"), play=False, rebuild=lambda: scenes.build("wall", ball=True)) as viewer:
        first = viewer.world
        viewer.step()
        viewer.reset()
        assert viewer.world is not first
        assert viewer.time == 0.0
        viewer.step()
        until(lambda: len(viewer._session.batches.geoms) == 41)


def test_what_a_scene_raises_stops_the_playing_and_is_kept(world, capsys):
    def advance(h):
        raise ArithmeticError("boom")

    with show(world, advance=advance) as viewer:
        until(lambda: viewer.error is not None)
        assert not viewer.playing
        assert isinstance(viewer.error, ArithmeticError)
        assert viewer.call(lambda: 7) == 7
        viewer.reset()
        assert viewer.error is None
    assert "ArithmeticError: boom" in capsys.readouterr().err


def test_a_scene_that_exits_does_not_end_the_view(world, capsys):
    def advance(h):
        raise SystemExit("enough")

    with show(world, advance=advance) as viewer:
        until(lambda: isinstance(viewer.error, SystemExit))
        assert viewer.call(lambda: 7) == 7
        with pytest.raises(SystemExit):
            viewer.step()
    assert "SystemExit: enough" in capsys.readouterr().err


def test_commands_that_nobody_takes_any_more_are_cancelled():
    commands = Commands()
    early = commands.put(int)
    assert commands.run()
    assert early.result() == 0
    waiting = commands.put(int)
    commands.close()
    assert waiting.cancelled()
    assert commands.put(int).cancelled()
    assert not commands.run()


def test_who_is_served_too_late_hears_of_it(live, monkeypatch):
    monkeypatch.setattr(Commands, "put", lambda self, function: cancelled())
    with pytest.raises(RuntimeError, match="the live view of trial was closed in the meantime"):
        live.call(int)


def cancelled():
    future = Future()
    future.cancel()
    return future


def test_one_thread_has_the_world(world):
    threads = set()
    with show(world, advance=lambda h: threads.add(threading.current_thread().name)) as viewer:
        until(lambda: viewer.time > 0.1)
        threads.add(viewer.call(lambda: threading.current_thread().name))
    assert threads == {"opendynamics live view"}


def test_slow_simulations_are_shown_slowly(world):
    import time

    with show(world, advance=lambda h: time.sleep(0.03)) as viewer:
        until(lambda: viewer._session.pace.speed > 0.0 and viewer.time > 0.3)
        assert viewer._session.pace.speed < 0.5


def test_a_replay_plays_seeks_and_ends():
    world = od.World()
    ball = world.add_body(od.Sphere(0.1))
    times = np.arange(20) * 0.05 + 3.0

    def put(frame):
        ball.position = (frame, 0, 0)

    with show(Replay(scenes.Scene(world), times, put), speed=4.0) as viewer:
        until(lambda: not viewer.playing)
        assert viewer.time == pytest.approx(0.95)
        assert ball.position[0] == 19
        viewer.seek(0.26)
        assert ball.position[0] == 5
        viewer.step()
        assert ball.position[0] == 6
        viewer.reset()
        assert ball.position[0] == 0
        browser = FakeBrowser(viewer.url)
        timeline = panel_of(viewer, "timeline")
        browser.press(timeline._slider, 0.5)
        until(lambda: ball.position[0] == 10)
        until(lambda: batch_of(viewer, "sphere").handles[0].batched_positions[0, 0] == 10)
        viewer.seek(2.0)
        viewer.speed = 0.1  # so that it lasts until it is inspected
        viewer.play()  # from the end: once more
        until(lambda: viewer.time < 0.9)
        browser.close()
    with pytest.raises(ValueError, match="ascending times"):
        Replay(scenes.Scene(world), [1.0, 0.5], put)
    with pytest.raises(ValueError, match="a recording is played as it is"):
        show(Replay(scenes.Scene(world), times, put), h=0.1)


class Tape:
    """What a recording is to the viewer: a ball that is elsewhere in every frame, and touches something."""

    times = np.arange(5) * 0.1

    def world(self):
        world = od.World(name="tape")
        world.add_body(od.Sphere(0.1))
        return world

    def put(self, world, frame):
        world.bodies[0].position = (frame, 0, 0)

    def contacts(self, frame):
        if frame > 3:
            raise ValueError("not recorded")
        return SimpleNamespace(positions=[(frame, 0, 1.0)], forces=[(0, 0, 2.0)])


class TapeScene(scenes.Scene):
    recording = Tape()


@pytest.mark.parametrize("make", [Tape, lambda: TapeScene(Tape().world())])
def test_a_recording_is_shown_with_its_contacts(make):
    def dots():
        handle = viewer._session.overlays["contacts"]._dots._handle
        return handle.points.tolist() if handle is not None and handle.visible else []

    what = make()
    with show(what, play=False) as viewer:
        viewer.call(lambda: viewer._session.show_overlay("contacts", True))
        viewer.seek(0.2)
        assert viewer.world.bodies[0].position[0] == 2
        until(lambda: dots() == [[2, 0, 1]])
        viewer.seek(0.4)
        assert viewer.world.bodies[0].position[0] == 4
        until(lambda: dots() == [])
        assert viewer.error is None
        assert batch_of(viewer, "sphere").moves
        with pytest.raises(ValueError, match="a recording is played as it is"):
            show(what, rebuild=Tape().world)


def test_a_page_of_its_own(viewer, tmp_path):
    page = viewer.save_html(tmp_path / "run.html", 0.5)
    text = page.read_text()
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert "__VISER_EMBED_DATA__" in text
    assert viewer.time == pytest.approx(0.5, abs=0.011)
    assert not re.search(r"(src|href)=[\"']https?://", text)
    with pytest.raises(FileNotFoundError):
        viewer.save_html(tmp_path / "nosuch" / "run.html")
    with pytest.raises(IsADirectoryError):
        viewer.save_html(tmp_path)
    pages = [
        viewer.save_html(tmp_path / "run.html", 0.2, **{name: 10}).stat().st_size
        for name in ("fps", "frames_per_second")
    ]
    assert max(pages) < len(text)
    with pytest.raises(TypeError, match="two names of one argument"):
        viewer.save_html(tmp_path / "run.html", 0.2, fps=10, frames_per_second=10)


def test_a_page_stays_where_a_new_one_fails(viewer, tmp_path, monkeypatch):
    page = tmp_path / "run.html"
    page.write_text("before")
    monkeypatch.setattr(viewer._session, "step", None)
    monkeypatch.setattr(viewer._session.source, "step", None)
    with pytest.raises(TypeError):
        viewer.save_html(page, 0.1)
    assert [path.name for path in tmp_path.iterdir()] == ["run.html"] and page.read_text() == "before"


def test_steps_beside_a_running_view_wait_their_turn():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    for k in range(30):
        world.add_body(od.Box((0.4, 0.4, 0.4)), position=(0.1 * k, 0, 1 + 0.5 * k))
    with show(world) as viewer:
        until(lambda: viewer.time > 0.05)
        for _ in range(300):
            world.advance(0.002)
        until(lambda: viewer.time > 0.3)
        assert viewer.error is None
    started = threading.Thread(target=lambda: world.advance(0.001, steps=2000))
    started.start()
    until(lambda: world._store.stepping)
    with pytest.raises(RuntimeError, match="is being stepped by another thread"):
        world.advance(0.001)
    started.join()


def test_a_callback_that_steps_its_world_is_refused_beside_a_view_too():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_body(od.Sphere(0.1))
    with show(world, play=False) as viewer:
        world.bodies[0].moved_callback = lambda body: world.advance(0.01)
        with pytest.raises(RuntimeError, match="a callback cannot step it again"):
            viewer.call(lambda: world.advance(0.01))
