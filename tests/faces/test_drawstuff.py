"""drawstuff: programs of ODE's demos run in its loop, without a window, and in the live view."""

import math

import numpy as np
import pytest

from opendynamics import c_api as ode
from opendynamics import drawstuff as ds
from opendynamics.drawstuff.window import Shown, Window, joined, shape_of

HERE, STRAIGHT = (0.0, 0.0, 0.0), ode.dRSetIdentity()
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
        (lambda: ds.dsSetViewpoint((1, 2), HERE), "the view point"),
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
    assert shown.world.bodies == bodies[:2] and len(shown.world.geoms) == 3


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
