"""objects.h: bodies: creation, pose, velocity, mass, joints and geoms."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.quaternions import quaternion_of
from opendynamics.api.restoring import restore_quaternion
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dBodyID, dGeomID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, matrix12, matrix33, the, whole
from opendynamics.c_api.mass import dMass, fill, mass_of
from opendynamics.c_api.rotation import orthogonalised


def dBodyCreate(w: dWorldID) -> dBodyID:
    """A body of ODE's unit mass at the origin."""
    return Body(the(World, w))


def dBodyDestroy(b: dBodyID) -> None:
    """Its joints are put in limbo, its geoms remain without a body."""
    the(Body, b).destroy(keep_geoms=True)


def dBodyGetWorld(b: dBodyID) -> dWorldID:
    return the(Body, b).world


def dBodySetData(b: dBodyID, data: Any) -> None:
    the(Body, b).data = data


def dBodyGetData(b: dBodyID) -> Any:
    return the(Body, b).data


# -- pose and velocity -------------------------------------------------------------------------------------------------


def dBodySetPosition(b: dBodyID, x: float, y: float, z: float) -> None:
    the(Body, b).position = x, y, z


def dBodyGetPosition(b: dBodyID) -> Array:
    return the(Body, b).position


def dBodySetRotation(b: dBodyID, R: Any) -> None:
    """The quaternion is that of the matrix as it is given, if it is a rotation to few digits."""
    the(Body, b).rotation = orthogonalised(matrix33(R))
    restore_quaternion(the(Body, b), quaternion_of(matrix33(R)))


def dBodyGetRotation(b: dBodyID) -> Array:
    return matrix12(the(Body, b).rotation)


def dBodySetQuaternion(b: dBodyID, q: Any) -> None:
    the(Body, b).quaternion = np.asarray(q)


def dBodyGetQuaternion(b: dBodyID) -> Array:
    return the(Body, b).quaternion


dBodyCopyPosition = dBodyGetPosition
dBodyCopyRotation = dBodyGetRotation
dBodyCopyQuaternion = dBodyGetQuaternion


def dBodySetLinearVel(b: dBodyID, x: float, y: float, z: float) -> None:
    the(Body, b).linear_velocity = x, y, z


def dBodyGetLinearVel(b: dBodyID) -> Array:
    return the(Body, b).linear_velocity


def dBodySetAngularVel(b: dBodyID, x: float, y: float, z: float) -> None:
    """Angular velocity, rad/s, in the world frame."""
    the(Body, b).angular_velocity = x, y, z


def dBodyGetAngularVel(b: dBodyID) -> Array:
    return the(Body, b).angular_velocity


# -- mass --------------------------------------------------------------------------------------------------------------


def dBodySetMass(b: dBodyID, mass: dMass) -> None:
    """The centre of mass must be the origin. A kinematic body becomes dynamic again."""
    the(Body, b).mass_properties = mass_of(mass)
    the(Body, b).kinematic = False


def dBodyGetMass(b: dBodyID) -> dMass:
    mass = dMass()
    fill(mass, the(Body, b).mass_properties)
    return mass


# -- joints and geoms --------------------------------------------------------------------------------------------------


def dBodyGetNumJoints(b: dBodyID) -> int:
    return len(the(Body, b).joints)


def dBodyGetJoint(b: dBodyID, index: int) -> dJointID | None:
    """By number, the most recently attached first; None if there are fewer."""
    return dict(enumerate(the(Body, b).joints)).get(whole(index))


def dBodyGetFirstGeom(b: dBodyID) -> dGeomID | None:
    """The geom attached to the body last; None if there is none."""
    return next(iter(the(Body, b).geoms), None)


def dBodyGetNextGeom(g: dGeomID) -> dGeomID | None:
    """The next geom on the same body; None after the last."""
    body = the(Geom, g).body
    geoms = () if body is None else body.geoms
    return dict(pairwise(geoms)).get(the(Geom, g))


dGeomGetBodyNext = dBodyGetNextGeom


def dBodySetMovedCallback(b: dBodyID, callback: Callable[[dBodyID], Any] | None) -> None:
    """`callback(b)` is called after every step that moved the body; None: no callback."""
    the(Body, b).moved_callback = callback or None
