"""ODE's demo_trimesh_collision: two extruded meshes meet; their contacts are those of the boxes that they are."""

from ode_demo import *

FRAMES = 100

stage = Stage(0, ground=False, h=0.01, mode=APPROX, mu=0.2)
points, _, triangles = block((0.5, 0.5, 0.5))
still = mesh(stage, points, triangles)
dGeomSetPosition(still, 0, 0, 0.5)
moving = mesh(stage, points, triangles)
dMassSetBox(mass := dMass(), 1, 1, 1, 1)
body = stage.body(moving, at=(1.5, 0.2, 0.6), mass=mass)
dBodySetLinearVel(body, -1, 0, 0)
touched = []
stage.forces = lambda time: touched.append(stage.contacts)


def check():
    assert touched[0] == 0 and max(touched) > 0, "they meet after a while"
    assert dBodyGetPosition(body)[0] > 0.98, "and do not go into each other"
    dGeomSetPosition(moving, 0.95, 0, 0.5)
    dGeomSetRotation(moving, dRSetIdentity())
    contacts = dCollide(still, moving, 16)
    assert len(contacts) >= 3 and all(close(contact.normal, [-1, 0, 0], 1e-9) for contact in contacts)
    assert all(close(contact.depth, 0.05, 1e-9) and 0.44 < contact.pos[0] < 0.51 for contact in contacts)


if __name__ == "__main__":
    stage.show()
