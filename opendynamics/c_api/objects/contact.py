"""objects.h: contact joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import add_contact_point, add_found_point
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.contact import LATEST, FoundContactGeom, dContact
from opendynamics.c_api.ids import Null, or_null, the


def dJointCreateContact(w: dWorldID, group: dJointGroupID | Null, contact: dContact) -> dJointID:
    """`contact` is read at once and can be used again; attach the joint to make it act."""
    if type(contact) is dContact and contact._direction is None:
        geom, surface = contact.geom, contact.surface
        kind, values, known = LATEST[0]
        if type(surface) is kind and surface.__dict__ == values and type(geom) is FoundContactGeom and type(w) is World:
            own = group if type(group) is JointGroup else or_null(JointGroup, group)
            source = geom._source
            if source is not None:
                made = add_found_point(w, source, geom._k, known, own)
                if made is not None:
                    return made
    given, own = the(dContact, contact), or_null(JointGroup, group)
    return add_contact_point(the(World, w), given.geom, given.known_surface, own)
