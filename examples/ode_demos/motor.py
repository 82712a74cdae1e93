"""ODE's demo_motor: linear motors move one box along their axes, angular motors rotate another, both by keys."""

from ode_demo import *

FRAMES, KEYS = 120, {10: "xy", 60: " "}

stage = Stage(0, ground=False, h=0.02)
slid, turned = stage.box((1, 1, 1), (0, 0, 1)), stage.box((1, 1, 1), (0, 3, 1))
linear, angular = stage.joint(dJointCreateLMotor, slid), stage.joint(dJointCreateAMotor, turned)
dJointSetLMotorNumAxes(linear, 3)
dJointSetAMotorNumAxes(angular, 3)
groups = (dParamVel1, dParamFMax1), (dParamVel2, dParamFMax2), (dParamVel3, dParamFMax3)
for k, (_, force) in enumerate(groups):
    axis = [float(k == n) for n in range(3)]
    dJointSetLMotorAxis(linear, k, 0, *axis)
    dJointSetAMotorAxis(angular, k, 0, *axis)
    dJointSetLMotorParam(linear, force, 50)
    dJointSetAMotorParam(angular, force, 50)
seen = []


def command(key):
    for k, (rate, _) in enumerate(groups):
        if chr(key) in ("xyz"[k], " "):
            wanted = 0.0 if chr(key) == " " else 1.0 + k
            dJointSetLMotorParam(linear, rate, wanted)
            dJointSetAMotorParam(angular, rate, wanted)


stage.commands, stage.forces = command, lambda time: seen.append((dBodyGetLinearVel(slid), dBodyGetAngularVel(turned)))


def check():
    assert close(seen[5], 0, 1e-9), "motors at rest hold"
    assert close(seen[55], [[1, 2, 0], [1, 2, 0]], 1e-6), "then each body has the velocities asked for"
    assert close(seen[-1], 0, 1e-6), "and stops"
    assert close(dBodyGetPosition(slid), [1, 2, 1], 0.05), "after 50 steps"


if __name__ == "__main__":
    stage.show()
