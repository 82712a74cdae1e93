"""ODE's demo_crash: a heavy ball, or a car, runs into a wall of bricks; everything is stepped iteratively."""

from ode_demo import *

FRAMES, WIDTH, LEVELS, SIDE = 90, 5, 4, 0.5

stage = Stage(-1.5, h=0.05, quick=True, mode=APPROX, mu=1.0)
wall = [
    stage.box((SIDE, SIDE, SIDE), (0, (k - WIDTH / 2 + 0.5) * SIDE * 1.02, (level + 0.5) * SIDE))
    for level in range(LEVELS)
    for k in range(WIDTH)
]
chassis = stage.box((1.2, 0.7, 0.3), (-5, 0, 0.45), 5)
wheels = []
for x in (-0.4, 0.4):
    for y in (-0.5, 0.5):
        wheel = stage.sphere(0.25, (-5 + x, y, 0.3), 5)
        joint = stage.joint(dJointCreateHinge2, chassis, wheel)
        dJointSetHinge2Anchor(joint, -5 + x, y, 0.3)
        dJointSetHinge2Axes(joint, (0, 0, 1), (0, 1, 0))
        for parameter, value in (
            (dParamSuspensionERP, 0.5),
            (dParamSuspensionCFM, 0.2),
            (dParamLoStop, 0),
            (dParamHiStop, 0),
        ):
            dJointSetHinge2Param(joint, parameter, value)
        dJointSetHinge2Param(joint, dParamVel2, -20)
        dJointSetHinge2Param(joint, dParamFMax2, 20)
        wheels.append(wheel)
for body in (chassis, *wheels):
    dBodySetLinearVel(body, 8, 0, 0)
bumper = stage.box((0.2, 1.4, 0.3), (-4.2, 0, 0.5), 5)
dBodySetLinearVel(bumper, 8, 0, 0)
dJointSetFixed(stage.joint(dJointCreateFixed, chassis, bumper))


def check():
    fallen = [brick for brick in wall if dLENGTH(dBodyGetPosition(brick) * [1, 0, 0]) > 0.3]
    assert len(fallen) >= WIDTH, "the wall is broken"
    assert all(height(body) > 0.05 for body in (*wall, chassis, bumper, *wheels)), "nothing is in the ground"
    assert close(dBodyGetPosRelPoint(chassis, *dBodyGetPosition(bumper)), [0.8, 0, 0.05], 0.1), "the bumper is still on"


if __name__ == "__main__":
    stage.show()
