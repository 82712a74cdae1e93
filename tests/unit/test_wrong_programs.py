"""Programs with a mistake, as newcomers write them: each gets an error that names the remedy."""

import math

import numpy as np
import pytest

import opendynamics as od


@pytest.fixture
def scene():
    """A world, a ball in it, and a hinge that holds the ball."""
    world = od.World(gravity=(0, 0, -9.81))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), mass=1, name="ball")
    return world, ball, world.add_hinge(ball, None, anchor=(0, 0, 3), axis=(0, 1, 0), name="hinge")


def put(thing, name, value):
    setattr(thing, name, value)


PROGRAMS = {
    # Names that are nearly right, and names of other engines.
    "world.gravty": (lambda w, b, h: put(w, "gravty", (0, 0, -9)), "did you mean 'gravity'"),
    "world.Gravity": (lambda w, b, h: put(w, "Gravity", (0, 0, -9)), "did you mean 'gravity'"),
    "world.setGravity": (lambda w, b, h: w.setGravity((0, 0, -9)), "did you mean 'gravity'"),
    "world.timestep": (lambda w, b, h: put(w, "timestep", 0.01), "no attribute 'timestep'"),
    "world.addBody": (lambda w, b, h: w.addBody(), "did you mean 'add_body'"),
    "world.createBody": (lambda w, b, h: w.add_boddy(), "did you mean 'add_body'"),
    "world.step = h": (lambda w, b, h: put(w, "step", 0.01), "is a method: call it"),
    "world.bodies = []": (lambda w, b, h: put(w, "bodies", []), "can only be read"),
    "world.time = 0": (lambda w, b, h: put(w, "time", 0), "can only be read"),
    "body.pos": (lambda w, b, h: b.pos, "did you mean 'position'"),
    "body.getPosition": (lambda w, b, h: b.getPosition(), "did you mean 'position'"),
    "body.velocity": (lambda w, b, h: put(b, "velocity", (1, 0, 0)), "did you mean 'linear_velocity'"),
    "body.omega": (lambda w, b, h: b.omega, "did you mean 'angular_velocity'"),
    "body.addForce": (lambda w, b, h: b.addForce((1, 0, 0)), "did you mean 'add_force'"),
    "body.orient": (lambda w, b, h: b.orient, "did you mean 'orientation'"),
    "body.owner": (lambda w, b, h: put(b, "owner", "me"), "into its 'data', or derive a class"),
    "hinge.limit": (lambda w, b, h: put(h, "limit", (-1, 1)), "did you mean 'limits'"),
    "hinge.rate = 1": (lambda w, b, h: put(h, "rate", 1), "'angle_rate' of Hinge 'hinge' can only be read"),
    "hinge.angle = 1": (lambda w, b, h: put(h, "angle", 1), "can only be read"),
    "geom.radus": (lambda w, b, h: b.geoms[0].radus, "did you mean 'radius'"),
    "space.add_geom": (lambda w, b, h: w.space.category_bit, "did you mean 'category_bits'"),
    "surface.mu = 1": (lambda w, b, h: put(w.surfaces.default, "mu", 1), r"dataclasses.replace\(surface, mu=1\)"),
    # Keywords.
    "World(gravty=)": (lambda w, b, h: od.World(gravty=1), "did you mean 'gravity'"),
    "Sphere(pos=)": (lambda w, b, h: od.Sphere(0.1, pos=(0, 0, 1)), "did you mean 'position'"),
    "Sphere(r=)": (lambda w, b, h: od.Sphere(r=0.1), "Its arguments are radius"),
    "Box(sides=)": (lambda w, b, h: od.Box(sides=(1, 1, 1)), "did you mean 'size'"),
    "Plane(height=)": (lambda w, b, h: od.Plane(height=1), "Its arguments are normal, offset"),
    "Plane(offset=, d=)": (lambda w, b, h: od.Plane(offset=1, d=1), "two names of one argument; give one"),
    "advance(dt=)": (lambda w, b, h: w.advance(dt=0.01), "did you mean 'h'"),
    "add_body(pos=)": (lambda w, b, h: w.add_body(od.Sphere(1), pos=(0, 0, 1)), "did you mean 'position'"),
    "add_body(weight=)": (lambda w, b, h: w.add_body(weight=1), "Its arguments are position, quaternion"),
    "add_hinge(limit=)": (lambda w, b, h: w.add_hinge(b, None, limit=(0, 1)), "did you mean 'limits'"),
    "motor(torque=)": (lambda w, b, h: h.motor(1.0, torque=2), "did you mean 'max_torque'"),
    "servo(kp=)": (lambda w, b, h: h.servo(0.1, kp=2), "Its arguments are position, stiffness, damping"),
    "Surface(restitutoin=)": (lambda w, b, h: od.Surface(restitutoin=1), "did you mean 'restitution'"),
    "Surface(friction=box)": (lambda w, b, h: od.Surface(friction="box"), "friction_model='box'"),
    "cast_rays(maximum=)": (
        lambda w, b, h: w.cast_rays((0, 0, 0), (0, 0, 1), max_dist=1),
        "did you mean 'max_distance'",
    ),
    # Values.
    "writing a copy": (lambda w, b, h: b.position.__setitem__(2, 5.0), "read-only"),
    "writing many copies": (lambda w, b, h: w.positions.__setitem__(0, (0, 0, 5.0)), "read-only"),
    "gravity as a number": (lambda w, b, h: od.World(gravity=-9.81), "must be 3 numbers"),
    "a position of two": (lambda w, b, h: put(b, "position", (0, 1)), "must be 3 numbers, not 2"),
    "a position in words": (lambda w, b, h: put(b, "position", "hello"), "must be"),
    "a position that is not finite": (lambda w, b, h: put(b, "position", (0, 0, math.nan)), "must be finite"),
    "a quaternion of three": (lambda w, b, h: put(b, "quaternion", (0, 0, 1)), "must be 4 numbers"),
    "a quaternion of zeros": (lambda w, b, h: put(b, "quaternion", (0, 0, 0, 0)), "finite length above 0"),
    "a matrix that is none": (lambda w, b, h: put(b, "rotation", 2 * np.eye(3)), "for a quaternion use the quaternion"),
    "a negative mass": (lambda w, b, h: put(b, "mass", -1), "must be greater than 0"),
    "a negative radius": (lambda w, b, h: od.Sphere(-0.1), "must be greater than 0"),
    "a step of zero": (lambda w, b, h: w.advance(0.0), "0.01 is a good start"),
    "half a step": (lambda w, b, h: w.advance(0.01, steps=1.5), "must be a whole number"),
    "an axis of zeros": (lambda w, b, h: put(h, "axis", (0, 0, 0)), "gives no direction"),
    "stops the wrong way round": (lambda w, b, h: put(h, "stops", (1, -1)), "must not be above the high one"),
    "a solver that is none": (lambda w, b, h: od.World(solver="fast"), "there are: "),
    "a body of another world": (lambda w, b, h: od.World().add_ball(b, None), "lives in another world"),
    "a joint to itself": (lambda w, b, h: w.add_ball(b, b), "to itself"),
    "a shape used twice": (lambda w, b, h: w.add_body(b.geoms[0]), "make another one"),
    "a body that is gone": (lambda w, b, h: (b.destroy(), b.position), "has been destroyed; make a new one"),
    "an unknown name": (lambda w, b, h: w.find("bal"), "did you mean 'ball'"),
    "the force of a contact point": (lambda w, b, h: od.Contact().force, r"only contacts of world.contacts"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_wrong_program_is_told_what_to_do(scene, name):
    program, remedy = PROGRAMS[name]
    with pytest.raises((AttributeError, TypeError, ValueError, KeyError, ReferenceError), match=remedy):
        program(*scene)


def test_there_are_fifty():
    assert len(PROGRAMS) >= 50
