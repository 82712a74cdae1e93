"""ODE's demo_cylvssphere: a sphere falls on the top of a standing cylinder; contacts are drawn as lines."""

from ode_demo import *

FRAMES, H = 250, 0.01

stage = Stage(-9.81, h=H, mode=APPROX | dContactSoftERP, mu=2.0, soft_erp=0.2)
cylinder = stage.cylinder(0.5, 2, (0, 0, 1), 10)
sphere = stage.sphere(0.2, (0.1, 0, 2.6))


def check():
    assert close(dBodyGetPosition(cylinder), [0, 0, 1], 0.02), "the cylinder stands"
    assert close(dBodyGetPosition(sphere), [0.1, 0, 2.2], 0.02), "and the sphere on it"
    normals = [contact.normal for contact in dCollide(dBodyGetFirstGeom(sphere), dBodyGetFirstGeom(cylinder), 4)]
    assert len(normals) == 1 and close(normals[0], [0, 0, 1], 1e-3)


if __name__ == "__main__":
    stage.show()
