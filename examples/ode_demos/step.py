"""ODE's demo_step: a random lattice of bodies and ball joints, the same in two worlds, for the two steppers."""

import numpy as np
from ode_demo import *

FRAMES, SIDE = 20, 3

stage = Stage(0, ground=False, h=0.01)
random, worlds = np.random.default_rng(9), [stage.world, dWorldCreate()]
lattices = [{}, {}]
for world in worlds:
    dWorldSetQuickStepNumIterations(world, 200)
for x, y, z in np.ndindex(SIDE, SIDE, SIDE):
    spin = random.normal(size=3)
    for world, lattice in zip(worlds, lattices):
        dMassSetParameters(mass := dMass(), 1 + x, 0, 0, 0, 1, 2, 2.5, 0, 0, 0)
        body = lattice[x, y, z] = dBodyCreate(world)
        dBodySetMass(body, mass)
        dBodySetPosition(body, x, y, z)
        dBodySetAngularVel(body, *(0.1 * spin))
        for before in ((x - 1, y, z), (x, y - 1, z)):
            if before in lattice:
                joint = dJointCreateBall(world, None)
                dJointAttach(joint, lattice[before], body)
                dJointSetBallAnchor(joint, *(0.5 * (np.array(before) + (x, y, z))))
stage.forces = lambda time: dWorldQuickStep(worlds[1], stage.h)


def check():
    for key, body in lattices[0].items():
        other = lattices[1][key]
        assert close(dBodyGetPosition(body), dBodyGetPosition(other), 5e-3), "both steppers go the same way"
    joints = [dBodyGetJoint(body, k) for body in lattices[0].values() for k in range(dBodyGetNumJoints(body))]
    assert max(dLENGTH(dJointGetBallAnchor(joint) - dJointGetBallAnchor2(joint)) for joint in joints) < 2e-3
    momentum = sum(dBodyGetMass(body).mass * dBodyGetLinearVel(body) for body in lattices[0].values())
    assert close(momentum, 0, 1e-9), "and nothing pushes the whole"


if __name__ == "__main__":
    stage.show()
