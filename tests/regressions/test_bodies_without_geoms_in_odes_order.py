"""A body without geoms, added to a world of bodies with one geom each, in a space like ODE: the next step raised IndexError."""

import pytest

import opendynamics as od
from opendynamics import c_api as c


def balls_in_odes_order(count):
    """A world, its bodies and a space that has asked for its pairs, so that steps bring moved geoms to the front."""
    world, space = od.World(gravity=(0, 0, -1)), od.HashSpace(like="ode")
    balls = [world.add_body(position=(k, 0, 0), mass=1.0) for k in range(count)]
    for ball in balls:
        space.add(od.Sphere(0.4, body=ball))
    for _ in range(2):
        space.collide(lambda a, b: None)
        world.step(0.01)
    return world, balls, space


@pytest.mark.parametrize("step", ["step", "quick_step", "advance"])
def test_a_new_body_without_geoms_moves(step):
    world, _, space = balls_in_odes_order(4)
    body = world.add_body(position=(0, 0, 9), mass=1.0)
    for _ in range(2):
        space.collide(lambda a, b: None)
        getattr(world, step)(0.01)
    assert body.linear_velocity[2] == pytest.approx(-0.02)


def test_a_new_body_without_geoms_in_the_row_of_a_destroyed_one_moves():
    world, balls, space = balls_in_odes_order(4)
    balls[1].destroy()
    world.step(0.01)
    body = world.add_body(position=(0, 0, 9), mass=1.0)
    space.collide(lambda a, b: None)
    world.step(0.01)
    assert body.linear_velocity[2] == pytest.approx(-0.01)


def test_a_new_body_without_geoms_of_the_c_names_moves():
    world, space = c.dWorldCreate(), c.dHashSpaceCreate(0)
    c.dWorldSetGravity(world, 0, 0, -1)
    for k in range(4):
        geom, body = c.dCreateSphere(space, 0.4), c.dBodyCreate(world)
        c.dGeomSetBody(geom, body)
        c.dBodySetPosition(body, k, 0, 0)
    for _ in range(2):
        c.dSpaceCollide(space, None, lambda data, a, b: None)
        c.dWorldStep(world, 0.01)
    later = c.dBodyCreate(world)
    c.dWorldStep(world, 0.01)
    assert c.dBodyGetLinearVel(later)[2] == pytest.approx(-0.01)
