"""Colours that users set for bodies and geoms: in pictures, in the live view, in recordings and in exports."""

import copy
import json

import numpy as np
import pytest

import opendynamics as od
from opendynamics.viewer.colours import BY_STATE, GROUND, SLEEPING, colours_of
from opendynamics.viewer.contents import geoms_of
from opendynamics.viewer.live.painter import Painter

PLAIN = {"samples": 1, "shadows": 0, "ambient": 0}


def scene():
    """A red body, one with a geom that has its own colour, one without any, a green wall and a plane."""
    world = od.World()
    red = world.add_body(od.Sphere(0.3), color="red", position=(0, 0, 1), name="red")
    mixed = world.add_body(od.Sphere(0.3), od.Box((1, 1, 1), position=(0, 0, 1), color=(0, 0, 1)), color="#336699")
    plain = world.add_body(od.Sphere(0.3), position=(5, 0, 1))
    wall = world.add_geom(od.Box((1, 1, 1), color="green"))
    plane = world.add_plane()
    return world, red, mixed, plain, wall, plane


def shown(world):
    return dict(zip(geoms_of(world), colours_of(geoms_of(world), "body").tolist(), strict=True))


def test_a_colour_is_given_by_name_digits_or_numbers():
    geom = od.Sphere(1)
    assert geom.color is None
    for color, expected in (
        ("Red", (1, 0, 0)),
        ("#336699", (0.2, 0.4, 0.6)),
        ("#369", (0.2, 0.4, 0.6)),
        ("AliceBlue", (240 / 255, 248 / 255, 1)),
        (np.array([0, 0.5, 1]), (0, 0.5, 1)),
    ):
        geom.color = color
        assert geom.color == pytest.approx(expected)
    geom.color = None
    assert geom.color is None


@pytest.mark.parametrize("color", ["rot", "#12345", "#12345g", "", "#", (255, 0, 0), (0, 0, -0.1)])
def test_what_is_no_colour_is_refused(color):
    for make in (lambda: od.Sphere(1, color=color), lambda: od.World().add_body(color=color)):
        with pytest.raises(
            ValueError, match=r"the colour of .* must be '#rrggbb', three numbers from 0 to 1, or a name of CSS"
        ):
            make()
    with pytest.raises(ValueError, match="must be 3 numbers"):
        od.Sphere(1, color=(0, 0))
    with pytest.raises(ValueError, match="did you mean 'steelblue'"):
        od.Sphere(1, color="stealblue")


def test_geoms_come_before_bodies_and_these_before_the_palette():
    world, red, mixed, plain, wall, plane = scene()
    found = shown(world)
    assert found[red.geoms[0]] == [255, 0, 0]
    assert found[mixed.geoms[0]] == [0, 0, 255] and found[mixed.geoms[1]] == [0x33, 0x66, 0x99]
    assert found[wall] == [0, 128, 0] and tuple(found[plane]) == GROUND
    before = found[plain.geoms[0]]
    red.color = None
    assert shown(world)[red.geoms[0]] not in ([255, 0, 0], before)
    assert (colours_of(geoms_of(world), "state") != np.array([0, 0, 255])).any(axis=1).all()


def test_a_picture_shows_it():
    world = od.World()
    ball = world.add_body(od.Sphere(1.0))
    camera = od.Camera((0, -4, 0))
    for color, channel in (("red", 0), ("#00ff00", 1), ((0, 0, 1), 2)):
        ball.color = color
        middle = world.render(camera, (32, 32), **PLAIN)[16, 16].astype(int)
        assert np.argmax(middle) == channel
        assert middle[channel] > np.delete(middle, channel).max() + 80


def test_the_live_view_shows_it_and_pales_it_while_the_body_sleeps():
    world, red, *_ = scene()
    painter, geoms = Painter(), geoms_of(world)
    painter.look_at(world, geoms)
    place = geoms.index(red.geoms[0])
    assert painter.colours()[place].tolist() == [255, 0, 0]
    red.color = "blue"
    assert painter.colours()[place].tolist() == [0, 0, 255]
    red.enabled = False
    paler = painter.colours()[place].astype(float)
    assert np.linalg.norm(paler - BY_STATE[SLEEPING]) < 0.5 * np.linalg.norm(
        (0, 0, 255) - BY_STATE[SLEEPING].astype(float)
    )
    painter.by = "state"
    assert painter.colours()[place].tolist() != paler.tolist()


def test_recordings_keep_it_and_follow_changes(tmp_path):
    world, red, _mixed, plain, wall, _plane = scene()
    with od.Recorder(world, tmp_path / "a.odr"):
        world.advance(0.01)
        red.color, wall.color = "white", None
        world.advance(0.01, steps=2)
        plain.geoms[0].color = "lime"
        world.advance(0.01)
    recording = od.Recording(tmp_path / "a.odr")
    expected = {0: ["red", "green", None], 2: ["white", None, None], len(recording) - 1: ["white", None, "lime"]}
    for frame, colors in expected.items():
        replayed = recording.world(frame)
        geoms = [
            replayed.bodies[0].geoms[0],
            next(g for g in replayed.geoms if g.name == wall.name),
            replayed.bodies[2].geoms[0],
        ]
        assert [geom.color for geom in geoms] == [od.Sphere(1, color=color).color for color in colors]


def test_a_gltf_file_has_it(tmp_path):
    world, *_ = scene()
    with od.Recorder(world, tmp_path / "a.odr"):
        world.advance(0.01, steps=3)
    od.Recording(tmp_path / "a.odr").to_gltf(tmp_path / "a.glb")
    data = (tmp_path / "a.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    factors = {tuple(m["pbrMetallicRoughness"]["baseColorFactor"][:3]) for m in document["materials"]}
    assert (1.0, 0.0, 0.0) in factors and (0.0, 0.0, 1.0) in factors


def test_the_darker_tone_of_a_gltf_file_is_that_of_the_live_view(tmp_path):
    """Both take the same part of the colour's light: for orange, sRGB (255, 165, 0), light (1, 0.376, 0)."""
    pytest.importorskip("viser", reason="the live view needs viser")
    from tests.viewer.showing import batch_of, show

    world = od.World()
    world.add_body(od.Sphere(0.2), color="orange")
    with od.Recorder(world, tmp_path / "a.odr"):
        world.advance(0.01)
    od.Recording(tmp_path / "a.odr").to_gltf(tmp_path / "a.glb")
    data = (tmp_path / "a.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    exported = sorted(m["pbrMetallicRoughness"]["baseColorFactor"][:3] for m in document["materials"])
    with show(world, threaded=False) as viewer:
        shown = sorted(h.batched_colors[0].tolist() for h in batch_of(viewer, "sphere").handles)
    assert len(exported) == len(shown) == 2
    np.testing.assert_allclose(exported[1], [1.0, ((165 / 255 + 0.055) / 1.055) ** 2.4, 0.0], rtol=1e-12)
    np.testing.assert_allclose(np.multiply(255.0, exported), shown, atol=1.0)


def test_saved_worlds_and_copies_have_it():
    world, *_ = scene()
    twin = copy.deepcopy(world)
    assert twin.find("red").color == (1.0, 0.0, 0.0)
    assert twin.bodies[1].geoms[0].color == (0.0, 0.0, 1.0)
