"""objects.h: fixed joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.fixed import Fixed
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Null, or_null, the
from opendynamics.c_api.objects.params import SOFTNESS, get_param, set_param


def dJointCreateFixed(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Fixed(the(World, w), group=or_null(JointGroup, group))


def dJointSetFixed(j: dJointID) -> None:
    """Lock the bodies at their current relative pose."""
    the(Fixed, j).fix()


def dJointSetFixedParam(j: dJointID, parameter: int, value: float) -> None:
    """dParamERP or dParamCFM."""
    set_param(parameter, value, SOFTNESS, the(Fixed, j))


def dJointGetFixedParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, SOFTNESS, the(Fixed, j))
