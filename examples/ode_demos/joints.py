"""ODE's demo_joints: joint tests: bodies are pushed at random, and each joint maintains its constraint."""

import numpy as np
from ode_demo import *

FRAMES = 60

stage = Stage(0, ground=False, h=0.02)
random, pairs = np.random.default_rng(5), {}
for k, kind in enumerate(("Ball", "Hinge", "Slider", "Hinge2", "Universal", "PR", "Fixed", "AMotor")):
    one, two = (stage.box((0.5, 0.5, 0.5), (3 * k, y, 0)) for y in (-0.5, 0.5))
    joint = stage.joint(globals()[f"dJointCreate{kind}"], one, two)
    pairs[kind] = one, two, joint
    if kind in ("Ball", "Hinge", "Hinge2", "Universal", "PR"):
        globals()[f"dJointSet{kind}Anchor"](joint, 3 * k, 0, 0)
dJointSetFixed(pairs["Fixed"][2])
dJointSetHingeAxis(pairs["Hinge"][2], 0, 0, 1)
dJointSetSliderAxis(pairs["Slider"][2], 0, 1, 0)
dJointSetHinge2Axes(pairs["Hinge2"][2], (0, 0, 1), (1, 0, 0))
dJointSetUniversalAxis1(pairs["Universal"][2], 1, 0, 0)
dJointSetUniversalAxis2(pairs["Universal"][2], 0, 0, 1)
dJointSetPRAxis1(pairs["PR"][2], 0, 1, 0)
dJointSetPRAxis2(pairs["PR"][2], 1, 0, 0)
dJointSetAMotorNumAxes(pairs["AMotor"][2], 3)
for k in range(3):
    dJointSetAMotorAxis(pairs["AMotor"][2], k, 1, *np.eye(3)[k])
    dJointSetAMotorParam(pairs["AMotor"][2], (dParamFMax1, dParamFMax2, dParamFMax3)[k], dInfinity)


def push(time):
    for one, two, _ in pairs.values():
        for body in (one, two):
            dBodyAddForce(body, *random.normal(scale=0.05, size=3))
            dBodyAddTorque(body, *random.normal(scale=0.01, size=3))


stage.forces = push


def check():
    for kind in ("Ball", "Hinge", "Hinge2", "Universal"):
        joint = pairs[kind][2]
        apart = globals()[f"dJointGet{kind}Anchor"](joint) - globals()[f"dJointGet{kind}Anchor2"](joint)
        assert dLENGTH(apart) < 2e-3, kind
    for kind in ("Slider", "Fixed", "AMotor"):
        one, two, _ = pairs[kind]
        assert close(dBodyGetRotation(one), dBodyGetRotation(two), 2e-3), kind
    joint = pairs["Universal"][2]
    assert abs(dDOT(dJointGetUniversalAxis1(joint), dJointGetUniversalAxis2(joint))) < 2e-3


if __name__ == "__main__":
    stage.show()
