"""ODE's demo_jointPU: a box at the end of a slider with a universal joint; motors drive all three axes to their stops."""

from ode_demo import *

FRAMES = 200

stage = Stage(0, ground=False, h=0.02)
arm = stage.box((0.4, 0.4, 0.4), (2, 0, 1))
base = stage.box((0.5, 0.5, 0.5), (0, 0, 1), 100)
dJointSetFixed(stage.joint(dJointCreateFixed, base))
joint = stage.joint(dJointCreatePU, base, arm)
dJointSetPUAnchor(joint, 2, 0, 1)
dJointSetPUAxis1(joint, 0, 1, 0)
dJointSetPUAxis2(joint, 0, 0, 1)
dJointSetPUAxisP(joint, 1, 0, 0)
limits = (
    (dParamLoStop1, -0.3),
    (dParamHiStop1, 0.3),
    (dParamLoStop2, -0.4),
    (dParamHiStop2, 0.4),
    (dParamLoStop3, -1),
    (dParamHiStop3, 0.5),
)
motors = (dParamVel1, 1), (dParamFMax1, 10), (dParamVel2, 1), (dParamFMax2, 10), (dParamVel3, 1), (dParamFMax3, 10)
for parameter, value in limits + motors:
    dJointSetPUParam(joint, parameter, value)


def check():
    assert close(dJointGetPUPosition(joint), 0.5, 0.01), "the slider is at its stop"
    assert close(dJointGetPUAngle1(joint), 0.3, 0.01)
    assert close(abs(dJointGetPUAngle2(joint)), 0.4, 0.01)
    assert close(dBodyGetPosition(arm), [1.5, 0, 1], 0.02), "which grows as the base moves towards the arm"


if __name__ == "__main__":
    stage.show()
