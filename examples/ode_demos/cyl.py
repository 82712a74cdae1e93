"""ODE's demo_cyl: a cylinder falls on a box and a landscape of triangles, and comes to rest on it."""

from ode_demo import *

FRAMES = 200

stage = Stage(-9.81, ground=False, h=0.01, quick=True, mode=APPROX, mu=0.9)
points, _, triangles = block((2, 2, 0.5))
world = mesh(stage, points, triangles)
dGeomSetPosition(world, 0, 0, -0.5)
box = dCreateBox(stage.space, 0.5, 0.5, 0.3)
dGeomSetPosition(box, -1, 0, 0.15)
upright = stage.cylinder(0.2, 0.5, (0.5, 0, 0.6))
lying = stage.cylinder(0.2, 0.5, (0.5, 1, 0.6))
dBodySetRotation(lying, dRFromAxisAndAngle(0, 1, 0, M_PI / 2))
on_box = stage.cylinder(0.15, 0.3, (-1, 0, 0.8))


def check():
    assert close([height(body) for body in (upright, lying, on_box)], [0.25, 0.2, 0.45], 0.01)
    assert all(speed(body) < 0.05 for body in (upright, on_box))


if __name__ == "__main__":
    stage.show()
