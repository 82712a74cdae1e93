"""ODE's demo_chain1: a chain of ten spheres, ball joints between them, falls on the ground and is pulled up by its end."""

from itertools import pairwise

from ode_demo import *

FRAMES, COUNT, RADIUS = 200, 10, 0.1
SIDE = 2 * RADIUS

stage = Stage(-5, h=0.05)
spheres = [stage.sphere(RADIUS, (k * SIDE, k * SIDE, 0.4 + k * SIDE)) for k in range(COUNT)]
joints = [stage.joint(dJointCreateBall, one, two) for one, two in pairwise(spheres)]
for k, joint in enumerate(joints):
    dJointSetBallAnchor(joint, (k + 0.5) * SIDE, (k + 0.5) * SIDE, 0.4 + (k + 0.5) * SIDE)


def pull(time):
    if time > 4:
        dBodyAddForce(spheres[-1], 0, 0, 0.5 * COUNT * 5 * dBodyGetMass(spheres[-1]).mass)


stage.forces = pull


def check():
    assert height(spheres[-1]) > height(spheres[0]), "the pulled end is the upper one"
    for joint in joints:
        assert close(dJointGetBallAnchor(joint), dJointGetBallAnchor2(joint), 0.02), "no joint comes apart"


if __name__ == "__main__":
    stage.show()
