"""drawstuff: programs of ODE's demos run in its loop, without a window, and in the live view."""

import math
import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from opendynamics import c_api as ode
from opendynamics import drawstuff as ds
from opendynamics.drawstuff import loop
from opendynamics.drawstuff.canvas import Canvas
from opendynamics.drawstuff.looks import shape_of
from opendynamics.drawstuff.window import Shown, Window, joined

HERE, STRAIGHT = (0.0, 0.0, 0.0), ode.dRSetIdentity()
TURNED = ode.dRFromAxisAndAngle(1, 2, 3, 0.7)
close = np.testing.assert_allclose
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [3, 0, 2, 1, 3, 0, 1, 3, 3, 0, 3, 2, 3, 1, 2, 3]


def draw_everything():
    ds.dsSetTexture(ds.DS_WOOD)
    ds.dsSetColor(1, 0.5, 0)
    ds.dsDrawBox((1, 2, 3), ode.dRFromAxisAndAngle(0, 0, 1, 0.5), (1, 2, 3))
    ds.dsSetColorAlpha(0, 0, 1, 0.25)
    ds.dsDrawSphereD((0, 0, 1, 0), STRAIGHT, 0.5)
    ds.dsDrawCapsuleD(HERE, STRAIGHT, 2, 0.1)
    ds.dsDrawCylinderD(HERE, STRAIGHT, 3, 0.2)
    ds.dsDrawLineD((0, 0, 0), (0, 0, 4))
    ds.dsDrawTriangleD(HERE, STRAIGHT, (0, 0, 0), (1, 0, 0), (0, 1, 0), 1)
    ds.dsDrawTrianglesD(HERE, STRAIGHT, np.arange(18.0) ** 2, 2, 0)
    ds.dsDrawConvexD(HERE, STRAIGHT, None, 4, np.ravel(TETRAHEDRON[0]), 4, TETRAHEDRON[1])


def program(**functions):
    return ds.dsFunctions(**functions)


def run(frames, fn, argv=("demo",), keys=None):
    with ds.headless(frames, keys) as loop:
        ds.dsSimulationLoop(len(argv), list(argv), 640, 480, fn)
    return loop.drawn


def test_the_loop_calls_start_step_and_stop():
    heard = []
    fn = program(start=lambda: heard.append("start"), step=heard.append, stop=lambda: heard.append("stop"))
    assert run(3, fn) == [[], [], []]
    assert heard == ["start", 0, 0, 0, "stop"]
    heard.clear()
    run(1, fn, ("demo", "-pause", "-notex"))
    assert heard == ["start", 1, "stop"]


def test_keys_and_the_end():
    heard = []

    def command(key):
        heard.append(chr(key))
        if key == ord("q"):
            ds.dsStop()

    frames = run(10, program(step=lambda pause: None, command=command), keys={1: "ab", 4: "q", 6: "c"})
    assert heard == ["a", "b", "q"] and len(frames) == 4


def test_what_is_drawn_is_kept_with_its_colour():
    (frame,) = run(1, program(step=lambda pause: draw_everything()))
    assert [drawn.shape for drawn in frame] == [
        *("box", "sphere", "capsule", "cylinder", "line", "triangles", "triangles", "convex")
    ]
    box, sphere = frame[:2]
    close(box.position, (1, 2, 3))
    close(box.rotation, np.reshape(ode.dRFromAxisAndAngle(0, 0, 1, 0.5), (3, 4))[:, :3])
    assert box.sizes == (1, 2, 3) and box.colour == (1, 0.5, 0, 1) and box.texture == ds.DS_WOOD
    assert sphere.colour == (0, 0, 1, 0.25)
    assert frame[2].sizes == (0.1, 2) and frame[5].sizes == (0, 0, 0, 1, 0, 0, 0, 1, 0)
    assert run(1, program(step=lambda pause: None)) == [[]], "a frame begins empty"


def test_the_pen_is_white_and_opaque_at_first():
    canvas = Canvas()
    canvas.draw("sphere", (0, 0, 0), np.eye(3), (1.0,))
    assert canvas.frame[0].colour == (1.0, 1.0, 1.0, 1.0) and canvas.frame[0].texture == ds.DS_NONE


def test_view_point_and_time():
    seen = []

    def start():
        seen.append(ds.dsGetViewpoint())
        ds.dsSetViewpoint([3, -3, 2], [135, -15, 0])
        place, turn = [0.0] * 3, np.zeros(3)
        ds.dsGetViewpoint(place, turn)
        seen.append((tuple(place), tuple(turn)))

    run(1, program(start=start, step=lambda pause: seen.append(ds.dsElapsedTime())))
    assert seen == [((2, 0, 1), (180, 0, 0)), ((3, -3, 2), (135, -15, 0)), 1 / 60]


def test_elapsed_time_is_that_of_the_clock_up_to_one_second(monkeypatch):
    times = iter([10.0, 10.25, 11.5, 11.5])
    monkeypatch.setattr(loop.time, "monotonic", lambda: next(times))
    monkeypatch.setattr(loop._STATE, "last", None)
    monkeypatch.setattr(loop._STATE, "headless", None)
    assert [ds.dsElapsedTime() for _ in range(4)] == [1 / 60, 0.25, 1.0, 1e-6]


def test_messages(capsys):
    ds.dsPrint("%d boxes\n", 3)
    assert capsys.readouterr().out == "3 boxes\n"
    for function in (ds.dsError, ds.dsDebug):
        with pytest.raises(RuntimeError, match="no 7"):
            function("no %d", 7)


def test_wrong_calls_are_refused():
    for call, message in (
        (lambda: ds.dsDrawBox((0, 0), STRAIGHT, (1, 1, 1)), "position of a box"),
        (lambda: ds.dsDrawBox(HERE, [1, 2], (1, 1, 1)), "must have 12 numbers"),
        (lambda: ds.dsDrawSphere(HERE, STRAIGHT, -1), "sizes of a sphere must be above 0"),
        (lambda: ds.dsDrawTriangles(HERE, STRAIGHT, [0.0] * 9, 2, 1), "2 triangles have 18 coordinates"),
        (lambda: ds.dsSetTexture(9), "the texture must be at most 4"),
        (lambda: ds.dsSetDrawMode(2), "the draw mode"),
        (lambda: ds.dsSetSphereQuality(-1), "quality of spheres"),
        (lambda: ds.dsSetCapsuleQuality(-1), "quality of capsules"),
        (lambda: ds.dsSetColor(math.nan, 0, 0), "red must be finite"),
        (lambda: run(1, program(version=3, step=print)), "at most DS_VERSION"),
        (lambda: ds.dsSetViewpoint((1, 2), HERE), "the viewpoint"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="takes dsFunctions with a step"):
        run(1, program())
    with pytest.raises(RuntimeError, match="is running already"):
        run(1, program(step=lambda pause: ds.dsSimulationLoop(0, [], 1, 1, program(step=print))))


def test_shapes_become_geoms_of_the_live_view():
    """Each frame's shapes are the bodies of a world; a shape that is drawn again keeps its body."""
    frame, shown = run(1, program(step=lambda pause: draw_everything()))[0], Shown()
    shown.show(frame)
    assert [shape_of(drawn).shape for drawn in joined(frame)] == [
        *("box", "sphere", "capsule", "cylinder", "capsule", "trimesh", "convex")
    ]
    bodies = shown.world.bodies
    assert len(bodies) == 7
    close(bodies[0].position, (1, 2, 3))
    close(bodies[4].position, (0, 0, 2))
    assert len(bodies[5].geoms[0].mesh) == 3, "triangles at one place are one mesh"
    shown.show(frame[:2])
    assert shown.world.bodies == bodies[:2] and len(shown.world.geoms) == 6, "ground, four planks, a ball"


def test_colours_are_shown_and_may_change_from_frame_to_frame():
    def draw(colour):
        ds.dsSetColor(*colour)
        ds.dsDrawSphere(HERE, STRAIGHT, 0.5)
        ds.dsSetColorAlpha(0, 2, 0, 0.5)
        for _ in range(2):
            ds.dsDrawTriangle(HERE, STRAIGHT, (0, 0, 0), (1, 0, 0), (0, 1, 0), 1)
        ds.dsSetColor(0, 0, 1)
        ds.dsDrawTriangle(HERE, STRAIGHT, (0, 0, 0), (1, 0, 0), (0, 0, 1), 1)

    colours, shown = [(1, 0.5, 0.25), (0.25, 0.5, 1)], Shown()
    first, second = run(2, program(step=lambda pause: draw(colours.pop(0))))
    shown.show(first)
    ball, green, blue = shown.world.bodies
    close(ball.geoms[0].color, (1, 0.5, 0.25))
    close([green.geoms[0].color, blue.geoms[0].color], [(0, 1, 0), (0, 0, 1)])
    shown.show(second)
    assert shown.world.bodies == (ball, green, blue)
    close(ball.geoms[0].color, (0.25, 0.5, 1))


@pytest.mark.parametrize(("texture", "parts"), [(ds.DS_WOOD, 4), (ds.DS_CHECKERED, 8), (ds.DS_GROUND, 1)])
def test_textures_are_patterns_that_fill_the_shape(texture, parts):
    def draw():
        ds.dsSetTexture(texture)
        ds.dsSetColor(1, 1, 0)
        ds.dsDrawBox((1, 2, 3), TURNED, (0.4, 0.6, 1.0))

    shown = Shown()
    shown.show(run(1, program(step=lambda pause: draw()))[0])
    (body,) = shown.world.bodies
    close(body.position, (1, 2, 3))
    assert len(body.geoms) == parts
    tones = {tuple(geom.color) for geom in body.geoms}
    assert len(tones) == min(parts, 2) and all(tone != (1, 1, 0) or texture == ds.DS_CHECKERED for tone in tones)
    assert all(tone[2] == 0 for tone in tones)
    assert sum(np.prod(geom.lengths) for geom in body.geoms) == pytest.approx(0.4 * 0.6 * 1.0)
    corners = [geom.offset_position + sign * 0.5 * geom.lengths for geom in body.geoms for sign in (-1, 1)]
    close(np.min(corners, axis=0), (-0.2, -0.3, -0.5))
    close(np.max(corners, axis=0), (0.2, 0.3, 0.5))


def test_the_window_follows_the_view_point_and_leaves_the_camera_to_the_mouse():
    pytest.importorskip("viser")
    with Window((2, 0, 1), (180, 0, 0)) as window:
        window.show([])
        camera = window._viewer._session.server.initial_camera
        close(camera.look_at, (1, 0, 1), atol=1e-12)
        camera.position = (9, 9, 9)
        window.look((2, 0, 1), (180, 0, 0))  # nothing new
        close(camera.position, (9, 9, 9))
        window.look((3, -3, 2), (90, -30, 0))
        close(camera.position, (3, -3, 2))
        close(camera.look_at, (3, -3 + math.cos(math.radians(30)), 1.5), atol=1e-12)


def test_a_program_may_move_the_view_point_in_a_step(monkeypatch):
    seen = []

    class Watched:
        closed = False

        def __init__(self, xyz, hpr):
            seen.append((tuple(xyz), tuple(hpr)))

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def show(self, frame):
            pass

        def look(self, xyz, hpr):
            seen.append((tuple(xyz), tuple(hpr)))

    def step(pause):
        ds.dsSetViewpoint([len(seen), 0, 1], [0, 0, 0])
        if len(seen) == 3:
            ds.dsStop()

    monkeypatch.setattr("opendynamics.drawstuff.loop.Window", Watched)
    ds.dsSimulationLoop(0, [], 640, 480, program(step=step))
    assert [xyz for xyz, _ in seen] == [(2, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1)]


def test_a_window_shows_frames(capsys):
    pytest.importorskip("viser")
    frame = run(1, program(step=lambda pause: draw_everything()))[0]
    with Window((2, 0, 1), (180, 0, 0)) as window:
        window.show(frame)
        window.show(frame[1:])
        assert not window.closed
    assert window.closed


def test_every_public_function_of_drawstuff_is_there():
    """The functions of drawstuff.h, with its old names, and the constants."""
    shapes = ("Box", "Sphere", "Triangle", "Triangles", "Cylinder", "Capsule", "Line", "Convex", "CappedCylinder")
    names = {f"dsDraw{shape}{end}" for shape in shapes for end in ("", "D")}
    names |= {f"dsSet{what}" for what in ("Viewpoint", "Texture", "Color", "ColorAlpha", "DrawMode")}
    names |= {f"dsSet{shape}Quality" for shape in ("Sphere", "Capsule", "CappedCylinder")}
    names |= {"dsSimulationLoop", "dsError", "dsDebug", "dsPrint", "dsGetViewpoint", "dsStop", "dsElapsedTime"}
    names |= {"dsFunctions", "DS_VERSION", "DS_NONE", "DS_WOOD", "DS_CHECKERED", "DS_GROUND", "DS_SKY"}
    names |= {"DS_POLYFILL", "DS_WIREFRAME"}
    assert names == set(ds.__all__) - {"Drawn", "headless"}


class Terminal:
    """A terminal with these unread bytes, as a file that `select` takes."""

    encoding = "utf-8"

    def __init__(self, text):
        self._own, self._end = os.openpty()  # our end, and the one that is read
        os.write(self._own, text.encode())

    def fileno(self):
        return self._end

    def isatty(self):
        return True

    def close(self):
        os.close(self._end)
        os.close(self._own)


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
def test_lines_typed_at_once_are_read_in_consecutive_frames(monkeypatch):
    terminal = Terminal("ab\nä\n")
    monkeypatch.setattr(loop, "sys", SimpleNamespace(stdin=terminal, platform="linux"))
    assert [loop._typed() for _ in range(3)] == ["ab", "ä", ""]
    terminal.close()


def test_keys_on_windows_where_terminals_cannot_be_selected(monkeypatch):
    waiting = list("a\xe0Hb\r")
    console = SimpleNamespace(kbhit=lambda: bool(waiting), getwch=lambda: waiting.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setattr(loop, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True), platform="win32"))
    assert (loop._typed(), loop._typed()) == ("ab", "")
