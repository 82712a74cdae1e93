"""Contact joint."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from itertools import repeat, takewhile
from operator import is_not
from sys import is_finalizing
from typing import TYPE_CHECKING, Any

from opendynamics import c_api as c
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.contact_handles import Handles
from opendynamics.api.contact_run import NO_RUN, NOW
from opendynamics.api.joints.contact import attach_newest
from opendynamics.pyode import loop_calls
from opendynamics.pyode.body import Body, body_of
from opendynamics.pyode.contact import Contact
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import Identified, id_of, set_slot
from opendynamics.pyode.joints.group import JointGroup
from opendynamics.pyode.joints.joint import Joint
from opendynamics.pyode.lifetime import FORGOTTEN, clean_up, keep
from opendynamics.pyode.world import World

if TYPE_CHECKING:
    from opendynamics.api.found_contacts import FoundContacts


class _QuicklyMade(type(Joint)):  # type: ignore[misc]
    """Creates contact joints in a group by a short path, as a step has thousands."""

    @compiled_call(loop_calls.make_contact_joint, loop_calls.PYODE_LOOP)
    def __call__(  # with names for the first arguments, which is a third faster than a tuple of all
        cls, world: Any = NO_RUN, group: Any = NO_RUN, contact: Any = NO_RUN, /, *args: Any, **kwargs: Any
    ) -> Any:
        if contact is not NO_RUN and not args and not kwargs and cls is ContactJoint:
            if FORGOTTEN:
                clean_up()
            run = NOW.run
            k = run.next
            given_world, given_group = run.given
            if (
                contact is run.shown[k]
                and world is given_world
                and group is given_group
                and contact._ode_surface is run.surface
                and run.newest is NO_RUN
            ):
                run.next = k + 1
                run.newest = joint = run.handles[k - run.skipped]
                return joint
            joint = _add_found(world, group, contact)
            if joint is not None:
                return joint
        given = takewhile(partial(is_not, NO_RUN), (world, group, contact))
        return super().__call__(*given, *args, **kwargs)


def _add_found(world: Any, group: Any, contact: Any) -> ContactJoint | None:
    """A joint of a contact that was found; None: all has to be looked at more closely."""
    if type(world) is World and type(group) is JointGroup and type(contact) is Contact:
        source = contact._ode_found
        if source is not None and source.world is world._ode_id:
            rows: Any = source.rows
            point = source, contact._ode_number, contact._ode_surface, group._ode_id
            if rows.run.given == (world, group):  # its handles are ours
                joint: ContactJoint | None = rows.run.follow(*point, joined=False)
                if joint is not None:
                    return joint
            made = rows.add_point(*point, joined=False)
            if made is not None:
                return _shown(source, made, (world, group))
    return None


def _shown(source: FoundContacts, made: Any, given: Any) -> ContactJoint:
    """What stands for a joint that was made: mostly a handle that serves in each step."""
    joint: ContactJoint
    rows: Any = source.rows
    run = rows.run
    if run.newest is not made:
        (joint,) = JointHandles(None, None).make(range(1))
        set_id(joint, made)
        return joint
    if rows.shown is None:
        rows.shown = JointHandles(rows, run.group)
    row = run.next - 1 - run.skipped
    rows.shown.have(row + len(source.points))
    run.handles, run.given = rows.shown.joints, given
    run.newest = joint = run.handles[row]
    return joint


class ContactJoint(Joint, metaclass=_QuicklyMade):
    """A contact that acts until its group is emptied. `contact` is read at once; attach the joint to make it act."""

    __slots__ = ("_ode_grouped", "_ode_joined", "_ode_place")

    _ode_kind = "Contact"
    _ode_grouped: bool
    _ode_joined: tuple[Body | None, Body | None] | None  # None: those of the contact's geoms, if any
    _ode_place: tuple[JointHandles, int] | None  # where a handle is from that has no C ID yet

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

    def _ode_identify(self) -> None:
        if self._ode_place is None:
            super()._ode_identify()
        else:
            handles, row = self._ode_place
            handles.identify(self, row)

    def _ode_missing(self, name: str) -> Any:
        """What a joint that was made quickly does not keep until it changes."""
        if name in _FIRST:
            return _FIRST[name]
        if name == "_ode_attributes":
            self._ode_id  # noqa: B018  (it has attributes of the user's from now on, and serves no other joint)
        return Joint._ode_missing(self, name)

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        if not self._ode_grouped:
            Joint.__del__(self, is_finalizing)

    @property
    def _ode_bodies(self) -> tuple[Body | None, Body | None]:
        identifier = self._ode_id
        if not identifier.alive:
            return _NOTHING
        if self._ode_joined is None:
            one, other = identifier.bodies
            self._ode_joined = body_of(one), body_of(other)
        return self._ode_joined

    @_ode_bodies.setter
    def _ode_bodies(self, bodies: tuple[Body | None, Body | None]) -> None:
        set_slot(self, "_ode_joined", bodies)

    @compiled_call(loop_calls.attach, loop_calls.PYODE_LOOP)
    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Join two bodies, or a body and None, the static world; None twice: nothing."""
        run = NOW.run
        if self is run.newest:
            if body1 is run.body1 and body2 is run.body2 and run.next <= run.until:
                run.newest = NO_RUN
                return
            if (type(body1) is Body or body1 is None) and (type(body2) is Body or body2 is None):
                one = None if body1 is None else body1._ode_id
                two = None if body2 is None else body2._ode_id
                if attach_newest(run, one, two):
                    run.body1, run.body2 = body1, body2
                    return
        Joint.attach(self, body1, body2)


class JointHandles(Handles):
    """Contact joints as PyODE has them. They have no C ID until somebody asks for it, and then serve no other joint."""

    __slots__ = ()

    def make(self, numbers: range) -> list[ContactJoint]:
        """New ones for these rows."""
        made = list(map(new_joint, repeat(ContactJoint, len(numbers))))
        deque(map(set_place, made, zip(repeat(self), numbers, strict=False)), 0)
        deque(map(set_grouped, made, repeat(True)), 0)
        return made

    def replace(self, row: int) -> None:
        """Let the joint of a row keep its handle for good."""
        set_id(self.joints[row], self.rows.spare.joints[row])
        super().replace(row)

    def identify(self, joint: ContactJoint, row: int) -> None:
        """Give one of these its C ID: that of a joint that is gone if it is none of them any more."""
        if self.rows.shown is self and self.joints[row] is joint:
            self.replace(row)
        else:
            (identifier,) = type(self.rows.spare)(self.rows, self.group).make(range(row, row + 1))
            set_id(joint, identifier)


# Quicker than assigning them.
set_id = vars(Identified)["_ode_id"].__set__
set_grouped, set_place = (vars(ContactJoint)[name].__set__ for name in ("_ode_grouped", "_ode_place"))
new_joint = object.__new__

_NOTHING = (None, None)
_FIRST = {"_ode_arguments": None, "_ode_feedback": None, "_ode_grouped": True, "_ode_joined": None, "_ode_place": None}


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
