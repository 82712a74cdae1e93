"""ODE's demo_moving_convex: rounded hulls fall in a pile on the ground and each other."""

import numpy as np
from ode_demo import *

from opendynamics import Convex

FRAMES, COUNT = 150, 4

stage = Stage(-9.81, h=0.01, quick=True, mode=APPROX, mu=0.8)
random = np.random.default_rng(2)
bodies = []
for k in range(COUNT):
    points = random.normal(size=(14, 3))
    hull = Convex.hull(0.25 * points / np.linalg.norm(points, axis=1)[:, None])
    polygons = [number for face in hull.polygons for number in (len(face), *face)]
    dMassSetSphereTotal(mass := dMass(), 1, 0.25)
    body = stage.body(at=(0.1 * k, 0.05 * k, 0.4 + 0.5 * k), mass=mass)
    geom = dCreateConvex(
        stage.space, np.ravel(hull.planes), len(hull.planes), np.ravel(hull.points), len(hull.points), polygons
    )
    dGeomSetBody(geom, body)
    bodies.append(body)


def check():
    assert all(0.08 < height(body) < 0.8 for body in bodies), "they have come down, not through the ground"
    assert all(speed(body) < 1.5 for body in bodies)
    geoms = [dBodyGetFirstGeom(body) for body in bodies]
    depths = [
        contact.depth for k, one in enumerate(geoms) for two in geoms[k + 1 :] for contact in dCollide(one, two, 8)
    ]
    assert max(depths, default=0) < 0.03, "nor through each other"


if __name__ == "__main__":
    stage.show()
