"""End to end: keys, camera, joints, colours by force, choice of scenes, files and robots, in a real browser."""

import struct
import zlib

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes
from opendynamics.scenes import Scene

pytest.importorskip("viser", reason="the live view needs viser")
pytest.importorskip("selenium", reason="the browser is driven by selenium")

from opendynamics.viewer.live.overlays.pulls import PER_WEIGHT
from tests.viewer.chromium import PATIENCE, Chromium, programs
from tests.viewer.fake_browser import until

pytestmark = pytest.mark.skipif(programs() is None, reason="chromium or chromedriver is not installed")

ORANGE = (0.95, 0.5, 0.1)


def arm():
    """A box on the ground, and two rods that hinges hold."""
    world = od.World(gravity=(0, 0, -9.81), name="arm")
    world.add_plane()
    world.add_body(od.Box((0.6, 0.6, 0.6)), position=(0, 0, 0.3), mass=2, name="parcel", color=ORANGE)
    upper = world.add_body(od.Box((0.6, 0.1, 0.1)), position=(1.3, 1.0, 1.5), mass=1, name="upper")
    lower = world.add_body(od.Box((0.6, 0.1, 0.1)), position=(1.9, 1.0, 1.5), mass=1, name="lower")
    world.add_hinge(upper, None, anchor=(1.0, 1.0, 1.5), axis=(0, 1, 0), name="shoulder")
    world.add_hinge(lower, upper, anchor=(1.6, 1.0, 1.5), axis=(0, 1, 0), name="elbow", stops=(-2, 2))
    return Scene(world, camera=(1.5, -5.0, 2.0), target=(0.4, 0, 0.6))


@pytest.fixture(scope="module")
def viewer():
    choices = {"arm": arm, "dominoes": lambda: scenes.build("dominoes"), "broken": lambda: od.Sphere(-1.0)}
    options = {"block": False, "open_browser": False, "quiet": True}
    with od.view(arm(), rebuild=arm, choices=choices, **options) as viewer:
        yield viewer


@pytest.fixture(scope="module")
def chromium(viewer, tmp_path_factory):
    chromium = Chromium(1100, 900, downloads=tmp_path_factory.mktemp("downloads"))
    try:
        chromium.open(viewer.url)
        until(lambda: len(viewer._server.get_clients()) == 1 and "Pause" in chromium.text, PATIENCE)
        chromium.close_notes()
        until(lambda: chromium.picture().std() > 15, PATIENCE)
        yield chromium
        assert chromium.complaints() == []
        assert chromium.hosts() == {"127.0.0.1"}
        assert viewer.error is None
    finally:
        chromium.close()


def session_of(viewer):
    return viewer._session


def downloaded(chromium, ending):
    """The only file with this ending, once it is complete."""
    until(lambda: list(chromium.downloads.glob(f"*{ending}")), PATIENCE)
    return next(chromium.downloads.glob(f"*{ending}"))


def is_orange(picture):
    """Which pixels have the colour of the parcel."""
    return (picture[..., 0] > picture[..., 2] + 60) & (picture[..., 0] > 120)


def pink(picture):
    """How many pixels have the colour of the arrow."""
    red, green, blue = (picture[:, :, k] for k in range(3))
    return ((red > green + 60) & (blue > green + 10)).sum()


def size_of_png(path):
    """Width and height, after every chunk's checksum was compared."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        chunk = data[at + 4 : at + 8 + length]
        assert zlib.crc32(chunk) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        at += 12 + length
    return struct.unpack(">II", data[16:24])


def test_keys_run_step_and_reset(viewer, chromium):
    chromium.key("space")
    until(lambda: not viewer.playing, PATIENCE)
    time = viewer.time
    chromium.key("n")
    until(lambda: viewer.time > time, PATIENCE)
    assert viewer.time == pytest.approx(time + 0.01)
    chromium.key("r")
    until(lambda: viewer.time == 0.0, PATIENCE)
    chromium.press("Play")
    until(lambda: viewer.playing, PATIENCE)
    chromium.key("space")  # the button that was pressed still has the focus: it must not be pressed again
    until(lambda: not viewer.playing, PATIENCE)
    time = viewer.time
    chromium.key("n")
    until(lambda: viewer.time > time, PATIENCE)
    assert not viewer.playing


def test_a_key_opens_the_list_of_keys_and_closes_it(viewer, chromium):
    chromium.key("h")
    until(lambda: "Run or pause" in chromium.text and "Contacts and their forces" in chromium.text, PATIENCE)
    chromium.key("h")
    until(lambda: "Run or pause" not in chromium.text, PATIENCE)
    chromium.press_option("Keys")
    until(lambda: "Run or pause" in chromium.text, PATIENCE)
    chromium.press("Close")
    until(lambda: "Run or pause" not in chromium.text, PATIENCE)


def test_keys_switch_what_is_drawn(viewer, chromium):
    session = session_of(viewer)
    for key, name in (("c", "contacts"), ("j", "joints"), ("t", "trails"), ("b", "boxes"), ("m", "centres")):
        chromium.key(key)
        until(lambda name=name: name in session.shown, PATIENCE)
        chromium.key(key)
        until(lambda name=name: name not in session.shown, PATIENCE)
    chromium.key("g")
    until(lambda: session.batches._glass, PATIENCE)
    chromium.key("g")
    until(lambda: not session.batches._glass, PATIENCE)


def test_colours_by_contact_force_have_a_legend(viewer, chromium):
    session = session_of(viewer)
    viewer.call(lambda: (session.step(), session.step()))
    chromium.key("x")
    until(lambda: session.batches.painter.by == "state" and "sleeping" in chromium.text, PATIENCE)
    chromium.key("x")
    weights = [f"{part * session.weight:.2g} N" for part in (0.1, 1, 10)]
    until(lambda: all(weight in chromium.text for weight in weights), PATIENCE)
    box = next(k for k, geom in enumerate(session.batches.geoms) if geom.body and geom.body.name == "parcel")
    rod = next(k for k, geom in enumerate(session.batches.geoms) if geom.body and geom.body.name == "lower")
    colours = viewer.call(session.batches.painter.colours)
    assert np.ptp(colours[rod].astype(int)) < 8  # grey: unloaded
    assert np.ptp(colours[box].astype(int)) > 60
    chromium.key("x")
    until(lambda: session.batches.painter.by == "body", PATIENCE)


def test_the_camera_follows_the_picked_body(viewer, chromium):
    session = session_of(viewer)
    parcel = viewer.world.bodies[0]
    viewer.call(lambda: session.pick(parcel.geoms[0]))
    chromium.tick("Follow")
    until(lambda: session.follow.on, PATIENCE)

    def orange():
        return np.argwhere(is_orange(chromium.picture()))

    def push(speed):
        parcel.linear_velocity = (speed, 0, 0)
        parcel.enabled = True

    viewer.call(lambda: session.batches.painter.__setattr__("picked", None))
    viewer.call(session.touch)
    until(lambda: len(orange()) > 300, PATIENCE)
    before = chromium.steady(lambda: orange().mean(axis=0), 1.0)
    viewer.call(lambda: push(3.0))
    viewer.call(lambda: [session.step() for _ in range(100)])
    assert viewer.call(lambda: float(parcel.position[0])) > 0.5
    moved = viewer.call(lambda: parcel.position - (0, 0, 0.3))
    until(lambda: np.allclose(session.follow.offset, -moved, atol=0.02), PATIENCE)
    until(lambda: len(orange()) > 300 and np.linalg.norm(orange().mean(axis=0) - before) < 12, PATIENCE)
    chromium.key("f")
    until(lambda: not session.follow.on, PATIENCE)
    chromium.key("escape")
    until(lambda: session.picked is None, PATIENCE)
    viewer.call(session.reset)
    assert not session.follow.offset.any()


def test_a_pull_shows_its_force(viewer, chromium):
    viewer.play()
    parcel, session = viewer.world.bodies[0], session_of(viewer)
    camera = next(iter(viewer._server.get_clients().values())).camera
    x, y = (int(c) for c in chromium.where(camera, viewer.call(lambda: parcel.position)))
    until(lambda: is_orange(chromium.picture()[y - 150, x]), PATIENCE)  # the browser has drawn it where it is
    mouse = chromium.mouse().w3c_actions
    mouse.pointer_action.move_to_location(x, y)
    mouse.pointer_action.pointer_down()
    for k in range(1, 9):
        mouse.pointer_action.move_to_location(x - 2 * k, y - 18 * k)
    mouse.perform()
    until(lambda: session.pulls.pulls, PATIENCE)
    until(lambda: viewer.call(lambda: parcel.position[2]) > 0.6, PATIENCE)
    until(lambda: 18.0 < viewer.call(session.pulls.forces)[0][2] < 21.0, PATIENCE)  # N; it carries the weight of 19.6 N
    viewer.pause()
    force = np.linalg.norm(viewer.call(session.pulls.forces)[0])
    label = session.overlays["pulls"]._labels._handles[0]
    assert label.visible and label.text == f"{force:.3g} N"
    (arrow,) = viewer.call(lambda: session.overlays["pulls"]._arrows._handle.points)
    grabbed, along = viewer.call(session.pulls.lines)[0, 0], viewer.call(session.pulls.forces)[0]
    length = PER_WEIGHT * force / session.weight * session.unit
    assert np.allclose(arrow, [grabbed, grabbed + along / force * length], atol=1e-4)
    until(lambda: pink(chromium.picture()) > 30, PATIENCE)
    mouse.pointer_action.pointer_up()
    mouse.perform()
    until(lambda: not session.pulls.pulls, PATIENCE)
    until(lambda: pink(chromium.picture()) == 0, PATIENCE)


def test_a_joint_slider_is_the_target_of_a_servo(viewer, chromium):
    viewer.reset()
    viewer.play()
    panel = session_of(viewer).panel("joints")
    elbow = next(joint for joint in viewer.world.joints if joint.name == "elbow")
    chromium.slide("elbow", 0.75)  # of the way from -2 to 2
    slider = panel.sliders[panel.joints.index(elbow)]
    until(lambda: abs(slider.value - 1.0) < 0.1, PATIENCE)
    until(lambda: abs(viewer.call(lambda: elbow.angle) - slider.value) < 0.05, PATIENCE)
    until(lambda: "Let go" in chromium.text, PATIENCE)
    chromium.press("Let go")
    until(lambda: not [joint for joint in viewer.world.joints if joint.kind == "servo"], PATIENCE)
    until(lambda: viewer.call(lambda: abs(elbow.angle_rate)) > 0.05, PATIENCE)


def test_a_screenshot_comes_as_a_file(viewer, chromium):
    viewer.pause()
    chromium.press("Screenshot")
    picture = downloaded(chromium, ".png")
    width, height = size_of_png(picture)
    assert 600 < width <= 1100 and 500 < height <= 900
    picture.unlink()
    chromium.key("p")
    downloaded(chromium, ".png")


def test_a_recording_comes_as_a_file(viewer, chromium):
    viewer.reset()
    viewer.play()
    chromium.press("Record")
    until(lambda: session_of(viewer).tape.seconds is not None, PATIENCE)
    until(lambda: session_of(viewer).tape.seconds > 0.6 and "Save recording" in chromium.text, PATIENCE)
    chromium.key("v")
    file = downloaded(chromium, ".odr")
    until(lambda: session_of(viewer).tape.seconds is None, PATIENCE)
    with od.Recording(file) as recording:
        assert recording.times[-1] - recording.times[0] > 0.5
        assert len(recording.contacts(len(recording) - 1).positions)
    until(lambda: "Save recording" not in chromium.text, PATIENCE)


def test_another_scene_is_chosen(viewer, chromium):
    viewer.play()
    chromium.choose("Show", "dominoes")
    until(lambda: session_of(viewer).chosen == "dominoes", PATIENCE)
    until(lambda: f"{len(viewer.world.bodies)} bodies" in chromium.text, PATIENCE)
    first = viewer.time
    until(lambda: viewer.time > first, PATIENCE)
    viewer.pause()  # what moves keeps a browser that draws by software from taking its picture
    until(lambda: chromium.picture().std() > 10, PATIENCE)
    chromium.key("r")
    until(lambda: viewer.time == 0.0, PATIENCE)
    chromium.choose("Show", "broken")
    until(lambda: "That cannot be done" in chromium.text, PATIENCE)
    assert session_of(viewer).chosen == "dominoes"
    until(lambda: session_of(viewer).panel("choice").names.value == "dominoes", PATIENCE)
    chromium.choose("Show", "arm")
    until(lambda: session_of(viewer).chosen == "arm" and "3 bodies" in chromium.text, PATIENCE)
