"""The live view without a browser: what the server is told, and what it does when it is asked."""

import gc
import re
import socket
import subprocess
import sys
import threading
import warnings
import weakref
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes
from opendynamics.core.arrays.bodies import POSES

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics.viewer.live.commands import Commands
from opendynamics.viewer.live.measures import contact_forces
from opendynamics.viewer.live.overlays import OVERLAYS
from opendynamics.viewer.live.panels.picked import numbers_of
from opendynamics.viewer.live.replay import Replay
from opendynamics.viewer.live.viewer import Viewer
from opendynamics.viewer.meshes import place_of
from tests.viewer.fake_browser import FakeBrowser, until


@pytest.fixture
def world():
    """A plane, a wall, and three bodies that fall."""
    world = od.World(gravity=(0, 0, -9.81), name="trial")
    world.add_plane()
    world.add_geom(od.Box((1, 1, 1), position=(5, 0, 0.5), name="wall"))
    world.add_body(od.Sphere(0.5), position=(0, 0, 3), name="ball")
    world.add_body(od.Sphere(0.25), position=(2, 0, 3), name="small ball")
    world.add_body(od.Box((1, 1, 1)), od.Capsule(0.1, 1.0, position=(0, 0, 1)), position=(-3, 0, 3), name="hammer")
    return world


def show(what, **options):
    return od.view(what, block=False, open_browser=False, **{"quiet": True, **options})


@pytest.fixture
def viewer(world):
    """Shown by hand: no thread, so that a test decides what happens when."""
    with show(world, threaded=False) as viewer:
        yield viewer


@pytest.fixture
def live(world):
    with show(world) as viewer:
        yield viewer


def batch_of(viewer, shape, moves=True):
    """The batch whose geoms have a shape."""
    batches = viewer._session.batches
    return next(b for b in batches.batches if b.moves is moves and batches.geoms[b.members[0]].shape == shape)


def ids_of(viewer, shape):
    """Which handles a batch has."""
    return [id(handle) for handle in batch_of(viewer, shape).handles]


# -- what is shown ---------------------------------------------------------------------------------------------------


def test_geoms_are_shown_in_batches_where_they_are(viewer, world):
    batches = viewer._session.batches
    assert [len(b.members) for b in batches.batches] == [1, 1, 2, 1, 1]  # plane, wall, balls, hammer's two
    for _ in range(30):
        world.advance(0.01)
    viewer.sync()
    for batch in batches.batches:
        for handle in batch.handles:
            for k, number in enumerate(batch.members):
                geom = batches.geoms[number]
                if geom.shape != "plane":
                    np.testing.assert_allclose(handle.batched_positions[k], geom.position, atol=1e-5)
                    q = handle.batched_wxyzs[k].astype(float)
                    turn = od.rotation.matrix_from_quaternion(q / np.linalg.norm(q))
                    np.testing.assert_allclose(turn, geom.rotation, atol=1e-5)
    np.testing.assert_allclose(batch_of(viewer, "sphere").handles[0].batched_scales, [[0.5] * 3, [0.25] * 3])


def test_every_shape_is_shown_where_its_record_is_told():
    """Poses of all at once, against those that the kernels give one by one."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    turn = (0.5, 0.1, -0.3, 0.8)
    world, space = od.World(), od.HashSpace()
    places = [{}, {"position": (1, 2, 3)}, {"position": (1, 2, 3), "quaternion": turn}]
    for k, place in enumerate(places):
        shapes = [
            od.Box((1, 2, 3), **place),
            od.Capsule(0.2, 1.0, **place),
            od.Convex(corners, faces, **place),
            od.Trimesh(corners, faces, **place),
            od.GeomTransform(od.Cylinder(0.2, 1.0, position=(0, 1, 0), quaternion=turn), **place),
        ]
        body = world.add_body(*shapes, position=(k, -k, 5), quaternion=(1, k, 2, 3), angular_velocity=(1, 2, 3))
        body.linear_velocity = (3, 2, 1)
        world.add_geom(od.Cylinder(0.3, 0.4, **place))
        space.add(od.Sphere(0.3 + k, **place))
    space.add(od.Plane((0, 1, 1), 0.5))
    with show(world, threaded=False, spaces=[space]) as viewer:
        world.step(0.1)
        viewer.sync()
        batches = viewer._session.batches
        assert len(batches.geoms) == 3 * 7 + 1
        for batch in batches.batches:
            for k, number in enumerate(batch.members):
                position, rotation = place_of(batches.geoms[number], batches.detail)
                np.testing.assert_allclose(batch.handles[0].batched_positions[k], position, atol=1e-5)
                q = batch.handles[0].batched_wxyzs[k].astype(float)
                found = od.rotation.matrix_from_quaternion(q / np.linalg.norm(q))
                np.testing.assert_allclose(found, rotation, atol=1e-5)


def test_walls_of_glass(viewer, world):
    viewer._session.batches.see_through_walls(True)
    assert batch_of(viewer, "box", moves=False).handles[0].opacity < 0.5
    assert batch_of(viewer, "plane", moves=False).handles[0].opacity is None
    assert batch_of(viewer, "box").handles[0].opacity is None
    world.add_geom(od.Box((1, 1, 1), position=(0, 8, 1)))
    viewer.sync()
    assert batch_of(viewer, "box", moves=False).handles[0].opacity < 0.5
    viewer._session.batches.see_through_walls(False)
    assert batch_of(viewer, "box", moves=False).handles[0].opacity is None


def test_standing_geoms_follow_when_they_are_put_elsewhere(viewer, world):
    wall = next(geom for geom in world.geoms if geom.name == "wall")
    wall.position, wall.quaternion = (7, 0, 1), (1, 0, 0, 1)
    viewer.sync()
    handle = batch_of(viewer, "box", moves=False).handles[0]
    np.testing.assert_allclose(handle.batched_positions, [(7, 0, 1)], atol=1e-6)
    np.testing.assert_allclose(abs(handle.batched_wxyzs), [(0.5**0.5, 0, 0, 0.5**0.5)], atol=1e-6)


def test_only_batches_whose_members_change_are_made_anew(viewer, world):
    before = {shape: ids_of(viewer, shape) for shape in ("sphere", "capsule")}
    new = world.add_body(od.Sphere(0.1), position=(0, 3, 1))
    viewer.sync()
    assert len(batch_of(viewer, "sphere").members) == 3
    assert ids_of(viewer, "capsule") == before["capsule"]
    assert ids_of(viewer, "sphere") != before["sphere"]
    same = ids_of(viewer, "sphere")
    for _ in range(5):
        world.advance(0.01)
        viewer.sync()
    assert ids_of(viewer, "sphere") == same
    for geom in new.geoms:
        geom.destroy()
    new.destroy()
    viewer.sync()
    assert len(batch_of(viewer, "sphere").members) == 2
    world.bodies[2].geoms[0].destroy()  # the last capsule there is
    viewer.sync()
    with pytest.raises(StopIteration):
        batch_of(viewer, "capsule")


def test_what_server_keeps_does_not_grow_with_bodies_that_come_and_go(viewer, world):
    def kept():
        return len(viewer._server._websock_server._broadcast_buffer.message_from_id)

    def come_and_go():
        body = world.add_body(od.Sphere(0.1), position=(0, 3, 1))
        viewer.sync()
        for geom in body.geoms:
            geom.destroy()
        body.destroy()
        viewer.sync()

    come_and_go()
    before = kept()
    for _ in range(20):
        come_and_go()
    assert kept() <= before


def test_a_changed_size_is_shown_by_the_same_batch(viewer, world):
    same = ids_of(viewer, "sphere")
    world.bodies[0].geoms[0].radius = 0.75
    viewer.sync()
    assert ids_of(viewer, "sphere") == same
    np.testing.assert_allclose(batch_of(viewer, "sphere").handles[0].batched_scales[0], [0.75] * 3)


def test_moving_surfaces_and_boxes_of_users_are_followed(world):
    field = od.HeightfieldData(np.zeros((3, 3)), 2, 2)
    world.add_geom(od.Heightfield(field))
    reach = [1.0]
    box = od.GeomClass("box", bounds=lambda geom: (0, reach[0], 0, 1, 0, 1), collider=lambda a, b, n: [])
    world.add_geom(box())
    with show(world, threaded=False) as viewer:
        assert abs(batch_of(viewer, "heightfield", moves=False).mesh.vertices[:, 1]).max() == 0
        field.update(np.ones((3, 3)))
        reach[0] = 3.0
        viewer.sync()
        assert batch_of(viewer, "heightfield", moves=False).mesh.vertices[:, 1].max() == 1
        sizes = batch_of(viewer, "box", moves=False).handles[0].batched_scales
        np.testing.assert_allclose(sizes.max(axis=0)[0], 3.0)


def test_colours_tell_the_state(viewer, world):
    handle = batch_of(viewer, "sphere").handles[0]
    active = handle.batched_colors[1].copy()
    world.bodies[1].enabled = False
    viewer.sync()
    assert abs(handle.batched_colors[1].astype(int) - active).max() > 50
    viewer._session.batches.painter.by = "body"
    viewer.sync()
    assert abs(handle.batched_colors[0].astype(int) - handle.batched_colors[1]).max() > 30


def test_many_geoms_show_one_tone_only():
    world = od.World()
    for k in range(700):
        world.add_body(od.Sphere(0.1), position=(k, 0, 0))
    with show(world, threaded=False) as viewer:
        assert len(batch_of(viewer, "sphere").handles) == 1


# -- time ------------------------------------------------------------------------------------------------------------


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


def test_reset_is_refused_where_members_changed_and_builds_a_scene_anew_where_it_can(live, world):
    live.call(lambda: world.add_body(od.Sphere(0.1), position=(0, 5, 5)))
    with pytest.raises(ValueError, match="trial cannot be put back: bodies, joints, geoms"):
        live.reset()
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
        until(lambda: viewer._session.pace.speed > 0.1 and viewer.time > 0.3)
        assert viewer._session.pace.speed < 0.5


# -- the panel, by a browser's messages --------------------------------------------------------------------------------


@pytest.fixture
def browser(live):
    browser = FakeBrowser(live.url)
    until(lambda: browser.counts["batched_positions"] > 2)
    yield browser
    browser.close()


def test_buttons_and_sliders(live, browser):
    playback = live._session.panels[0]
    browser.press(playback._play)
    until(lambda: not live.playing and playback._play.label == "Play")
    time = live.time
    browser.press(playback._others, "Step")
    until(lambda: live.time > time)
    assert live.time == pytest.approx(time + 0.01)
    browser.press(playback._others, "Reset")
    until(lambda: live.time == 0.0)
    browser.press(playback._speed, 2.5)
    until(lambda: live.speed == 2.5)
    browser.press(playback._play)
    until(lambda: live.playing and live.time > 0.1)


def test_picking_shows_numbers(live, browser, world):
    picked = next(panel for panel in live._session.panels if "picked" in type(panel).__module__)
    browser.click(batch_of(live, "sphere").handles[0], 1)
    until(lambda: "small ball" in picked._table.content)
    assert "| mass | 65.45 kg |" in picked._table.content
    assert "speed" in picked._table.content
    browser.click(batch_of(live, "plane", moves=False).handles[0], 0)
    until(lambda: "static" in picked._table.content)
    browser.press(picked._drop)
    until(lambda: "Click on something" in picked._table.content)
    browser.click(batch_of(live, "sphere").handles[0], 99)  # gone in the meantime, say
    browser.click(batch_of(live, "sphere").handles[0], 0)
    until(lambda: "| ball |" in picked._table.content)
    live.call(world.bodies[0].destroy)
    until(lambda: "static" in picked._table.content)


def test_a_dragged_body_follows_the_mouse_and_is_let_go(live, browser, world):
    handle, ball = batch_of(live, "sphere").handles[0], world.bodies[0]
    start = handle.batched_positions[0].copy()
    target = (1.0, 2.0, 4.0)
    browser.drag(handle, 0, "start", start, start)
    browser.drag(handle, 0, "update", start, target)
    until(lambda: live.call(lambda: np.linalg.norm(ball.position - target)) < 0.05)
    browser.drag(handle, 0, "end", start, target)
    until(lambda: not live._session.pulls.pulls)
    until(lambda: live.call(lambda: float(ball.position[2])) < 1.0)


def test_overlays_and_plots_can_be_switched_on_and_off(live, browser):
    session = live._session
    looks = next(panel for panel in session.panels if "looks" in type(panel).__module__)
    plots = session.panels[-1]
    assert looks is not plots
    for name in OVERLAYS.names:
        live.call(lambda name=name: session.show_overlay(name, True))
    browser.press(plots._box)
    until(lambda: live.time > 1.5 and len(plots._plots["Contacts"].data[0]) > 5)
    assert session.source.stage_seconds["collide"] > 0.0
    energy = plots._plots["Energy, J"].data
    np.testing.assert_allclose(energy[1] + energy[2], energy[3])
    for name in OVERLAYS.names:
        live.call(lambda name=name: session.show_overlay(name, False))
    assert session.shown == set()
    assert live.error is None


def test_a_lost_browser_stops_nothing_and_leaves_nothing(live, world):
    def states():
        server = live._server
        return len(server.get_clients()), len(server._websock_server._client_state_from_id)

    for end in ("close", "vanish", "close"):
        browser = FakeBrowser(live.url)
        until(lambda: len(live._server.get_clients()) == 1)
        handle = batch_of(live, "sphere").handles[0]
        browser.drag(handle, 0, "start", (0, 0, 3), (0, 0, 3))
        until(lambda: live._session.pulls.pulls)
        getattr(browser, end)()
        until(lambda: states() == (0, 0))
        until(lambda: not live._session.pulls.pulls)
        time = live.time
        until(lambda time=time: live.time > time)


def test_scene_sliders_change_the_scene_that_is_shown():
    with show(scenes.build("pit"), play=False, rebuild=lambda: scenes.build("pit")) as viewer:
        browser = FakeBrowser(viewer.url)
        sliders = next(panel for panel in viewer._session.panels if "sliders" in type(panel).__module__)
        assert set(sliders._handles) == {"Gravity, m/s²", "Friction"}
        browser.press(sliders._handles["Gravity, m/s²"], 3.0)
        until(lambda: viewer.world.gravity[2] == 3.0)
        browser.press(sliders._handles["Friction"], 1.2)
        until(lambda: viewer.world.surfaces.default.mu == 1.2)
        viewer.reset()
        assert viewer.world.gravity[2] == -9.81
        assert sliders._handles["Friction"].value == 0.5
        browser.press(sliders._handles["Gravity, m/s²"], 1.0)
        until(lambda: viewer.world.gravity[2] == 1.0)
        browser.close()


# -- overlays, in numbers ----------------------------------------------------------------------------------------------


def test_contact_forces_carry_the_weight():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), mass=3)
    world.advance(0.01, steps=50)
    places, forces = contact_forces(world)
    assert len(places) == 4
    np.testing.assert_allclose(forces.sum(axis=0), (0, 0, 30), atol=1e-6)
    np.testing.assert_allclose(
        np.sort(places[:, :2], axis=0), [[-0.5] * 2, [-0.5] * 2, [0.5] * 2, [0.5] * 2], atol=1e-6
    )
    assert numbers_of(box.geoms[0])["touches"] == "4 points"


def test_joints_are_shown_at_their_anchors_as_bodies_move():
    world = od.World(gravity=(0, 0, -9.81))
    arm = world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 0, 0), mass=1)
    hand = world.add_body(od.Sphere(0.1), position=(1, 0, 0.5), mass=1)
    hinge = world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    slider = world.add_slider(hand, arm, axis=(0, 0, 1))
    with show(world, threaded=False) as viewer:
        viewer.call(lambda: viewer._session.show_overlay("joints", True))
        for _ in range(40):
            world.advance(0.01)
        viewer.sync()
        overlay = viewer._session.overlays["joints"]
        ties, axes = overlay._ties._handle.points, overlay._axes._handle.points
        np.testing.assert_allclose(ties[0], [arm.position, hinge.anchor], atol=1e-5)
        middles, along = axes.mean(axis=1), axes[:, 1] - axes[:, 0]
        np.testing.assert_allclose(middles, [hinge.anchor, hand.position], atol=1e-5)
        unit = along / np.linalg.norm(along, axis=1, keepdims=True)
        np.testing.assert_allclose(unit, [hinge.axis, slider.axis], atol=1e-5)


def test_boxes_trails_and_centres(viewer, world):
    for name in ("boxes", "centres", "trails"):
        viewer._session.show_overlay(name, True)
    world.advance(0.01)
    viewer.sync()
    boxes = viewer._session.overlays["boxes"]._lines._handle.points.reshape(-1, 12, 2, 3)
    bounds = sorted(geom.aabb.tolist() for geom in world.geoms if np.isfinite(geom.aabb).all())
    found = sorted(np.stack([b.min(axis=(0, 1)), b.max(axis=(0, 1))], axis=1).reshape(6).tolist() for b in boxes)
    np.testing.assert_allclose(found, bounds, atol=2e-3)  # the step after the collision moved them on
    centres = viewer._session.overlays["centres"]._dots._handle.points
    np.testing.assert_allclose(centres, world.positions, atol=1e-5)
    viewer._session.source._steps = 10  # a tenth of a second later
    before = world.positions
    world.advance(0.01, steps=10)
    viewer.sync()
    trail = viewer._session.overlays["trails"]._lines._handle.points
    np.testing.assert_allclose(trail, np.stack([before, world.positions], axis=1), atol=1e-5)


# -- recordings --------------------------------------------------------------------------------------------------------


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
        timeline = next(panel for panel in viewer._session.panels if "timeline" in type(panel).__module__)
        browser.press(timeline._slider, 0.5)
        until(lambda: ball.position[0] == 10)
        until(lambda: batch_of(viewer, "sphere").handles[0].batched_positions[0, 0] == 10)
        viewer.seek(2.0)
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


# -- beginning and end -------------------------------------------------------------------------------------------------


def test_it_says_where_it_is_and_who_can_reach_it(world, capsys):
    with show(world, quiet=False) as viewer:
        assert viewer.url == f"http://127.0.0.1:{viewer.port}"
        sockets = viewer._server._websock_server._port
        assert sockets == viewer.port > 0
    told = capsys.readouterr().out
    assert told == f"opendynamics: trial is shown at {viewer.url} (reachable from this machine only)\n"
    with show(world, host="0.0.0.0", quiet=False) as viewer:
        pass
    assert "whoever can reach this machine can see and move the scene" in capsys.readouterr().out


def test_only_the_loopback_interface_is_listened_to(live):
    with socket.create_connection(("127.0.0.1", live.port), 2):
        pass
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", live.port), 2):
        pass


def test_a_port_in_use_is_told_before_anything_begins(world):
    threads = threading.active_count()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"port {port} of 127.0.0.1 cannot be had .* give the live view another port"):
            show(world, port=port)
    assert threading.active_count() == threads
    with show(world, port=port) as viewer:
        assert viewer.port == port
    with show(world, port=port):  # free again at once
        pass


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"port": 70000}, ValueError, "port"),
        ({"port": "x"}, TypeError, "port"),
        ({"host": 5}, TypeError, "the host of the live view must be"),
        ({"host": "192.0.2.1"}, OSError, "192.0.2.1 is no address of this machine"),
        ({"speed": 0}, ValueError, "the speed of the live view"),
        ({"h": -1}, ValueError, "step"),
        ({"advance": 3}, TypeError, "advance of a live view must be a function"),
        ({"spaces": [3]}, TypeError, "the spaces of a live view must be spaces"),
    ],
)
def test_bad_arguments(world, options, error, message):
    with pytest.raises(error, match=message):
        show(world, **options)


def test_what_cannot_be_shown(world):
    with pytest.raises(TypeError, match="view shows a World, a Scene or a recording, not 3"):
        show(3)
    with pytest.raises(ValueError, match="a scene has its own step size"):
        show(scenes.build("wall"), h=0.1)
    world.destroy()
    with pytest.raises(od.DestroyedError):
        show(world)


def test_without_viser_the_message_names_the_command():
    code = (
        "import sys; sys.modules['viser'] = None\n"
        "import opendynamics as od\n"
        "try: od.view(od.World(), block=False)\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "the live view needs the viser package: pip install 'opendynamics[view]'"


def test_closing_ends_threads_and_lets_go_of_the_world():
    world = od.World()
    world.add_body(od.Sphere(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threads = threading.active_count()
        viewer = show(world)
        browser = FakeBrowser(viewer.url)
        until(lambda: viewer.time > 0.05)
        viewer.close()
        viewer.close()
        browser.close()
    until(lambda: threading.active_count() <= threads)
    assert viewer.closed
    assert "closed" in repr(viewer)
    assert "closed" in viewer._repr_html_()
    for ask, arguments in ((viewer.pause, ()), (viewer.step, ()), (viewer.sync, ()), (viewer.call, (int,))):
        with pytest.raises(RuntimeError, match="is closed; make a new one"):
            ask(*arguments)


def test_a_closed_view_does_not_keep_the_world():
    def look():
        world = od.World()
        world.add_body(od.Sphere(1))
        with show(world) as viewer:
            until(lambda: viewer.time > 0.05)
        return weakref.ref(world)

    gone = look()
    gc.collect()
    assert gone() is None


def test_in_a_notebook(live):
    page = live._repr_html_()
    assert f'<iframe src="{live.url}"' in page
    assert "trial" in page


def test_a_script_blocks_until_it_is_interrupted_and_a_prompt_does_not():
    script = (
        "import opendynamics as od, _thread, threading\n"
        "world = od.World(); world.add_body(od.Sphere(1))\n"
        "threading.Timer(1.5, _thread.interrupt_main).start()\n"
        "viewer = od.view(world)\n"
        "print(viewer.closed, viewer.time > 0.3)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "True True"
    assert not done.stderr
    script = (
        "import sys; sys.ps1 = '> '\n" + script.replace("viewer.time > 0.3", "viewer.playing").split("threading.T")[0]
    )
    script += "viewer = od.view(world)\nprint(viewer.closed)\nviewer.close()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "False"


def test_stepping_by_hand(viewer, world):
    world.advance(0.01)
    viewer.sync()
    np.testing.assert_allclose(
        batch_of(viewer, "sphere").handles[0].batched_positions[0], world._store[POSES]["position"][1], atol=1e-6
    )
    with show(world) as threaded, pytest.raises(RuntimeError, match="threaded=False"):
        threaded.sync()


def test_a_world_without_anything_can_be_shown():
    with show(od.World()) as viewer:
        until(lambda: viewer.time > 0.02)
        assert viewer.error is None
    assert isinstance(viewer, Viewer)
