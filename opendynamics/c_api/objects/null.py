"""objects.h: null joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.null import Null as NullJoint
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Null, or_null, the


def dJointCreateNull(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return NullJoint(the(World, w), group=or_null(JointGroup, group))
