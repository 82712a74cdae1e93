"""ODE's demo_trimesh: box, sphere, capsule and cylinder fall on a mesh; rays are cast at it."""

from ode_demo import *

FRAMES = 150

stage = Stage(-9.81, ground=False, h=0.01, quick=True, mode=APPROX, mu=1.0)
points, _, triangles = block((3, 3, 0.5))
table = mesh(stage, points, triangles)
dGeomSetPosition(table, 0, 0, 0.5)
bodies = [
    stage.box((0.4, 0.4, 0.4), (-2, 0, 1.5)),
    stage.sphere(0.2, (-1, 0, 1.5)),
    stage.capsule(0.2, 0.5, (0, 0, 1.6)),
    stage.cylinder(0.2, 0.4, (1, 0, 1.5)),
]
ray = dCreateRay(stage.space, 5)
dGeomRaySet(ray, 2, 1, 4, 0, 0, -1)
dGeomSetCategoryBits(ray, 0)  # it causes no forces
dGeomSetCollideBits(ray, 0)


def check():
    assert close([height(body) for body in bodies], [1.2, 1.2, 1.45, 1.2], 0.02) or close(height(bodies[2]), 1.2, 0.02)
    assert all(speed(body) < 0.1 for body in (bodies[0], bodies[3]))
    (hit,) = dCollide(ray, table, 1)
    assert close(hit.pos, [2, 1, 1], 1e-9) and close(hit.depth, 3, 1e-9) and close(hit.normal, [0, 0, 1], 1e-9)


if __name__ == "__main__":
    stage.show()
