"""ODE's demo_hinge: two boxes on a hinge, pushed occasionally, with a small joint error."""

from ode_demo import *

FRAMES = 200

stage = Stage(0, ground=False, h=0.05)
one, two = stage.box((0.5, 0.5, 0.5), (0.25, 0.25, 1)), stage.box((0.5, 0.5, 0.5), (-0.25, -0.25, 1))
hinge = stage.joint(dJointCreateHinge, one, two)
dJointSetHingeAnchor(hinge, 0, 0, 1)
dJointSetHingeAxis(hinge, 1, -1, 1.41421356)
angles = []


def push(time):
    if time < 2:
        dBodyAddTorque(one, 0, 0, 0.01 * dSin(10 * time))
        dJointAddHingeTorque(hinge, 0.002)
    angles.append(dJointGetHingeAngle(hinge))


stage.forces = push


def check():
    assert max(angles) - min(angles) > 0.5, "the hinge turns"
    assert close(dJointGetHingeAnchor(hinge), dJointGetHingeAnchor2(hinge), 5e-3), "its anchors stay together"
    axes = [dBodyVectorFromWorld(body, *dJointGetHingeAxis(hinge)) for body in (one, two)]
    assert close(axes[0], axes[1], 1e-2), "its axis is the same one in both bodies"


if __name__ == "__main__":
    stage.show()
