"""ODE's demo_moving_trimesh: triangle meshes as bodies fall on each other and the ground; each stores its last pose."""

from ode_demo import *

FRAMES = 150

stage = Stage(-9.81, h=0.01, quick=True, mode=APPROX, mu=0.8)
points, _, triangles = block((0.4, 0.4, 0.2), taper=0.8)
bodies = []
for k in range(3):
    geom = mesh(stage, points, triangles)
    dMassSetTrimesh(mass := dMass(), 3, geom)
    dMassTranslate(mass, *(-mass.c))
    bodies.append(stage.body(geom, at=(0.1 * k, 0.05 * k, 0.3 + 0.5 * k), mass=mass))


def remember(time):
    for body in bodies:
        geom = dBodyGetFirstGeom(body)
        place, turn = dGeomGetPosition(geom), dGeomGetRotation(geom)
        dGeomTriMeshSetLastTransform(
            geom, [*turn[0:3], place[0], *turn[4:7], place[1], *turn[8:11], place[2], 0, 0, 0, 1]
        )


stage.forces = remember


def check():
    assert close([height(body) for body in bodies], [0.2, 0.6, 1.0], 0.05), "a stack"
    assert all(speed(body) < 0.2 for body in bodies)
    last = dGeomTriMeshGetLastTransform(dBodyGetFirstGeom(bodies[2]))
    assert close(last[3], dBodyGetPosition(bodies[2])[0], 0.01), "the last place is that of a step before"


if __name__ == "__main__":
    stage.show()
