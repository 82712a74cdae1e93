"""ODE's demo_I: a mobile: bars hang from ball joints; two of them have the same inertia, given in axes that are swapped."""

from ode_demo import *

FRAMES = 150

stage = Stage(-1, ground=False, h=0.02)
bars, joints = [], []
for x, swapped in ((-1, False), (1, True)):
    mass = dMass()
    dMassSetBoxTotal(mass, 1, 0.1, 0.1, 1)
    if swapped:  # a box along x, rotated to hang along z
        dMassSetBoxTotal(mass, 1, 1, 0.1, 0.1)
    bar = stage.body(at=(x, 0, 0), mass=mass)
    if swapped:
        dBodySetRotation(bar, dRFromAxisAndAngle(0, 1, 0, -M_PI / 2))
    dGeomSetBody(dCreateBox(stage.space, *((1, 0.1, 0.1) if swapped else (0.1, 0.1, 1))), bar)
    joint = stage.joint(dJointCreateBall, bar)
    dJointSetBallAnchor(joint, x, 0.1, 0.5)
    dBodyAddForceAtPos(bar, 3, 1, 0, x, 0, -0.5)
    bars.append(bar)
    joints.append(joint)


def check():
    one, two = (dBodyGetPosition(bar) - [x, 0, 0] for bar, x in zip(bars, (-1, 1)))
    assert dLENGTH(one) > 0.05, "the bars swing"
    assert close(one, two, 1e-9), "and both in the same way"
    assert close(dJointGetBallAnchor(joints[1]), [1, 0.1, 0.5], 1e-3)


if __name__ == "__main__":
    stage.show()
