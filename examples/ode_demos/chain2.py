"""ODE's demo_chain2: the chain of demo_chain1, written with objects, which in Python are those of opendynamics."""

from itertools import pairwise

from ode_demo import *

import opendynamics as od

FRAMES, COUNT = 200, 10

stage = Stage(-5, h=0.05)
world = stage.world  # an od.World: both interfaces use the same objects
balls = [
    world.add_body(od.Sphere(0.1), position=(0.2 * k, 0, 0.3 + 0.2 * k), mass=1, space=stage.space)
    for k in range(COUNT)
]
joints = [world.add_ball(one, two, anchor=(one.position + two.position) / 2) for one, two in pairwise(balls)]


def check():
    assert max(body.position[2] for body in balls) < 0.35, "all of the chain has come down"
    assert all(close(joint.anchor, joint.anchor2, 0.02) for joint in joints), "in one piece"


if __name__ == "__main__":
    stage.show()
