"""ODE's demo_kinematic: a kinematic platform, which nothing stops, pushes and lifts boxes."""

from ode_demo import *

FRAMES = 200

stage = Stage(-9.81, h=0.01, mode=APPROX, mu=1.0)
platform = stage.box((1, 1, 0.2), (-2, 0, 0.1))
dBodySetKinematic(platform)
dBodySetLinearVel(platform, 1, 0, 0)
pushed = stage.box((0.3, 0.3, 0.3), (-1, 0, 0.15))
carried = stage.box((0.3, 0.3, 0.3), (-2, 0, 0.35))


def check():
    assert dBodyIsKinematic(platform) and close(dBodyGetPosition(platform), [0, 0, 0.1], 1e-9), "it moves as it was set"
    assert dBodyGetPosition(pushed)[0] > 0.6, "what is in its way is pushed"
    assert close(dBodyGetPosition(carried)[2], 0.35, 0.01) and dBodyGetPosition(carried)[0] > -0.3, (
        "what is on it is carried"
    )


if __name__ == "__main__":
    stage.show()
