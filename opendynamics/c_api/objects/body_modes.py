"""objects.h: modes of a body: enabled, dynamic or kinematic, gravity, exact rotation, gyroscopic torque."""

from __future__ import annotations

from opendynamics.api.body import Body
from opendynamics.c_api.common.identifiers import dBodyID
from opendynamics.c_api.ids import Array, flag, the


def dBodyEnable(b: dBodyID) -> None:
    the(Body, b).enabled = True


def dBodyDisable(b: dBodyID) -> None:
    the(Body, b).enabled = False


def dBodyIsEnabled(b: dBodyID) -> int:
    return int(the(Body, b).enabled)


def dBodySetDynamic(b: dBodyID) -> None:
    """Forces move the body, the default."""
    the(Body, b).kinematic = False


def dBodySetKinematic(b: dBodyID) -> None:
    """The body moves at the velocity that is set, regardless of forces."""
    the(Body, b).kinematic = True


def dBodyIsKinematic(b: dBodyID) -> int:
    return int(the(Body, b).kinematic)


def dBodySetGravityMode(b: dBodyID, mode: int) -> None:
    the(Body, b).gravity_mode = flag(mode)


def dBodyGetGravityMode(b: dBodyID) -> int:
    return int(the(Body, b).gravity_mode)


def dBodySetFiniteRotationMode(b: dBodyID, mode: int) -> None:
    """1: the orientation is integrated by the exact rotation of a step."""
    the(Body, b).finite_rotation_mode = flag(mode)


def dBodyGetFiniteRotationMode(b: dBodyID) -> int:
    return int(the(Body, b).finite_rotation_mode)


def dBodySetFiniteRotationAxis(b: dBodyID, x: float, y: float, z: float) -> None:
    """The only axis about which the rotation is exact; zero: every axis."""
    the(Body, b).finite_rotation_axis = x, y, z


def dBodyGetFiniteRotationAxis(b: dBodyID) -> Array:
    return the(Body, b).finite_rotation_axis


def dBodySetGyroscopicMode(b: dBodyID, enabled: int) -> None:
    the(Body, b).gyroscopic_mode = flag(enabled)


def dBodyGetGyroscopicMode(b: dBodyID) -> int:
    return int(the(Body, b).gyroscopic_mode)
