"""ODE's demo_slider: two boxes on a slider, held together by a force and pushed apart; they move along the axis only."""

from ode_demo import *

FRAMES = 200

stage = Stage(0, ground=False, h=0.05)
one, two = stage.box((0.4, 0.4, 0.4), (0.5, 0.5, 1)), stage.box((0.4, 0.4, 0.4), (-0.5, -0.5, 1))
slider = stage.joint(dJointCreateSlider, one, two)
dJointSetSliderAxis(slider, 1, 1, 0)
positions = []


def spring(time):
    dJointAddSliderForce(slider, -0.05 * dJointGetSliderPosition(slider) + (0.05 if time < 1 else 0.0))
    if time < 1:
        dBodyAddTorque(one, 0, 0, 0.01)
    positions.append(dJointGetSliderPosition(slider))


stage.forces = spring


def check():
    assert max(positions) > 0.2 and min(positions) < -0.2, "it swings to both sides"
    offset = dBodyGetPosRelPoint(two, *dBodyGetPosition(one))
    position = dJointGetSliderPosition(slider)
    along = 0.70710678 * position
    assert close(offset, [1 + along, 1 + along, 0], 5e-3), "along the axis only"
    assert close(dBodyGetQuaternion(one), dBodyGetQuaternion(two), 1e-3), "and without turning"


if __name__ == "__main__":
    stage.show()
