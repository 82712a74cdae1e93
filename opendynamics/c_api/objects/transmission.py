"""objects.h: transmissions."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.transmission import Transmission
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import SOFTNESS, get_param, set_param

dTransmissionParallelAxes, dTransmissionIntersectingAxes, dTransmissionChainDrive = 0, 1, 2

_MODES = ("parallel", "intersecting", "chain")


def dJointCreateTransmission(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Transmission(the(World, w), group=or_null(JointGroup, group))


def dJointSetTransmissionMode(j: dJointID, mode: int) -> None:
    """dTransmissionParallelAxes, dTransmissionIntersectingAxes or dTransmissionChainDrive."""
    the(Transmission, j).mode = _MODES[checks.count("the mode of a transmission", mode, most=dTransmissionChainDrive)]


def dJointGetTransmissionMode(j: dJointID) -> int:
    return _MODES.index(the(Transmission, j).mode)


def dJointSetTransmissionAnchor1(j: dJointID, x: float, y: float, z: float) -> None:
    the(Transmission, j).anchor1 = x, y, z


def dJointGetTransmissionAnchor1(j: dJointID) -> Array:
    return the(Transmission, j).anchor1


def dJointSetTransmissionAnchor2(j: dJointID, x: float, y: float, z: float) -> None:
    the(Transmission, j).anchor2 = x, y, z


def dJointGetTransmissionAnchor2(j: dJointID) -> Array:
    return the(Transmission, j).anchor2


def dJointSetTransmissionAxis(j: dJointID, x: float, y: float, z: float) -> None:
    """Of both wheels; not with intersecting axes."""
    the(Transmission, j).axis = x, y, z


def dJointGetTransmissionAxis(j: dJointID) -> Array:
    return the(Transmission, j).axis


def dJointSetTransmissionAxis1(j: dJointID, x: float, y: float, z: float) -> None:
    """With intersecting axes only."""
    the(Transmission, j).axis1 = x, y, z


def dJointGetTransmissionAxis1(j: dJointID) -> Array:
    return the(Transmission, j).axis1


def dJointSetTransmissionAxis2(j: dJointID, x: float, y: float, z: float) -> None:
    """With intersecting axes only."""
    the(Transmission, j).axis2 = x, y, z


def dJointGetTransmissionAxis2(j: dJointID) -> Array:
    return the(Transmission, j).axis2


def dJointSetTransmissionRatio(j: dJointID, ratio: float) -> None:
    """With parallel axes only."""
    the(Transmission, j).ratio = ratio


def dJointGetTransmissionRatio(j: dJointID) -> float:
    return the(Transmission, j).ratio


def dJointSetTransmissionRadius1(j: dJointID, radius: float) -> None:
    """For wheels of a chain only."""
    the(Transmission, j).radius1 = radius


def dJointGetTransmissionRadius1(j: dJointID) -> float:
    return the(Transmission, j).radius1


def dJointSetTransmissionRadius2(j: dJointID, radius: float) -> None:
    """For wheels of a chain only."""
    the(Transmission, j).radius2 = radius


def dJointGetTransmissionRadius2(j: dJointID) -> float:
    return the(Transmission, j).radius2


def dJointSetTransmissionBacklash(j: dJointID, backlash: float) -> None:
    the(Transmission, j).backlash = backlash


def dJointGetTransmissionBacklash(j: dJointID) -> float:
    return the(Transmission, j).backlash


def dJointGetTransmissionAngle1(j: dJointID) -> float:
    """Angle, rad, unbounded, at the beginning of the last step."""
    return the(Transmission, j).angle1


def dJointGetTransmissionContactPoint1(j: dJointID) -> Array:
    return the(Transmission, j).contact1


def dJointGetTransmissionAngle2(j: dJointID) -> float:
    """Angle, rad, unbounded, at the beginning of the last step."""
    return the(Transmission, j).angle2


def dJointGetTransmissionContactPoint2(j: dJointID) -> Array:
    return the(Transmission, j).contact2


def dJointSetTransmissionParam(j: dJointID, parameter: int, value: float) -> None:
    """dParamERP or dParamCFM."""
    set_param(parameter, value, SOFTNESS, the(Transmission, j))


def dJointGetTransmissionParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, SOFTNESS, the(Transmission, j))
