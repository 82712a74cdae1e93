"""ODE's demo_heightfield: all shapes fall on a landscape given by a height function, and come to rest on it."""

from ode_demo import *

FRAMES, WIDTH, SAMPLES = 200, 8.0, 17

stage = Stage(-9.81, ground=False, h=0.01, quick=True, mode=APPROX, mu=3.0)


def sample(data, column, row):
    """Height over a corner of a cell, m; the field has y up."""
    return 0.15 * (dSin(0.9 * column) + dCos(0.7 * row))


field = dGeomHeightfieldDataCreate()
dGeomHeightfieldDataBuildCallback(field, None, sample, WIDTH, WIDTH, SAMPLES, SAMPLES, 1, 0, 1, 0)
dGeomHeightfieldDataSetBounds(field, -1, 1)
land = dCreateHeightfield(stage.space, field, 1)
dGeomSetRotation(land, dRFromAxisAndAngle(1, 0, 0, M_PI / 2))  # z up
bodies = [
    stage.sphere(0.3, (-2, -2, 1)),
    stage.box((0.5, 0.5, 0.5), (-2, 2, 1)),
    stage.capsule(0.2, 0.5, (2, -2, 1.2)),
    stage.cylinder(0.3, 0.3, (2, 2, 1)),
    stage.sphere(0.2, (0, 0, 1)),
]


def below(x, y):
    """Height of the landscape at a position, by a ray."""
    ray = dCreateRay(0, 20)
    dGeomRaySet(ray, x, y, 10, 0, 0, -1)
    return dCollide(ray, land, 1)[0].pos[2]


def check():
    for body in bodies:
        x, y, z = dBodyGetPosition(body)
        assert abs(x) < WIDTH / 2 and abs(y) < WIDTH / 2, "it is still over the field"
        assert 0.1 < z - below(x, y) < 0.7, "and on it"
    assert -0.31 < below(0.3, -0.4) < 0.31


if __name__ == "__main__":
    stage.show()
