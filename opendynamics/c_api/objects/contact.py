"""objects.h: contact joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import add_contact_point
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.contact import LATEST, dContact
from opendynamics.c_api.ids import Null, or_null, the


def dJointCreateContact(w: dWorldID, group: dJointGroupID | Null, contact: dContact) -> dJointID:
    """`contact` is read at once and can be reused; attach the joint to make it act."""
    if type(contact) is dContact and type(w) is World and type(group) is JointGroup and contact._direction is None:
        surface = contact.surface
        kind, values, known = LATEST[0]
        if type(surface) is kind and surface.__dict__ == values:
            return add_contact_point(w, contact.geom, known, group)
    given, own = the(dContact, contact), or_null(JointGroup, group)
    return add_contact_point(the(World, w), given.geom, given.known_surface, own)
