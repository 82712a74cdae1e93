"""ODE's demo_piston: a piston slides along its axis and rotates about it, pushed and rotated by keys; stops hold it."""

from ode_demo import *

FRAMES, KEYS = 200, {10: "p" * 4, 40: "t" * 4}

stage = Stage(0, ground=False, h=0.02)
piston = stage.box((0.5, 0.5, 0.5), (0, 0, 1))
joint = stage.joint(dJointCreatePiston, piston)
dJointSetPistonAnchor(joint, 0, 0, 1)
dJointSetPistonAxis(joint, 0, 0, 1)
for parameter, value in ((dParamLoStop, -0.4), (dParamHiStop, 0.4), (dParamBounce, 0.5)):
    dJointSetPistonParam(joint, parameter, value)
positions, rates = [], []


def command(key):
    """p pushes, t rotates."""
    if chr(key) == "p":
        dJointAddPistonForce(joint, 2)
    else:
        dBodyAddTorque(piston, 0, 0, 0.2)


def watch(time):
    positions.append(dJointGetPistonPosition(joint))
    rates.append(dJointGetPistonPositionRate(joint))


stage.commands, stage.forces = command, watch


def check():
    assert 0.39 < max(positions) < 0.45, "the upper stop holds"
    assert min(rates) < -0.3, "and throws it back"
    assert abs(dJointGetPistonAngleRate(joint)) > 0.5, "while it turns"
    assert close(dBodyGetPosition(piston)[:2], [0, 0], 1e-6), "in the axis"


if __name__ == "__main__":
    stage.show()
