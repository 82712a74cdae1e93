"""ODE's demo_space_stress: very many geoms, most of them static, in a space of the user's choice."""

import numpy as np
from ode_demo import *

FRAMES, STILL, MOVING = 30, 300, 8

stage = Stage(-9.81, h=0.02, quick=True, space=dQuadTreeSpaceCreate(None, (0, 0, 0), (30, 30, 30), 6))
random = np.random.default_rng(1)
for geom in (stage.ground, *(dCreateBox(stage.space, 0.2, 0.2, 0.2) for _ in range(STILL))):
    dGeomSetCategoryBits(geom, 2)
    dGeomSetCollideBits(geom, 1)  # static geoms only collide with moving ones
    if geom is not stage.ground:
        dGeomSetPosition(geom, *random.uniform(-25, 25, 2), 0.1)
bodies = [stage.sphere(0.3, (2 * k - MOVING, 0.5, 1)) for k in range(MOVING)]
pairs = []
stage.forces = lambda time: pairs.append(stage.contacts)


def check():
    assert dSpaceGetNumGeoms(stage.space) == STILL + MOVING + 1
    assert all(0.2 < height(body) < 0.8 for body in bodies), "every ball has come down on something"
    assert 0 < max(pairs) < 10 * MOVING, "and only what is near has been tested"


if __name__ == "__main__":
    stage.show()
