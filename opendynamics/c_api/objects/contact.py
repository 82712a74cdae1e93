"""objects.h: contact joints."""

from __future__ import annotations

from typing import Any

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.contact import dContact
from opendynamics.c_api.ids import Null, or_null, the


def dJointCreateContact(w: dWorldID, group: dJointGroupID | Null, contact: dContact) -> dJointID:
    """`contact` is read at once and can be used again; attach the joint to make it act."""
    surface: Any = the(dContact, contact)
    return ContactJoint(the(World, w), surface.geom, surface, attach=False, group=or_null(JointGroup, group))
