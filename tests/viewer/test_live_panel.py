"""The panel and the mouse, with a simulated browser."""

import numpy as np
import pytest

from opendynamics import scenes

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics.viewer.live.overlays import OVERLAYS
from tests.viewer.fake_browser import FakeBrowser, until
from tests.viewer.showing import batch_of, panel_of, show


def test_buttons_and_sliders(live, browser):
    playback = panel_of(live, "playback")
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


def test_a_slider_is_not_put_back_while_a_user_moves_it(live):
    playback = panel_of(live, "playback")

    def moved():
        playback._speed.value = 2.5  # as the server does, before it calls back
        playback.renew()
        playback.refresh(1.0)
        return playback._speed.value

    assert live.call(moved) == 2.5


def test_picking_shows_numbers(live, browser, world):
    picked = panel_of(live, "picked")
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
    (shape,) = world.bodies[0].geoms
    live.call(lambda: world.bodies[0].destroy(keep_geoms=True))
    until(lambda: "static" in picked._table.content)
    live.call(shape.destroy)
    until(lambda: "Click on something" in picked._table.content)


def test_a_dragged_body_follows_the_mouse_and_is_let_go(live, browser, world):
    handle, ball = batch_of(live, "sphere").handles[0], world.bodies[0]
    live.pause()  # it is grabbed where it is seen, which is where it is then
    until(lambda: np.allclose(handle.batched_positions[0], ball.position, atol=1e-5))
    start = handle.batched_positions[0].copy()
    target = (1.0, 2.0, 4.0)
    browser.drag(handle, 0, "start", start, start)
    browser.drag(handle, 0, "update", start, target)
    until(lambda: len(live._session.pulls.pulls) and np.allclose(live._session.pulls.lines()[0, 1], target))
    live.play()
    until(lambda: live.call(lambda: np.linalg.norm(ball.position - target)) < 0.05)
    browser.drag(handle, 0, "end", start, target)
    until(lambda: not live._session.pulls.pulls)
    until(lambda: live.call(lambda: float(ball.position[2])) < 1.0)


def test_colours_and_glass_are_chosen_in_the_panel(live, browser):
    looks, painter = panel_of(live, "looks"), live._session.batches.painter
    assert painter.by == looks.colours.value == "body" and not looks._legend.visible
    browser.press(looks.colours, "state")
    until(lambda: painter.by == "state" and looks._legend.visible and "sleeping" in looks._legend.content)
    browser.press(looks.glass, True)
    until(lambda: live._session.batches._glass)


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
        sliders = panel_of(viewer, "sliders")
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
