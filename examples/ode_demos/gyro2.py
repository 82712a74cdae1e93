"""ODE's demo_gyro2: a long body spins fast, with and without the gyroscopic torque, and with a limit of its angular speed."""

from ode_demo import *

FRAMES = 200

stage = Stage(0, ground=False, h=0.01)
bodies = []
for k in range(3):
    body = stage.box((0.3, 0.6, 3), (5 * k, 0, 0), 2)
    dBodySetAngularVel(body, 0.2, 8, 0.2)  # about the axis of the intermediate moment of inertia
    bodies.append(body)
with_torque, without, limited = bodies
dBodySetGyroscopicMode(without, 0)
dBodySetMaxAngularSpeed(limited, 2)
turned = [0.0] * 3


def watch(time):
    for k, body in enumerate(bodies):
        turned[k] = max(turned[k], 1 - abs(dBodyVectorToWorld(body, 0, 1, 0)[1]))


stage.forces = watch


def check():
    assert turned[0] > 0.5, "with the torque the body tumbles: the middle axis is not stable"
    assert turned[1] < 0.1, "without it the body goes on spinning about its axis"
    assert close(dLENGTH(dBodyGetAngularVel(limited)), 2, 1e-9)
    assert close(dLENGTH(dBodyGetAngularVel(without)), dLENGTH([0.2, 8, 0.2]), 1e-9)


if __name__ == "__main__":
    stage.show()
