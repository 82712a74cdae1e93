"""Common start of programs with a mistake."""

import opendynamics as od


def make_scene():
    """A world, a ball in it, and a hinge that holds the ball."""
    world = od.World(gravity=(0, 0, -9.81))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), mass=1, name="ball")
    return world, ball, world.add_hinge(ball, None, anchor=(0, 0, 3), axis=(0, 1, 0), name="hinge")


def put(thing, name, value):
    setattr(thing, name, value)
