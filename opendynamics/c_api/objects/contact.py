"""objects.h: contact joints."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import add_contact_point
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.contact import LATEST, dContact
from opendynamics.c_api.ids import Null, or_null, the


def dJointCreateContact(w: dWorldID, group: dJointGroupID | Null, contact: dContact) -> dJointID:
    """`contact` is read at once and can be used again; attach the joint to make it act."""
    given = contact if type(contact) is dContact else the(dContact, contact)
    own = group if isinstance(group, JointGroup) else or_null(JointGroup, group)
    world = w if type(w) is World else the(World, w)
    surface = given.surface
    kind, values, known = LATEST[0]
    if given._direction is not None or type(surface) is not kind or surface.__dict__ != values:
        known = given.known_surface
    return add_contact_point(world, given.geom, known, own)
