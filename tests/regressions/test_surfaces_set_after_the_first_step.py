"""`world.reset()` kept the first surface that was set after the first step: its entry was noted after it had been made."""

import pytest

import opendynamics as od


def stepped():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(material="floor")
    world.add_body(od.Sphere(0.1, material="rubber"), position=(0, 0, 1), mass=1)
    world.surfaces["rubber"] = od.Surface(mu=0.5)
    world.advance(0.01)
    return world


@pytest.mark.parametrize("materials", ["ice", "rubber", ("rubber", "floor"), None])
def test_a_reset_removes_later_surfaces(materials):
    world = stepped()
    before, known = repr(world.surfaces), world.surfaces.materials
    world.surfaces[materials] = od.Surface(mu=0.125)
    assert world.surfaces[materials].mu == 0.125
    world.reset()
    assert repr(world.surfaces) == before and world.surfaces.materials == known


def test_a_reset_forgets_the_materials_of_later_geoms():
    world = stepped()
    known = world.surfaces.materials
    world.add_geom(od.Sphere(0.1, material="late"))
    assert "late" in world.surfaces.materials
    world.reset()
    assert world.surfaces.materials == known


def test_a_material_that_a_reset_removed_has_the_surface_that_it_is_given_again():
    world = stepped()
    for mu in (0.1, 0.9):
        world.surfaces["ice", "floor"] = od.Surface(mu=mu)
        world.bodies[0].geoms[0].material = "ice"
        world.bodies[0].position, world.bodies[0].linear_velocity = (0, 0, 0.1), (1, 0, 0)
        world.bodies[0].angular_velocity = (0, 0, 0)
        world.advance(0.001)
        assert 1.0 - world.bodies[0].linear_velocity[0] == pytest.approx(mu * 9.81 * 0.001, rel=1e-2)
        world.reset()
