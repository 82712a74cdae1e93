"""objects.h: ball joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.ball import Ball
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import SOFTNESS, get_param, set_param


def dJointCreateBall(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Ball(the(World, w), group=or_null(JointGroup, group))


def dJointSetBallAnchor(j: dJointID, x: float, y: float, z: float) -> None:
    the(Ball, j).anchor = x, y, z


def dJointSetBallAnchor2(j: dJointID, x: float, y: float, z: float) -> None:
    """The anchor on the second body only, in that body's frame; without a second body in the world frame."""
    the(Ball, j).set_local_anchor2((x, y, z))


def dJointGetBallAnchor(j: dJointID) -> Array:
    return the(Ball, j).anchor


def dJointGetBallAnchor2(j: dJointID) -> Array:
    return the(Ball, j).anchor2


def dJointSetBallParam(j: dJointID, parameter: int, value: float) -> None:
    """dParamERP or dParamCFM."""
    set_param(parameter, value, SOFTNESS, the(Ball, j))


def dJointGetBallParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, SOFTNESS, the(Ball, j))
