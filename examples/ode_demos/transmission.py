"""ODE's demo_transmission: two wheels on hinges turn together as spur gears, bevel gears, or by a chain."""

from ode_demo import *

FRAMES, MODES = 120, (dTransmissionParallelAxes, dTransmissionIntersectingAxes, dTransmissionChainDrive)

stage = Stage(0, ground=False, h=0.01)
gears = {}
for row, mode in enumerate(MODES):
    wheels, axes = [], []
    for k in range(2):
        across = mode == dTransmissionIntersectingAxes and k == 1
        axis = (1, 0, 0) if across else (0, 0, 1)
        place = (0.5, 0, -0.5) if across else (1.5 * k, 0, 0)
        wheel = stage.cylinder(0.5, 0.1, (place[0], 4 * row, place[2]))
        if across:
            dBodySetRotation(wheel, dRFromAxisAndAngle(0, 1, 0, M_PI / 2))
        dBodySetFiniteRotationMode(wheel, 1)
        hinge = stage.joint(dJointCreateHinge, wheel)
        dJointSetHingeAnchor(hinge, *dBodyGetPosition(wheel))
        dJointSetHingeAxis(hinge, *axis)
        wheels.append(wheel)
        axes.append(hinge)
    gear = stage.joint(dJointCreateTransmission, *wheels)
    dJointSetTransmissionMode(gear, mode)
    for k, set_anchor in enumerate((dJointSetTransmissionAnchor1, dJointSetTransmissionAnchor2)):
        set_anchor(gear, *dBodyGetPosition(wheels[k]))
    if mode == dTransmissionIntersectingAxes:
        dJointSetTransmissionAxis1(gear, 0, 0, 1)
        dJointSetTransmissionAxis2(gear, 1, 0, 0)
    else:
        dJointSetTransmissionAxis(gear, 0, 0, 1)
    if mode == dTransmissionParallelAxes:
        dJointSetTransmissionRatio(gear, 2)
    elif mode == dTransmissionChainDrive:
        dJointSetTransmissionRadius1(gear, 0.25)
        dJointSetTransmissionRadius2(gear, 0.5)
    dJointSetHingeParam(axes[0], dParamFMax, 50)
    dJointSetHingeParam(axes[0], dParamVel, 2)
    gears[mode] = axes


def check():
    rates = {mode: [dJointGetHingeAngleRate(axis) for axis in axes] for mode, axes in gears.items()}
    assert all(close(rate[0], 2, 1e-6) for rate in rates.values())
    found = [rates[mode][1] for mode in MODES]
    assert close(found[0], -4, 1e-3) and close(abs(found[1]), 2, 1e-3) and close(found[2], 1, 1e-3), found


if __name__ == "__main__":
    stage.show()
