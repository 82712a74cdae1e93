"""Contact joint."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.contact import Contact
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import id_of
from opendynamics.pyode.joints.group import JointGroup
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.world import World


class ContactJoint(Joint):
    """A contact that acts until its group is emptied. `contact` is read at once; attach the joint to make it act."""

    __slots__ = ()

    _ode_kind = "Contact"

    def _ode_make(  # type: ignore[override]
        self, world: World, jointgroup: JointGroup | None, contact: Contact
    ) -> Any:
        given = id_of(Contact, "the contact of a contact joint", contact)
        return c.dJointCreateContact(*self._ode_places(world, jointgroup), given)


def CreateContactJointQ(
    world: World, jointgroup: JointGroup | None, c: Contact, contactprops: Any, geom1: GeomObject, geom2: GeomObject
) -> None:
    """Set the surface of a contact, and join the bodies of two geoms by it.

    `contactprops`: the arguments of `Contact.setContactSurfaceParams`, in order.
    """
    c.setContactSurfaceParams(*contactprops)
    ContactJoint(world, jointgroup, c).attach(geom1.getBody(), geom2.getBody())
