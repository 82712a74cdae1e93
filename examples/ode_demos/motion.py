"""ODE's demo_motion: conveyor belts: motion1, motion2 and motionN of contacts move boxes on surfaces that do not move."""

from ode_demo import *

FRAMES = 150

stage = Stage(-9.81, h=0.01)
boxes = [stage.box((0.5, 0.5, 0.5), (2 * k, 0, 0.25), 10) for k in range(3)]
geoms = [dBodyGetFirstGeom(body) for body in boxes]


def surface(o1, o2):
    """Under the first box the belt runs along x, under the second along y, and the third is lifted."""
    belt = {geoms[0]: {"motion1": 1.0}, geoms[1]: {"motion2": 1.0}, geoms[2]: {"motionN": 0.1}}
    moving = belt.get(o1) or belt.get(o2) or {}
    modes = {"motion1": dContactMotion1, "motion2": dContactMotion2, "motionN": dContactMotionN}
    mode = APPROX | dContactFDir1 | sum(modes[name] for name in moving)
    return {"mode": mode, "mu": 2.0, "fdir1": (1, 0, 0), **moving}


stage.surface = surface


def check():
    along, across = (dBodyGetLinearVel(body) for body in boxes[:2])
    assert close(abs(along[0]), 1, 0.02) and close(along[1], 0, 0.02), "the first runs with its belt"
    assert close(abs(across[1]), 1, 0.02) and close(across[0], 0, 0.02), "the second across"
    assert height(boxes[2]) > 0.25, "the third is lifted"


if __name__ == "__main__":
    stage.show()
