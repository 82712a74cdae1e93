"""objects.h: double hinges."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.dhinge import DHinge
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import SOFTNESS, get_param, set_param


def dJointCreateDHinge(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return DHinge(the(World, w), group=or_null(JointGroup, group))


def dJointSetDHingeAxis(j: dJointID, x: float, y: float, z: float) -> None:
    the(DHinge, j).axis = x, y, z


def dJointGetDHingeAxis(j: dJointID) -> Array:
    return the(DHinge, j).axis


def dJointSetDHingeAnchor1(j: dJointID, x: float, y: float, z: float) -> None:
    the(DHinge, j).anchor1 = x, y, z


def dJointGetDHingeAnchor1(j: dJointID) -> Array:
    return the(DHinge, j).anchor1


def dJointSetDHingeAnchor2(j: dJointID, x: float, y: float, z: float) -> None:
    the(DHinge, j).anchor2 = x, y, z


def dJointGetDHingeAnchor2(j: dJointID) -> Array:
    return the(DHinge, j).anchor2


def dJointGetDHingeDistance(j: dJointID) -> float:
    """The distance of the anchors that is maintained, m."""
    return the(DHinge, j).distance


def dJointSetDHingeParam(j: dJointID, parameter: int, value: float) -> None:
    """dParamERP or dParamCFM."""
    set_param(parameter, value, SOFTNESS, the(DHinge, j))


def dJointGetDHingeParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, SOFTNESS, the(DHinge, j))
