"""ODE's demo_dhinge: two boxes linked by a rod with a parallel hinge at each end; the link swings in its plane only."""

from ode_demo import *

FRAMES = 200

stage = Stage(-9.81, ground=False, h=0.01)
one, two = stage.box((0.2, 0.4, 0.4), (0.5, 0, 2)), stage.box((0.2, 0.4, 0.4), (1.5, 0, 2))
upper = stage.joint(dJointCreateHinge, one)
dJointSetHingeAnchor(upper, 0, 0, 2)
dJointSetHingeAxis(upper, 0, 1, 0)
link = stage.joint(dJointCreateDHinge, one, two)
dJointSetDHingeAxis(link, 0, 1, 0)
dJointSetDHingeAnchor1(link, 0.6, 0, 2)
dJointSetDHingeAnchor2(link, 1.4, 0, 2)
dBodyAddForce(two, 0, 3, 0)  # sideways: the hinges hold against it


def check():
    for body in (one, two):
        assert abs(dBodyGetPosition(body)[1]) < 0.02, "they stay in their plane"
        assert close(dBodyVectorToWorld(body, 0, 1, 0), [0, 1, 0], 0.02), "and turn about the axis of the hinges only"
    ends = dJointGetDHingeAnchor1(link) - dJointGetDHingeAnchor2(link)
    assert close(dLENGTH(ends), dJointGetDHingeDistance(link), 0.02) and close(
        dJointGetDHingeDistance(link), 0.8, 1e-12
    )
    assert min(height(one), height(two)) < 1.9


if __name__ == "__main__":
    stage.show()
