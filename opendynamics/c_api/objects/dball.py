"""objects.h: double ball joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.dball import DBall
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import SOFTNESS, get_param, set_param


def dJointCreateDBall(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return DBall(the(World, w), group=or_null(JointGroup, group))


def dJointSetDBallAnchor1(j: dJointID, x: float, y: float, z: float) -> None:
    the(DBall, j).anchor1 = x, y, z


def dJointGetDBallAnchor1(j: dJointID) -> Array:
    return the(DBall, j).anchor1


def dJointSetDBallAnchor2(j: dJointID, x: float, y: float, z: float) -> None:
    the(DBall, j).anchor2 = x, y, z


def dJointGetDBallAnchor2(j: dJointID) -> Array:
    return the(DBall, j).anchor2


def dJointSetDBallDistance(j: dJointID, dist: float) -> None:
    the(DBall, j).distance = dist


def dJointGetDBallDistance(j: dJointID) -> float:
    """The distance of the anchors that is maintained, m."""
    return the(DBall, j).distance


def dJointSetDBallParam(j: dJointID, parameter: int, value: float) -> None:
    """dParamERP or dParamCFM."""
    set_param(parameter, value, SOFTNESS, the(DBall, j))


def dJointGetDBallParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, SOFTNESS, the(DBall, j))
