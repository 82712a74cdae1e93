"""ODE's demo_basket: a ball is thrown on a court of triangles and rolls into the basket, a hole with a floor and walls."""

from ode_demo import *

FRAMES = 250

stage = Stage(
    -9.81, ground=False, h=0.01, mode=APPROX | dContactSoftERP | dContactSoftCFM, mu=0.8, soft_erp=0.5, soft_cfm=1e-5
)
HOLE, EDGE, DEPTH = 0.4, 3.0, 0.8
rings = [(EDGE, 0.5), (HOLE, 0.0), (HOLE, -DEPTH)]  # half width and height: a funnel, then a pit
points = [(k * w, m * w, z) for w, z in rings for k, m in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
triangles = [(8, 9, 10), (8, 10, 11)]  # the floor of the pit
for ring in (0, 4):
    for k in range(4):
        a, b, c, d = ring + k, ring + (k + 1) % 4, ring + 4 + (k + 1) % 4, ring + 4 + k
        triangles += [(a, b, c), (a, c, d)]
court = mesh(stage, points, triangles)
ball = stage.sphere(0.14, (1.5, 0.9, 1.0))
dBodySetLinearVel(ball, -1.2, -0.8, 0)


def check():
    x, y, z = dBodyGetPosition(ball)
    assert abs(x) < HOLE and abs(y) < HOLE, "the ball is in the basket"
    assert -DEPTH < z < 0, "on its way to the floor, or there"


if __name__ == "__main__":
    stage.show()
