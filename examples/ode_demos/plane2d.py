"""ODE's demo_plane2d: boxes and balls in a box of planes move in the plane z = 0 only, with Plane2D joints."""

import numpy as np
from ode_demo import *

FRAMES, COUNT = 200, 10

stage = Stage(0, ground=False, h=0.01, mode=APPROX | dContactBounce, mu=0.5, bounce=0.9, bounce_vel=0.05)
dWorldSetGravity(stage.world, 0, -2, 0)
for a, b, d in ((1, 0, -3), (-1, 0, -3), (0, 1, -3), (0, -1, -3)):
    dCreatePlane(stage.space, a, b, 0, d)
random, bodies = np.random.default_rng(4), []
for k in range(COUNT):
    at = (-2.4 + 1.2 * (k % 5), -1 + 2 * (k // 5), 0)
    body = stage.box((0.5, 0.6, 0.4), at) if k % 2 else stage.sphere(0.3, at)
    stage.joint(dJointCreatePlane2D, body)
    dBodySetLinearVel(body, *random.normal(size=2), 0.5)  # out of the plane: the joint prevents that
    dBodySetAngularVel(body, 0.3, 0.3, 2)
    bodies.append(body)


def check():
    for body in bodies:
        x, y, z = dBodyGetPosition(body)
        assert abs(z) < 0.01 and abs(x) < 3 and abs(y) < 3, "in the plane, in the box"
        assert close(dBodyGetAngularVel(body)[:2], 0, 1e-6) and abs(dBodyGetLinearVel(body)[2]) < 1e-3
        assert dBodyGetRotation(body)[10] > 0.9999, "upright"
    assert max(abs(dBodyGetAngularVel(body)[2]) for body in bodies) > 0.1, "and turning"


if __name__ == "__main__":
    stage.show()
