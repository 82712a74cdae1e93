"""ODE's demo_buggy: a car of three wheels on Hinge-2 joints with suspension, its front wheel driven, goes up a ramp."""

from ode_demo import *

FRAMES = 220

rubber = {"mu": dInfinity, "slip1": 0.1, "slip2": 0.1, "soft_erp": 0.5, "soft_cfm": 0.3}
stage = Stage(-0.5, h=0.05, mode=dContactSlip1 | dContactSlip2 | dContactSoftERP | dContactSoftCFM, **rubber)
car = dSimpleSpaceCreate(stage.space)  # no self-collision
dSpaceSetCleanup(car, 0)
chassis = stage.box((0.7, 0.5, 0.2), (0, 0, 0.5))
dMassAdjust(mass := dBodyGetMass(chassis), 1)
dBodySetMass(chassis, mass)
wheels = [stage.sphere(0.18, at) for at in ((0.35, 0, 0.4), (-0.35, 0.25, 0.4), (-0.35, -0.25, 0.4))]
joints = []
for wheel in wheels:
    dMassSetSphereTotal(mass := dMass(), 0.2, 0.18)
    dBodySetMass(wheel, mass)
    dBodySetQuaternion(wheel, dQFromAxisAndAngle(1, 0, 0, M_PI / 2))
    joint = stage.joint(dJointCreateHinge2, chassis, wheel)
    dJointSetHinge2Anchor(joint, *dBodyGetPosition(wheel))
    dJointSetHinge2Axes(joint, (0, 0, 1), (0, 1, 0))
    dJointSetHinge2Param(joint, dParamSuspensionERP, 0.4)
    dJointSetHinge2Param(joint, dParamSuspensionCFM, 0.8)
    joints.append(joint)
for body in (chassis, *wheels):
    geom = dBodyGetFirstGeom(body)
    dSpaceRemove(stage.space, geom)
    dSpaceAdd(car, geom)
for joint in joints:  # steering is held straight: stops at 0, motor in front
    dJointSetHinge2Param(joint, dParamLoStop, 0)
    dJointSetHinge2Param(joint, dParamHiStop, 0)
dJointSetHinge2Param(joints[0], dParamFMax2, 0.1)
dJointSetHinge2Param(joints[0], dParamVel2, -1.5)
ramp = dCreateBox(stage.space, 2, 1.5, 1)
dGeomSetRotation(ramp, dRFromAxisAndAngle(0, 1, 0, -0.15))
dGeomSetPosition(ramp, 2, 0, -0.34)


def check():
    x, y, _ = dBodyGetPosition(chassis)
    assert x > 1.5 and abs(y) < 0.3, "the buggy drives straight on"
    assert dBodyGetRotation(chassis)[10] > 0.9, "on its wheels"
    for joint in joints:
        assert close(dJointGetHinge2Anchor(joint)[:2], dJointGetHinge2Anchor2(joint)[:2], 0.05)


if __name__ == "__main__":
    stage.show()
