"""ODE's demo_jointPR: a box slides along an axis and rotates about another, driven by keys: f, b along, l, r about it."""

from ode_demo import *

FRAMES, KEYS = 200, {0: "f" * 5, 60: "l" * 5}

stage = Stage(0, ground=False, h=0.02)
base, arm = stage.box((1, 1, 1), (0, 0, 1), 5), stage.box((0.3, 0.3, 1), (2, 0, 1))
dJointSetFixed(stage.joint(dJointCreateFixed, base))
joint = stage.joint(dJointCreatePR, base, arm)
dJointSetPRAnchor(joint, 2, 0, 1)
dJointSetPRAxis1(joint, 1, 0, 0)
dJointSetPRAxis2(joint, 0, 1, 0)
dJointSetPRParam(joint, dParamLoStop, -0.5)
dJointSetPRParam(joint, dParamHiStop, 0.5)
pushes = {"f": 0.5, "b": -0.5, "l": 0.5, "r": -0.5}
positions = []


def command(key):
    """Push along the slider, or rotate."""
    word = chr(key)
    if word in "fb":
        dBodyAddForce(arm, 100 * pushes[word] * dBodyGetMass(arm).mass, 0, 0)
    else:
        dJointAddPRTorque(joint, 5 * pushes[word] * dBodyGetMass(arm).mass)


stage.commands, stage.forces = command, lambda time: positions.append(dJointGetPRPosition(joint))


def check():
    assert min(positions) < -0.49, "base moves against the arm as far as the stop"
    assert min(positions) > -0.52, "and hardly farther"
    assert abs(dJointGetPRAngleRate(joint)) > 0.1, "the arm turns"
    assert abs(dBodyGetPosition(arm)[1]) < 1e-3 and abs(dBodyGetRotation(arm)[5] - 1) < 1e-3, "about y only"


if __name__ == "__main__":
    stage.show()
