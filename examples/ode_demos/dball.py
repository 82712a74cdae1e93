"""ODE's demo_dball: a box swings on a massless rod that has a ball joint at each end; another hangs from it."""

from ode_demo import *

FRAMES = 200

stage = Stage(-9.81, ground=False, h=0.01)
one, two = stage.box((0.4, 0.4, 0.4), (1, 0, 3)), stage.box((0.4, 0.4, 0.4), (2, 0.5, 3))
upper, lower = stage.joint(dJointCreateDBall, one), stage.joint(dJointCreateDBall, two, one)
dJointSetDBallAnchor1(upper, 1, 0, 3)
dJointSetDBallAnchor2(upper, 0, 0, 3)
dJointSetDBallAnchor1(lower, 2, 0.5, 3)
dJointSetDBallAnchor2(lower, 1, 0, 3)
lowest = [3.0, 3.0]


def watch(time):
    lowest[:] = [min(was, height(body)) for was, body in zip(lowest, (one, two))]


stage.forces = watch


def check():
    assert lowest[0] < 2.2 and lowest[1] < 1.5, "both have swung down"
    for joint in (upper, lower):
        ends = dJointGetDBallAnchor1(joint) - dJointGetDBallAnchor2(joint)
        assert close(dLENGTH(ends), dJointGetDBallDistance(joint), 0.01), "the rods keep their length"


if __name__ == "__main__":
    stage.show()
