"""PyODE's classes, which scripts import as `ode`.

    from opendynamics import pyode as ode

    world = ode.World()
    world.setGravity((0, -9.81, 0))
    body, mass = ode.Body(world), ode.Mass()
    mass.setSphere(2500, 0.05)
    body.setMass(mass)
    body.setPosition((0, 2, 0))
    world.step(0.04)

`python -m opendynamics.pyode script.py` runs a script that imports `ode` and `xode`; the distribution `opendynamics-pyode`
provides these names directly. The classes are the union of PyODE's variants, implemented with the C names, so that their
results are ODE's; docs/pyode.md lists the differences.
"""

from __future__ import annotations

from opendynamics.api.checks import DestroyedError
from opendynamics.c_api import dCloseODE as _close
from opendynamics.c_api import dInitODE as _init
from opendynamics.pyode import constants
from opendynamics.pyode.body import Body, areConnected
from opendynamics.pyode.callbacks import raiseCallbackErrors
from opendynamics.pyode.collision import collide, collide2
from opendynamics.pyode.contact import Contact
from opendynamics.pyode.geoms.box import GeomBox
from opendynamics.pyode.geoms.capsule import GeomCapsule, GeomCCylinder
from opendynamics.pyode.geoms.cylinder import GeomCylinder
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.geoms.heightfield import GeomHeightfield, HeightfieldData
from opendynamics.pyode.geoms.plane import GeomPlane
from opendynamics.pyode.geoms.ray import GeomRay
from opendynamics.pyode.geoms.sphere import GeomSphere
from opendynamics.pyode.geoms.transform import GeomTransform
from opendynamics.pyode.geoms.trimesh import GeomTriMesh, TriMeshData
from opendynamics.pyode.joints.amotor import AMotor
from opendynamics.pyode.joints.ball import BallJoint
from opendynamics.pyode.joints.contact import ContactJoint, CreateContactJointQ
from opendynamics.pyode.joints.fixed import FixedJoint
from opendynamics.pyode.joints.group import JointGroup
from opendynamics.pyode.joints.hinge import HingeJoint
from opendynamics.pyode.joints.hinge2 import Hinge2Joint
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.joints.lmotor import LMotor
from opendynamics.pyode.joints.params import JointParam, JointParams
from opendynamics.pyode.joints.piston import PistonJoint
from opendynamics.pyode.joints.plane2d import Plane2DJoint
from opendynamics.pyode.joints.pr import PRJoint
from opendynamics.pyode.joints.pu import PUJoint
from opendynamics.pyode.joints.slider import SliderJoint
from opendynamics.pyode.joints.universal import UniversalJoint
from opendynamics.pyode.mass import Mass
from opendynamics.pyode.spaces.kinds import HashSpace, QuadTreeSpace, SAPSpace, SimpleSpace, Space
from opendynamics.pyode.spaces.space import SpaceBase, _SpaceIterator
from opendynamics.pyode.world import World


def InitODE() -> None:
    """Does nothing: no initialisation is needed."""
    _init()


def CloseODE() -> None:
    """Does nothing: nothing has to be closed."""
    _close()


globals().update({name: getattr(constants, name) for name in constants.NAMES})

__all__ = [
    "AMotor",
    "BallJoint",
    "Body",
    "CloseODE",
    "Contact",
    "ContactJoint",
    "CreateContactJointQ",
    "DestroyedError",
    "FixedJoint",
    "GeomBox",
    "GeomCCylinder",
    "GeomCapsule",
    "GeomCylinder",
    "GeomHeightfield",
    "GeomObject",
    "GeomPlane",
    "GeomRay",
    "GeomSphere",
    "GeomTransform",
    "GeomTriMesh",
    "HashSpace",
    "HeightfieldData",
    "Hinge2Joint",
    "HingeJoint",
    "InitODE",
    "Joint",
    "JointGroup",
    "JointParam",
    "JointParams",
    "LMotor",
    "Mass",
    "PRJoint",
    "PUJoint",
    "PistonJoint",
    "Plane2DJoint",
    "QuadTreeSpace",
    "SAPSpace",
    "SimpleSpace",
    "SliderJoint",
    "Space",
    "SpaceBase",
    "TriMeshData",
    "UniversalJoint",
    "World",
    "_SpaceIterator",
    "areConnected",
    "collide",
    "collide2",
    "raiseCallbackErrors",
]
__all__ += [*constants.NAMES]  # noqa: PLE0604
