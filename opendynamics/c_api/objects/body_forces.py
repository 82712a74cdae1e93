"""objects.h: forces on bodies, and points and vectors of a body's frame."""

from __future__ import annotations

from opendynamics.api.body import Body
from opendynamics.c_api.common.identifiers import dBodyID
from opendynamics.c_api.ids import Array, the


def dBodyAddForce(b: dBodyID, fx: float, fy: float, fz: float) -> None:
    """At the centre of mass, for the next step."""
    the(Body, b).add_force((fx, fy, fz))


def dBodyAddTorque(b: dBodyID, fx: float, fy: float, fz: float) -> None:
    the(Body, b).add_torque((fx, fy, fz))


def dBodyAddRelForce(b: dBodyID, fx: float, fy: float, fz: float) -> None:
    """A force in the body's frame."""
    the(Body, b).add_force((fx, fy, fz), local=True)


def dBodyAddRelTorque(b: dBodyID, fx: float, fy: float, fz: float) -> None:
    the(Body, b).add_torque((fx, fy, fz), local=True)


def dBodyAddForceAtPos(b: dBodyID, fx: float, fy: float, fz: float, px: float, py: float, pz: float) -> None:
    the(Body, b).add_force((fx, fy, fz), at=(px, py, pz))


def dBodyAddForceAtRelPos(b: dBodyID, fx: float, fy: float, fz: float, px: float, py: float, pz: float) -> None:
    """A force in the world frame at a point of the body's frame."""
    the(Body, b).add_force((fx, fy, fz), at_local=(px, py, pz))


def dBodyAddRelForceAtPos(b: dBodyID, fx: float, fy: float, fz: float, px: float, py: float, pz: float) -> None:
    """A force in the body's frame at a point of the world frame."""
    the(Body, b).add_force((fx, fy, fz), local=True, at=(px, py, pz))


def dBodyAddRelForceAtRelPos(b: dBodyID, fx: float, fy: float, fz: float, px: float, py: float, pz: float) -> None:
    the(Body, b).add_force((fx, fy, fz), local=True, at_local=(px, py, pz))


def dBodySetForce(b: dBodyID, x: float, y: float, z: float) -> None:
    """Replaces the force accumulated since the last step."""
    the(Body, b).force = x, y, z


def dBodyGetForce(b: dBodyID) -> Array:
    return the(Body, b).force


def dBodySetTorque(b: dBodyID, x: float, y: float, z: float) -> None:
    the(Body, b).torque = x, y, z


def dBodyGetTorque(b: dBodyID) -> Array:
    return the(Body, b).torque


# -- points and vectors ------------------------------------------------------------------------------------------------


def dBodyGetRelPointPos(b: dBodyID, px: float, py: float, pz: float) -> Array:
    """World position of a point of the body's frame."""
    return the(Body, b).point_to_world((px, py, pz))


def dBodyGetRelPointVel(b: dBodyID, px: float, py: float, pz: float) -> Array:
    """World velocity of a point of the body's frame."""
    return the(Body, b).velocity_at((px, py, pz), local=True)


def dBodyGetPointVel(b: dBodyID, px: float, py: float, pz: float) -> Array:
    """Velocity of the body at a point of the world frame."""
    return the(Body, b).velocity_at((px, py, pz))


def dBodyGetPosRelPoint(b: dBodyID, px: float, py: float, pz: float) -> Array:
    """A world point in the body's frame."""
    return the(Body, b).point_from_world((px, py, pz))


def dBodyVectorToWorld(b: dBodyID, px: float, py: float, pz: float) -> Array:
    return the(Body, b).vector_to_world((px, py, pz))


def dBodyVectorFromWorld(b: dBodyID, px: float, py: float, pz: float) -> Array:
    return the(Body, b).vector_from_world((px, py, pz))
