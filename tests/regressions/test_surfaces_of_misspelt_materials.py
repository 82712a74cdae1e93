"""Entries of `world.surfaces` for a misspelt material had no effect, and nothing said so if the right name had an entry too."""

import warnings

import pytest

import opendynamics as od

SLIPPERY = od.Surface(mu=0.1)


def world_with(*materials, **options):
    world = od.World(gravity=(0, 0, -9.81), **options)
    world.add_plane(material=materials[0])
    for k, material in enumerate(materials[1:]):
        world.add_body(od.Sphere(0.1, material=material), position=(k, 0, 1), mass=1)
    return world


def messages_of(world):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        world.advance(0.01, steps=2)
        world.advance(0.01)
    assert all(each.category is od.SetupWarning for each in found)
    return [str(each.message) for each in found]


@pytest.mark.parametrize("entry", [("icee", "rubber"), ("rubber", "icee"), "icee", ("icee", "icee")])
def test_a_misspelt_material_of_an_entry_is_named_once(entry):
    world = world_with("rubber", "ice")
    world.surfaces["rubber"] = SLIPPERY
    world.surfaces["ice", None] = SLIPPERY
    world.surfaces[entry] = SLIPPERY
    (message,) = messages_of(world)
    assert "no geom has the material 'icee'" in message and "did you mean 'ice'?" in message


def test_materials_that_differ_on_purpose():
    world = world_with("rubber", "concrete")
    for material in ("concrete", "concrete_wet", "rubber", "wood"):
        world.surfaces[material] = SLIPPERY
    for material in ("concrete", "concretee"):  # each has its own, so that neither stands for the other
        world.surfaces[material, "rubber"] = SLIPPERY
    assert messages_of(world) == []


def test_geoms_that_are_added_before_the_first_step():
    world = world_with("rubber")
    world.surfaces["icee", "rubber"] = world.surfaces["ice"] = SLIPPERY
    for material in ("icee", "ice"):
        world.add_body(od.Sphere(0.1, material=material), position=(len(world.bodies), 0, 1), mass=1)
    assert messages_of(world) == []


@pytest.mark.parametrize("materials", [(None, None), ("rubber", "wood")])
@pytest.mark.parametrize("mentioned", ["ice", ("ice", "snow"), None])
def test_materials_that_are_not_used_and_like_no_other(materials, mentioned):
    world = world_with(*materials)
    world.surfaces[mentioned] = SLIPPERY  # by a function that sets up many worlds, or for geoms that are added later
    assert messages_of(world) == []


def test_worlds_like_ode_are_not_checked():
    world = world_with("rubber", "ice", like="ode")
    world.surfaces["icee", "rubber"] = world.surfaces["ice"] = SLIPPERY
    assert messages_of(world) == []
