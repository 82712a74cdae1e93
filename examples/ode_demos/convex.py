"""ODE's demo_convex: a body made of three convex hulls drops on the ground, is damped, and falls asleep."""

import numpy as np
from ode_demo import *

from opendynamics import Convex

FRAMES = 250

stage = Stage(-9.81, h=0.02, quick=True)
dWorldSetDamping(stage.world, 0.01, 0.02)
dWorldSetAutoDisableFlag(stage.world, 1)
dWorldSetAutoDisableLinearThreshold(stage.world, 0.05)
dWorldSetAutoDisableAngularThreshold(stage.world, 0.05)


def halton(base, index):
    """Number `index` of the sequence that fills 0 to 1 evenly."""
    found, part = 0.0, 1.0
    while index:
        part /= base
        found, index = found + part * (index % base), index // base
    return found


dMassSetBoxTotal(mass := dMass(), 2, 1.2, 0.4, 0.4)
body = stage.body(at=(0, 0, 2), mass=mass)
dBodySetRotation(body, dRFromAxisAndAngle(1, 1, 0, 0.7))
for part in range(3):
    points = [[0.4 * (halton(base, 20 * part + k + 1) - 0.5) for base in (2, 3, 5)] for k in range(16)]
    hull = Convex.hull(points)  # dCreateConvex takes its planes, points and polygons
    polygons = [number for face in hull.polygons for number in (len(face), *face)]
    planes = np.ravel(hull.planes)
    geom = dCreateConvex(stage.space, planes, len(hull.planes), np.ravel(hull.points), len(hull.points), polygons)
    dGeomSetBody(geom, body)
    dGeomSetOffsetPosition(geom, 0.4 * (part - 1), 0, 0)


def check():
    assert 0.05 < height(body) < 0.4, "it lies on the ground"
    assert not dBodyIsEnabled(body), "and sleeps"


if __name__ == "__main__":
    stage.show()
