"""Shared code of ODE's demo programs: world, space, contacts with a surface, a loop that steps and draws every geom.

The demos follow descriptions of ODE's, with C names and drawstuff. Each creates a `stage`, defines in FRAMES how long it
runs, and in `check()` its outcome. `python chain1.py` shows one in the browser; the tests run them without a window.
"""

import sys

import numpy as np

from opendynamics.c_api import *
from opendynamics.drawstuff import *

APPROX = dContactApprox1


class Stage:
    """A world with gravity along z, a plane z = 0 unless `ground` is false, and the drawing of both.

    `surface` has fields of dSurfaceParameters: those of every contact, or a function of two geoms that returns them.
    """

    def __init__(
        self, gravity=-9.81, ground=True, h=0.02, quick=False, space=None, view=((4, -4, 2), (135, -15, 0)), **surface
    ):
        dRandSetSeed(0)  # QuickStep shuffles rows by numbers that all worlds share
        self.world, self.space, self.group = dWorldCreate(), space or dHashSpaceCreate(0), dJointGroupCreate(0)
        dWorldSetGravity(self.world, 0, 0, gravity)
        self.h, self.view, self.contacts, self.time = h, view, 0, 0.0
        self.surface = surface or {"mode": APPROX, "mu": 1.0}
        self.advance = dWorldQuickStep if quick else dWorldStep
        self.ground = dCreatePlane(self.space, 0, 0, 1, 0) if ground else None
        self.forces = self.commands = None  # called before a step with the time, and with a key

    # -- bodies ---------------------------------------------------------------------------------------------------------

    def body(self, *geoms, at=(0, 0, 0), mass=None):
        """A body with geoms at a position; its mass is 1 kg and its inertia that of ODE's new bodies unless given."""
        body = dBodyCreate(self.world)
        dBodySetPosition(body, *at)
        if mass is not None:
            dBodySetMass(body, mass)
        for geom in geoms:
            dGeomSetBody(geom, body)
        return body

    def box(self, sides, at, density=1.0):
        mass = dMass()
        dMassSetBox(mass, density, *sides)
        return self.body(dCreateBox(self.space, *sides), at=at, mass=mass)

    def sphere(self, radius, at, density=1.0):
        mass = dMass()
        dMassSetSphere(mass, density, radius)
        return self.body(dCreateSphere(self.space, radius), at=at, mass=mass)

    def capsule(self, radius, length, at, density=1.0):
        mass = dMass()
        dMassSetCapsule(mass, density, 3, radius, length)
        return self.body(dCreateCapsule(self.space, radius, length), at=at, mass=mass)

    def cylinder(self, radius, length, at, density=1.0):
        mass = dMass()
        dMassSetCylinder(mass, density, 3, radius, length)
        return self.body(dCreateCylinder(self.space, radius, length), at=at, mass=mass)

    def joint(self, create, body1, body2=None):
        joint = create(self.world, None)
        dJointAttach(joint, body1, body2)
        return joint

    # -- the loop -------------------------------------------------------------------------------------------------------

    def near(self, data, o1, o2):
        b1, b2 = dGeomGetBody(o1), dGeomGetBody(o2)
        if dGeomIsSpace(o1) or dGeomIsSpace(o2):
            dSpaceCollide2(o1, o2, data, self.near)
            return
        if not (b1 or b2) or (b1 and b2 and dAreConnectedExcluding(b1, b2, dJointTypeContact)):
            return
        fields = self.surface(o1, o2) if callable(self.surface) else self.surface
        for found in dCollide(o1, o2, 8) if fields else ():
            contact = dContact(geom=found)
            for name, value in fields.items():
                setattr(contact if name == "fdir1" else contact.surface, name, value)
            dJointAttach(dJointCreateContact(self.world, self.group, contact), b1, b2)
            self.contacts += 1

    def step(self, pause):
        if not pause:
            if self.forces:
                self.forces(self.time)
            self.contacts = 0
            dSpaceCollide(self.space, None, self.near)
            self.advance(self.world, self.h)
            dJointGroupEmpty(self.group)
            self.time += self.h
        for number in range(dSpaceGetNumGeoms(self.space)):
            self.draw(dSpaceGetGeom(self.space, number))

    def draw(self, geom):
        if dGeomIsSpace(geom):
            for number in range(dSpaceGetNumGeoms(geom)):
                self.draw(dSpaceGetGeom(geom, number))
            return
        kind = dGeomGetClass(geom)
        if kind not in (dSphereClass, dBoxClass, dCapsuleClass, dCylinderClass):
            return
        place = dGeomGetPosition(geom), dGeomGetRotation(geom)
        if kind == dBoxClass:
            dsDrawBox(*place, dGeomBoxGetLengths(geom))
        elif kind == dSphereClass:
            dsDrawSphere(*place, dGeomSphereGetRadius(geom))
        else:
            get, put = (
                (dGeomCapsuleGetParams, dsDrawCapsule)
                if kind == dCapsuleClass
                else (dGeomCylinderGetParams, dsDrawCylinder)
            )
            radius, length = get(geom)
            put(*place, length, radius)

    def show(self):
        """Run in the live view."""
        start = lambda: dsSetViewpoint(*self.view)
        dsSimulationLoop(
            len(sys.argv), sys.argv, 640, 480, dsFunctions(start=start, step=self.step, command=self.commands)
        )

    def play(self, frames, keys=None):
        """Run this number of frames without a window; returns the shapes drawn by each of them."""
        with headless(frames, keys) as loop:
            self.show()
        return loop.drawn


def height(body):
    return dBodyGetPosition(body)[2]


def speed(body):
    return dLENGTH(dBodyGetLinearVel(body))


def close(value, wanted, tolerance):
    """Whether numbers are within `tolerance` of the expected ones."""
    return bool(np.allclose(value, wanted, rtol=0.0, atol=tolerance))


def mesh(stage, points, triangles):
    """A triangle mesh in the stage's space."""
    data = dGeomTriMeshDataCreate()
    dGeomTriMeshDataBuildSimple(data, points, len(points), triangles, 3 * len(triangles))
    return dCreateTriMesh(stage.space, data, None, None, None)


def block(half, taper=1.0):
    """Vertices and triangles of a block with these half lengths, its top smaller by `taper`."""
    x, y, z = half
    points = [
        (k * x * t, m * y * t, n * z)
        for n, t in ((-1, 1.0), (1, taper))
        for k, m in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    sides = [(k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4)]
    faces = [(3, 2, 1, 0), (4, 5, 6, 7), *sides]
    return points, faces, [triangle for a, b, c, d in faces for triangle in ((a, b, c), (a, c, d))]
