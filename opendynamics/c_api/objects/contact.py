"""objects.h: contact joints."""

from __future__ import annotations

from opendynamics.api.contact_run import NO_RUN, NOW
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import add_contact_point
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.contact import LATEST, dContact
from opendynamics.c_api.ids import Null, or_null, the


def dJointCreateContact(w: dWorldID, group: dJointGroupID | Null, contact: dContact) -> dJointID:
    """`contact` is read at once and can be used again; attach the joint to make it act."""
    if type(contact) is dContact and contact._direction is None:
        surface = contact.surface
        kind, values, known = LATEST[0]
        if type(surface) is kind and surface.__dict__ == values:
            run = NOW.run
            k = run.next
            if (
                contact.geom is run.shown[k]
                and known is run.surface
                and w is run.world
                and group is run.group
                and run.newest is NO_RUN
            ):
                run.next = k + 1
                run.newest = joint = run.handles[k - run.skipped]
                return joint  # type: ignore[no-any-return]
            if type(w) is World and type(group) is JointGroup:
                return add_contact_point(w, contact.geom, known, group)
    given, own = the(dContact, contact), or_null(JointGroup, group)
    return add_contact_point(the(World, w), given.geom, given.known_surface, own)
