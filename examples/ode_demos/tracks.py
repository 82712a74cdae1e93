"""ODE's demo_tracks: a ball rolls down two rails of triangles, over the edges between them, without a bump."""

import numpy as np
from ode_demo import *

FRAMES, LENGTH, GAUGE, SLOPE, PARTS = 200, 8.0, 0.3, 0.1, 16
RADIUS = 0.3

stage = Stage(-9.81, ground=False, h=0.01, mode=APPROX, mu=1.0)
xs = np.linspace(0, LENGTH, PARTS + 1)
for side in (-1, 1):  # each rail is a strip of triangles, its inner edge lower
    points = [(x, side * (GAUGE / 2 + w), -SLOPE * x + w) for x in xs for w in (0.0, 0.2)]
    triangles = []
    for k in range(PARTS):
        a, b, c, d = 2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3
        triangles += [(a, c, b), (b, c, d)] if side > 0 else [(a, b, c), (b, d, c)]
    mesh(stage, points, triangles)
ball = stage.sphere(RADIUS, (0.5, 0, 0.5))
ways = []
stage.forces = lambda time: ways.append((dBodyGetPosition(ball), dBodyGetLinearVel(ball)))


def check():
    x, y, _ = dBodyGetPosition(ball)
    assert x > 1.2 and abs(y) < 0.02, "the ball has rolled along the rails"
    rolling = [v[2] + SLOPE * v[0] for _, v in ways[100:]]  # speed across the rails
    assert max(map(abs, rolling)) < 0.05, "and no edge has thrown it up"


if __name__ == "__main__":
    stage.show()
