"""Every C name with arguments of wrong types, values and counts, destroyed IDs and null: exceptions that name the call.

A rejected call leaves the world unchanged.
"""

from __future__ import annotations

import inspect
import math
import re

import pytest

import opendynamics.c_api as c

JOINTS = ("Ball", "Hinge2", "DHinge", "Hinge", "Slider", "Universal", "PR", "PU", "Piston", "AMotor", "LMotor", "Fixed")
JOINTS += ("Plane2D", "DBall", "Transmission")
REFUSALS = (TypeError, ValueError, RuntimeError, ReferenceError)
END = {"dError", "dDebug", "dMessage", "dCloseODE"}  # speak to the user, or end everything
NAMES = [name for name in c.__all__ if inspect.isfunction(getattr(c, name)) and name not in END]

VALUES = [None, "x", object(), math.nan, math.inf, -1, -1.5, 0, 10**400, [], [math.nan] * 12, {}]
POINTS = [0.0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
TRIANGLES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]


class Scene:
    """Two bodies in a world, and whatever a function may need."""

    def __init__(self):
        self.world, self.space = c.dWorldCreate(), c.dSimpleSpaceCreate(None)
        self.bodies = [c.dBodyCreate(self.world) for _ in range(2)]
        c.dBodySetPosition(self.bodies[1], 1, 0, 0)
        self.gone = {"dBodyID": c.dBodyCreate(self.world), "dSpaceID": c.dSimpleSpaceCreate(None)}
        self.gone |= {"dGeomID": c.dCreateSphere(None, 1), "dJointID": c.dJointCreateHinge(self.world, None)}
        for kind, thing in self.gone.items():
            getattr(c, f"d{kind[1:-2]}Destroy")(thing)

    def geom(self, name):
        """A geom of the class that the function is about, on a body if it is about offsets."""
        kind = re.match("dGeom(Box|Capsule|CCylinder|Cylinder|Plane|Ray|TriMesh|Heightfield|Transform)|", name)[1]
        if kind == "Box":
            geom = c.dCreateBox(self.space, 1, 1, 1)
        elif kind in ("Capsule", "CCylinder"):
            geom = c.dCreateCapsule(self.space, 1, 1)
        elif kind == "Cylinder":
            geom = c.dCreateCylinder(self.space, 1, 1)
        elif kind == "Plane":
            return c.dCreatePlane(self.space, 0, 0, 1, 0)
        elif kind == "Ray":
            geom = c.dCreateRay(self.space, 1)
        elif kind == "Transform":
            return c.dCreateGeomTransform(self.space)
        elif kind == "TriMesh":
            geom = c.dCreateTriMesh(self.space, self.triangles(), None, None, None)
        elif kind == "Heightfield":
            geom = c.dCreateHeightfield(self.space, self.heights(), 1)
        else:
            geom = c.dCreateSphere(self.space, 1)
        if "Offset" in name:
            c.dGeomSetBody(geom, self.bodies[0])
        return geom

    def triangles(self):
        data = c.dGeomTriMeshDataCreate()
        c.dGeomTriMeshDataBuildSimple(data, POINTS, 4, TRIANGLES, 12)
        return data

    def heights(self):
        data = c.dGeomHeightfieldDataCreate()
        c.dGeomHeightfieldDataBuildDouble(data, [0.0] * 9, 1, 1, 1, 3, 3, 1, 0, 0, 0)
        return data

    def joint(self, name):
        kind = next((kind for kind in JOINTS if re.search(f"Joint(Get|Set|Add)?{kind}", name)), "Hinge")
        joint = getattr(c, f"dJointCreate{kind}")(self.world, None)
        c.dJointAttach(joint, self.bodies[0], None if kind == "Plane2D" else self.bodies[1])
        return joint

    def sensible(self, name, parameter):
        """An argument that makes sense."""
        kind = str(parameter.annotation)
        if "dBodyID" in kind:
            return self.bodies["2" in parameter.name]
        makers = {"dWorldID": lambda: self.world, "dSpaceID": lambda: self.space, "dGeomID": lambda: self.geom(name)}
        makers |= {"dJointID": lambda: self.joint(name), "dJointGroupID": lambda: c.dJointGroupCreate(0)}
        makers |= {"float": lambda: 0.5, "int": lambda: 1, "str": lambda: "x", "dMass": mass}
        makers |= {"TriMeshData": self.triangles, "HeightfieldData": self.heights}
        if parameter.name in ("R", "q"):
            return [1.0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0][: 12 if parameter.name == "R" else 4]
        make = next((make for part, make in makers.items() if part in kind), None)
        return (lambda *_: 0) if "Call" in kind else [1.0, 2.0, 3.0, 4.0] if make is None else make()

    def state(self):
        """The readable state of the bodies and the world."""
        numbers = [getattr(c, f"dBodyGet{what}")(body).tolist() for body in self.bodies for what in STATE]
        return [*numbers, *(getattr(c, f"dWorldGet{what}")(self.world) for what in SETTINGS)]


STATE = ("Position", "Quaternion", "LinearVel", "AngularVel", "Force", "Torque")
SETTINGS = ("ERP", "CFM", "LinearDamping", "ContactMaxCorrectingVel", "QuickStepNumIterations", "AutoDisableFlag")


def mass():
    made = c.dMass()
    c.dMassSetSphere(made, 1, 1)
    return made


def parameters_of(function):
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = inspect.signature(function).parameters.values()
    return [each for each in found if each.kind in plain and each.default is each.empty]


def refusal(name, arguments):
    """The message if the call is refused; None if it is not. Any other exception is a failure."""
    try:
        getattr(c, name)(*arguments)
    except REFUSALS as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused_names_the_call_and_changes_nothing(name, capsys):
    scene = Scene()
    parameters = parameters_of(getattr(c, name))
    for place, parameter in enumerate(parameters):
        gone = [thing for kind, thing in scene.gone.items() if kind in str(parameter.annotation)]
        for wrong in (*VALUES, *gone):
            arguments = [scene.sensible(name, each) for each in parameters]
            arguments[place] = wrong
            before = scene.state()
            message = refusal(name, arguments)
            if message is None:
                scene = Scene()  # it was not wrong
                continue
            assert name in message, (parameter.name, wrong)
            assert scene.state() == before, (parameter.name, wrong)
            if wrong in gone and len(parameters) == 1:
                assert "destroyed" in message or "must be the ID of a HashSpace" in message
    for count in (len(parameters) - 1, len(inspect.signature(getattr(c, name)).parameters) + 9):
        message = refusal(name, [1] * count) if count >= 0 else None
        assert message is None or name in message
