"""Writing a world that shares a space with another named neither world, and advised a class at the top level of a module."""

import pickle

import pytest

import opendynamics as od


def world_with_ball(name):
    world = od.World(name=name)
    world.add_body(od.Sphere(1.0, name=f"{name}'s ball"), name=f"{name}'s body")
    return world


@pytest.fixture
def worlds():
    return world_with_ball("earth"), world_with_ball("moon")


def test_a_space_of_two_worlds(worlds, tmp_path):
    earth, moon = worlds
    space = od.SimpleSpace(name="both")
    for world in worlds:
        geom = world.bodies[0].geoms[0]
        world.space.remove(geom)
        space.add(geom)
    expected = (
        "earth cannot be saved: both, which has geoms of it, also has moon's ball, which belongs to another world, moon"
    )
    with pytest.raises(TypeError, match=expected):
        earth.save().to_bytes()
    with pytest.raises(TypeError, match=expected):
        earth.save().write(tmp_path / "earth.snapshot")
    with pytest.raises(TypeError, match=expected):
        pickle.dumps(earth)
    with pytest.raises(TypeError, match=r"moon cannot be saved: both.*earth's ball.*; call space.remove"):
        moon.save().to_bytes()
    space.remove(moon.bodies[0].geoms[0])
    loaded = od.World.load(od.Snapshot.from_bytes(earth.save().to_bytes()))
    assert loaded.bodies[0].geoms[0].space.name == "both"


def test_data_that_refers_to_another_world(worlds):
    earth, moon = worlds
    body = earth.bodies[0]
    for data in (moon.bodies[0], {"target": moon.bodies[0]}):
        body.data = data
        with pytest.raises(
            TypeError, match="data of earth's body refers to moon's body, which belongs to another world, moon"
        ):
            earth.save().to_bytes()
    body.data = moon
    with pytest.raises(TypeError, match="data of earth's body refers to moon, another world; remove the ref"):
        earth.save().to_bytes()
    moon.bodies[0].destroy()
    body.data = od.Sphere(1.0, name="template")
    with pytest.raises(TypeError, match="data of earth's body refers to template, which does not belong to it"):
        earth.save().to_bytes()


def test_data_that_refers_to_what_was_destroyed(worlds):
    earth, _ = worlds
    lost = earth.add_body(name="lost")
    lost.destroy()
    earth.bodies[0].data = [lost]
    with pytest.raises(TypeError, match="data of earth's body refers to lost, which does not belong to it"):
        earth.save().to_bytes()
