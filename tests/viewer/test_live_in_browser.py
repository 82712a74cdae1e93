"""End to end: the live view in a real browser, without a display, as in CI."""

from time import monotonic, sleep

import numpy as np
import pytest

import opendynamics as od
from opendynamics.scenes import Scene

pytest.importorskip("viser", reason="the live view needs viser")
pytest.importorskip("selenium", reason="the browser is driven by selenium")

from tests.viewer.chromium import PATIENCE, Chromium, programs
from tests.viewer.fake_browser import until

pytestmark = pytest.mark.skipif(programs() is None, reason="chromium or chromedriver is not installed")

ORANGE = (0.95, 0.5, 0.1)


@pytest.fixture(scope="module")
def viewer():
    """A box on the ground, and a ball that swings behind it for ever."""
    world = od.World(gravity=(0, 0, -9.81), name="end to end")
    world.add_plane()
    world.add_body(od.Box((0.6, 0.6, 0.6)), position=(0, 0, 0.3), mass=2, name="parcel", color=ORANGE)
    ball = world.add_body(od.Sphere(0.3), position=(-1.0, 1.5, 1.2), mass=1, name="ball", color=ORANGE)
    world.add_hinge(ball, None, anchor=(0, 1.5, 1.5), axis=(0, 1, 0))
    scene = Scene(world, camera=(1.5, -5.0, 2.0), target=(0.4, 0, 0.6))
    with od.view(scene, block=False, open_browser=False, quiet=True) as viewer:
        yield viewer


@pytest.fixture(scope="module")
def chromium(viewer):
    chromium = Chromium()
    try:
        load(viewer, chromium)
        yield chromium
        # Whatever the tests of this module did, in whichever order.
        assert chromium.complaints() == []
        assert chromium.hosts() == {"127.0.0.1"}
        assert viewer.error is None
    finally:
        chromium.close()


def orange(picture):
    """Which pixels have the colour of the bodies."""
    return picture[..., 0] > picture[..., 2] + 60


def pixel_of(viewer, chromium, body):
    """Where a body is on the page, once the browser has drawn it there."""
    camera = next(iter(viewer._server.get_clients().values())).camera

    def place():
        return tuple(int(c) for c in chromium.where(camera, viewer.call(lambda: body.position)))

    until(lambda: orange(chromium.screen())[place()[::-1]], PATIENCE)
    return place()


def click_until_picked(viewer, chromium, body, tries=6):
    """Click on a body until it is picked. A page that takes no clicks is loaded anew, as a person would do."""
    missed = []
    while viewer._session.picked_body is not body:
        assert len(missed) < tries, f"no click picked {body.name}; pixel, what was picked, events: {missed}"
        place = pixel_of(viewer, chromium, body)
        chromium.watch_mouse()
        mouse = chromium.mouse().w3c_actions
        mouse.pointer_action.move_to_location(*place)
        mouse.pointer_action.click()
        mouse.perform()
        end = monotonic() + 20.0
        while viewer._session.picked_body is not body and monotonic() < end:
            sleep(0.01)
        if viewer._session.picked_body is not body:
            missed.append((place, viewer._session.picked, chromium.mouse_events()))
            load(viewer, chromium)


def load(viewer, chromium):
    """Load the page, and wait until it is the only one."""
    chromium.open(viewer.url)
    until(lambda: len(viewer._server.get_clients()) == 1 and "bodies" in chromium.text, PATIENCE)
    chromium.close_notes()


def test_the_page_shows_bodies_that_move(viewer, chromium):
    first = chromium.time
    until(lambda: chromium.time > first + 0.5, PATIENCE)
    until(lambda: "2 bodies · 1 joint ·" in chromium.text, PATIENCE)
    until(lambda: orange(chromium.picture()).sum() > 500, PATIENCE)
    until(lambda: len(np.unique(chromium.picture().reshape(-1, 3), axis=0)) > 200, PATIENCE)
    picture = chromium.picture()
    until(lambda: (abs(chromium.picture() - picture).max(axis=2) > 40).sum() > 100, PATIENCE)


def test_play_pause_step_and_reset(viewer, chromium):
    chromium.press("Pause")
    until(lambda: not viewer.playing, PATIENCE)
    until(lambda: "standing still" in chromium.text and "Play" in chromium.text, PATIENCE)
    time = viewer.time
    until(lambda: chromium.time == round(time, 2), PATIENCE)
    chromium.press("Step")
    until(lambda: viewer.time != time, PATIENCE)
    assert viewer.time == pytest.approx(time + 0.01)
    chromium.press("Reset")
    until(lambda: viewer.time == 0.0, PATIENCE)
    until(lambda: chromium.time == 0.0, PATIENCE)
    assert not viewer.playing
    chromium.press("Play")
    until(lambda: viewer.playing and viewer.time > 0.2, PATIENCE)
    until(lambda: "Pause" in chromium.text, PATIENCE)


def test_a_body_is_pulled_with_the_mouse(viewer, chromium):
    parcel, pulls = viewer.world.bodies[0], viewer._session.pulls
    before = viewer.call(lambda: parcel.position)
    x, y = pixel_of(viewer, chromium, parcel)
    mouse = chromium.mouse().w3c_actions
    mouse.pointer_action.move_to_location(x, y)
    mouse.pointer_action.pointer_down()
    for k in range(1, 9):
        mouse.pointer_action.move_to_location(x - 10 * k, y - 12 * k)
    mouse.perform()
    until(lambda: pulls.pulls, PATIENCE)
    assert pulls.pulls[0].body is parcel
    until(lambda: viewer.call(lambda: parcel.position[2]) > before[2] + 0.3, PATIENCE)
    until(lambda: viewer.call(lambda: parcel.position[0]) < before[0] - 0.2, PATIENCE)
    mouse.pointer_action.pointer_up()
    mouse.perform()
    until(lambda: not pulls.pulls, PATIENCE)
    until(lambda: viewer.call(lambda: parcel.position[2]) < before[2] + 0.1, PATIENCE)


def test_a_click_picks_a_body_and_shows_its_numbers(viewer, chromium):
    viewer.call(lambda: viewer._session.pick(None))
    until(lambda: "Click on something" in chromium.text, PATIENCE)
    viewer.pause()
    until(lambda: "standing still" in chromium.text, PATIENCE)
    parcel = viewer.world.bodies[0]
    click_until_picked(viewer, chromium, parcel)
    viewer.play()
    until(lambda: "kinetic energy" in chromium.text and "parcel" in chromium.text, PATIENCE)


def test_overlays_and_plots_in_the_page(viewer, chromium):
    viewer.play()
    for label in ("Boxes", "Centres", "Contacts", "Joints", "Trails"):
        chromium.tick(label)
        until(lambda label=label: label.lower() in viewer._session.shown, PATIENCE)
    chromium.tick("Live plots")
    until(lambda: "Energy, J" in chromium.text and viewer._session.source.timed, PATIENCE)
    first = chromium.time
    until(lambda: chromium.time > first + 0.5, PATIENCE)
    viewer.call(lambda: viewer.world.add_body(od.Sphere(0.2), position=(1, 0, 2)))
    until(lambda: "3 bodies" in chromium.text, PATIENCE)


def test_a_page_loaded_anew_shows_the_same_and_complains_of_nothing(viewer, chromium):
    viewer.pause()
    viewer.call(lambda: viewer._session.pick(None))  # the picked object is not orange
    time = viewer.time
    chromium.open(viewer.url)
    until(lambda: "standing still" in chromium.text and chromium.time == round(time, 2), PATIENCE)
    until(lambda: orange(chromium.picture()).sum() > 500, PATIENCE)
    until(lambda: len(viewer._server.get_clients()) == 1, PATIENCE)
    assert chromium.complaints() == []
    assert chromium.hosts() == {"127.0.0.1"}


@pytest.mark.slow
def test_a_saved_page_plays_without_a_server(viewer, chromium, tmp_path):
    viewer.call(lambda: viewer._session.pick(None))
    # Long enough that it does not start again: software rendering takes minutes.
    page = viewer.save_html(tmp_path / "run.html", 40.0, fps=5)
    chromium.open("about:blank")
    other = Chromium()
    try:
        other.open(page.as_uri())
        until(lambda: orange(other.picture()).sum() > 500, PATIENCE)
        picture = other.picture()
        until(lambda: (abs(other.picture() - picture).max(axis=2) > 40).sum() > 100, PATIENCE)
        assert other.hosts() <= {"", None}
        assert other.complaints() == []
    finally:
        other.close()
