"""Contact joint."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.contact import Contact
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import id_of, set_slot
from opendynamics.pyode.joints.group import JointGroup
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.lifetime import keep
from opendynamics.pyode.world import World


class ContactJoint(Joint):
    """A contact that acts until its group is emptied. `contact` is read at once; attach the joint to make it act."""

    __slots__ = ("_ode_grouped",)

    _ode_kind = "Contact"

    def _ode_make(  # type: ignore[override]
        self, world: World, jointgroup: JointGroup | None, contact: Contact
    ) -> Any:
        given = id_of(Contact, "the contact of a contact joint", contact)
        places = self._ode_places(world, jointgroup)
        set_slot(self, "_ode_grouped", jointgroup is not None)
        return c.dJointCreateContact(*places, given)

    def _ode_made(self) -> None:
        if not self._ode_grouped:  # a group keeps its joints itself
            keep(self._ode_id)


def CreateContactJointQ(
    world: World, jointgroup: JointGroup | None, c: Contact, contactprops: Any, geom1: GeomObject, geom2: GeomObject
) -> None:
    """Set the surface of a contact, and join the bodies of two geoms by it.

    `contactprops`: the arguments of `Contact.setContactSurfaceParams`, in order.
    """
    c.setContactSurfaceParams(*contactprops)
    ContactJoint(world, jointgroup, c).attach(geom1.getBody(), geom2.getBody())
