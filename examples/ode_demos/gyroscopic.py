"""ODE's demo_gyroscopic: heavy tops on their tips: with the gyroscopic term one precesses as in theory."""

from ode_demo import *

FRAMES, SPIN = 300, 120.0

stage = Stage(-9.81, ground=False, h=0.002)
tops, joints = [], []
for x, gyroscopic in ((-1, 1), (1, 0)):
    dMassSetCylinderTotal(mass := dMass(), 1, 3, 0.3, 0.1)
    top = stage.body(dCreateCylinder(stage.space, 0.3, 0.1), at=(x, 0, 0), mass=mass)
    dBodySetRotation(top, dRFromAxisAndAngle(0, 1, 0, 0.5))
    tip = dBodyGetRelPointPos(top, 0, 0, -0.3)
    dBodySetPosition(top, *(dBodyGetPosition(top) * 2 - tip))
    dBodySetGyroscopicMode(top, gyroscopic)
    joint = stage.joint(dJointCreateBall, top)
    dJointSetBallAnchor(joint, x, 0, 0)
    dBodySetAngularVel(top, *(SPIN * dBodyVectorToWorld(top, 0, 0, 1)))
    tops.append(top)
    joints.append(joint)
lean = [dBodyVectorToWorld(top, 0, 0, 1) for top in tops]


def check():
    (x, y, z), (other_x, other_y, _) = (dBodyVectorToWorld(top, 0, 0, 1) for top in tops)
    assert abs(z - lean[0][2]) < 0.05, "the spinning top keeps its height"
    turned = 1 * 9.81 * 0.3 / (0.5 * 1 * 0.3**2 * SPIN) * FRAMES * stage.h  # m g l / I w, for this time
    assert close(dAtan2(y, x), turned, 0.05 * turned + 0.01), "and goes round"
    assert dAtan2(other_y, other_x) > 1.5 * turned, "without the term it does not go as it should"
    assert all(close(dJointGetBallAnchor2(joint), dJointGetBallAnchor(joint), 0.01) for joint in joints)


if __name__ == "__main__":
    stage.show()
