"""Contact joint."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import is_finalizing
from typing import Any

from opendynamics import c_api as c
from opendynamics.api.contact_run import UNDER_WAY
from opendynamics.api.joints.contact import add_found_point, attach_found
from opendynamics.pyode.body import Body
from opendynamics.pyode.contact import Contact
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import Handle, id_of, set_slot
from opendynamics.pyode.joints.group import JointGroup
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.lifetime import FORGOTTEN, clean_up, keep
from opendynamics.pyode.world import World


class _QuicklyMade(type(Joint)):  # type: ignore[misc]
    """Creates contact joints in a group by a short path, as a step has thousands."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 3 and not kwargs and cls is ContactJoint:
            world, group, contact = args
            if FORGOTTEN:
                clean_up()
            made = _add_next(world, group, contact) or _add_found(world, group, contact)
            if made is not None:
                joint: ContactJoint = new_joint(ContactJoint)
                set_grouped(joint, True)
                set_id(joint, made)
                return joint
        return super().__call__(*args, **kwargs)


def _add_next(world: Any, group: Any, contact: Any) -> Any:
    """The C ID of a joint for the contact after the last one's, with its surface and in its group; None: another contact."""
    run = UNDER_WAY[-1].run
    k = run.next
    given_world, given_group = run.given
    if contact is not run.shown[k] or world is not given_world or group is not given_group:
        return None
    if contact._ode_surface is not run.surface:
        return None
    run.next = k + 1
    joints = run.joints
    made = run.spare[len(joints)]
    run.chosen.append(~k)
    joints.append(made)
    return made


def _add_found(world: Any, group: Any, contact: Any) -> Any:
    """The C ID of a joint for a collided contact; None: use the general path."""
    if type(world) is World and type(group) is JointGroup and type(contact) is Contact:
        source = contact._ode_found
        if source is not None:
            surface, identifier = contact._ode_surface, group._ode_id
            made = add_found_point(world._ode_id, source, contact._ode_number, surface, identifier)
            if made is not None:
                UNDER_WAY[-1].run.given = world, group
            return made
    return None


class ContactJoint(Joint, metaclass=_QuicklyMade):
    """A contact that acts until its group is emptied. `contact` is read at once; attach the joint to make it act."""

    __slots__ = ("_ode_grouped", "_ode_joined")

    _ode_kind = "Contact"
    _ode_joined: tuple[Body | None, Body | None]

    def _ode_make(  # type: ignore[override]
        self, world: World, jointgroup: JointGroup | None, contact: Contact
    ) -> Any:
        given = id_of(Contact, "the contact of a contact joint", contact)
        places = self._ode_places(world, jointgroup)
        set_slot(self, "_ode_grouped", jointgroup is not None)
        return c.dJointCreateContact(*places, given)

    def _ode_made(self) -> None:
        if not self._ode_grouped:  # a group references its joints itself
            keep(self._ode_id)

    def _ode_missing(self, name: str) -> Any:
        """Creates what a quickly created joint lacks until it changes."""
        return _FIRST[name] if name in _FIRST else Joint._ode_missing(self, name)

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        if not self._ode_grouped:
            Joint.__del__(self, is_finalizing)

    @property
    def _ode_bodies(self) -> tuple[Body | None, Body | None]:
        return self._ode_joined if self._ode_id.alive else _NOTHING

    @_ode_bodies.setter
    def _ode_bodies(self, bodies: tuple[Body | None, Body | None]) -> None:
        set_slot(self, "_ode_joined", bodies)

    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Attach two bodies, or a body and None, the static world; None twice detaches the joint."""
        run = UNDER_WAY[-1].run
        start, end, one, two, joined = run.attached
        if one is body1 and two is body2 and run.chosen and run.joints[-1] is self._ode_id:
            k = ~run.chosen[-1]
            if start <= k < end:
                run.chosen[-1] = k
                set_joined(self, joined)
                return
        if (type(body1) is Body or body1 is None) and (type(body2) is Body or body2 is None):
            one = None if body1 is None else body1._ode_id
            two = None if body2 is None else body2._ode_id
            if attach_found(self._ode_id, one, two):
                joined = body1, body2
                set_joined(self, joined)
                if run.joints and run.joints[-1] is self._ode_id and run.source.attached[2:] == (one, two):
                    run.attached = *run.source.attached[:2], body1, body2, joined
                return
        Joint.attach(self, body1, body2)


# Faster than assigning them.
set_id = vars(Handle)["_ode_id"].__set__
set_grouped, set_joined = (vars(ContactJoint)[name].__set__ for name in ("_ode_grouped", "_ode_joined"))
new_joint = object.__new__

_NOTHING = (None, None)
_FIRST = {"_ode_arguments": None, "_ode_feedback": None, "_ode_grouped": True, "_ode_joined": _NOTHING}


def CreateContactJointQ(
    world: World, jointgroup: JointGroup | None, c: Contact, contactprops: Any, geom1: GeomObject, geom2: GeomObject
) -> None:
    """Set the surface of a contact, and attach the bodies of two geoms by it.

    `contactprops`: the arguments of `Contact.setContactSurfaceParams`, in order.
    """
    id_of(World, "the world of a joint", world)
    id_of(JointGroup, "the group of a joint", jointgroup, none=True)
    id_of(Contact, "the contact of a contact joint", c)
    for geom in (geom1, geom2):
        id_of(GeomObject, "a geom of a contact joint", geom)
    if not isinstance(contactprops, Iterable):
        raise TypeError(f"CreateContactJointQ: contactprops must be 12 arguments of a contact, not {contactprops!r}")
    c.setContactSurfaceParams(*contactprops)
    ContactJoint(world, jointgroup, c).attach(geom1.getBody(), geom2.getBody())
