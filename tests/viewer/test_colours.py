"""Colours show the state of bodies, and distinguish bodies."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.viewer import colours
from opendynamics.viewer.contents import geoms_of


def test_states():
    world = od.World(gravity=(0, 0, -9.81))
    plane, wall = world.add_plane(), world.add_geom(od.Box((1, 1, 1)))
    active = world.add_body(od.Sphere(0.1), position=(0, 0, 1))
    asleep = world.add_body(od.Sphere(0.1), position=(0, 0, 2))
    asleep.enabled = False
    lift = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 3), kinematic=True)
    faulty = world.add_body(od.Sphere(0.1), position=(0, 0, 4))
    faulty._set_flag(512, True)
    faulty._set_flag(2, False)
    geoms = geoms_of(world)
    assert geoms == (plane, wall, *(body.geoms[0] for body in (active, asleep, lift, faulty)))
    names = [colours.STATES[state] for state in colours.states_of(geoms)]
    assert names == ["static", "static", "active", "sleeping", "kinematic", "faulty"]
    flags = world._store[MOTIONS]["flags"][[body._row for body in world.bodies]]
    assert [colours.STATES[state] for state in colours.states_of_flags(flags)] == names[2:]
    found = colours.colours_of(geoms)
    assert found.dtype == np.uint8
    assert found.shape == (6, 3)
    assert tuple(found[0]) == colours.GROUND
    assert tuple(found[1]) == tuple(colours.BY_STATE[colours.STATIC])
    for k, state in ((2, 0), (3, 1), (4, 2), (5, 4)):
        assert abs(found[k] / colours.BY_STATE[state] - 1.0).max() <= colours.VARIED + 0.06


def test_a_kinematic_body_that_is_faulty_cannot_be_overlooked():
    """Its position overflows in a step, in one way of telling states as in the other."""
    world = od.World()
    lift = world.add_body(od.Box((1, 1, 1)), kinematic=True, linear_velocity=(1e300, 0, 0))
    with pytest.warns(RuntimeWarning, match="frozen"):
        world.step(1e10)
    assert lift.kinematic and lift.faulty and not lift.enabled
    assert colours.STATES[colours.state_of(lift)] == "faulty"
    flags = world._store[MOTIONS]["flags"][[lift._row]]
    assert [colours.STATES[state] for state in colours.states_of_flags(flags)] == ["faulty"]
    lift.linear_velocity, lift.enabled = (0, 0, 0), True
    assert colours.STATES[colours.state_of(lift)] == "kinematic"


def test_the_palette_tells_neighbours_apart():
    palette = colours.by_body(np.arange(64)).astype(float)
    assert (np.linalg.norm(np.diff(palette, axis=0), axis=1) > 60).all()
    assert np.array_equal(palette, colours.by_body(np.arange(64)))
    # One lightness: relative luminance (BT.709) stays in a narrow band.
    light = ((palette / 255) ** 2.2) @ (0.2126, 0.7152, 0.0722)
    assert light.std() < 0.05


def test_grey_of_oklab():
    grey = colours._srgb(np.array([0.0, 1.0]), np.zeros(2), np.zeros(2))
    assert grey.tolist() == [[0, 0, 0], [255, 255, 255]]


def test_geoms_of_bodies_in_spaces_of_their_own_are_found():
    world = od.World()
    space = od.HashSpace()
    floor = od.Plane(space=space)
    body = world.add_body(od.Sphere(1), space=space)
    assert geoms_of(world) == body.geoms
    assert set(geoms_of(world, [space])) == {floor, *body.geoms}
    assert len(geoms_of(world, [space, world.space])) == 2
