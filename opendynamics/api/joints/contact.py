"""Contact joint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api import checks
from opendynamics.api.checks import DestroyedError
from opendynamics.api.contact import Contact
from opendynamics.api.contact_run import NO_RUN, NOW, ContactRun
from opendynamics.api.found_contacts import FoundPoint
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joints.joint import Joint
from opendynamics.api.suggestions import plain_call
from opendynamics.api.surface import Surface
from opendynamics.core.arrays import contacts as layout
from opendynamics.core.arrays.contacts import CONTACTS

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.contact_rows import ContactRows
    from opendynamics.api.joint_group import JointGroup
    from opendynamics.api.world import World
    from opendynamics.core.arrays.store import Store


class ContactJoint(Joint):
    """A contact that acts until it is destroyed, usually for one step, as in ODE's loop.

    Args:
        world: the joint's world.
        contact: point, normal and depth.
        surface: friction, restitution and softness; by default that of `world.surfaces` for the geoms' materials.
        body1, body2: the bodies; by default those of the contact's geoms, with `attach`.
        attach: whether to attach the bodies at once.
        group, name: see `Joint`.
    """

    __slots__ = ("_place",)

    kind = "contact"
    _table = CONTACTS
    _place: tuple[ContactRows, int, JointGroup | None]  # its row, and its group

    def __init__(
        self,
        world: World,
        /,
        contact: Contact,
        surface: Surface | None = None,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        attach: bool = True,
        group: JointGroup | None = None,
        name: str | None = None,
    ) -> None:
        if not hasattr(contact, "row") or not hasattr(contact, "geom1"):
            raise TypeError(f"a contact joint is made of a Contact, not of {contact!r}")
        if surface is not None and not hasattr(surface, "row"):
            raise TypeError(f"the surface of a contact joint must be a Surface, not {surface!r}")
        self._require_world(world)
        checks.require_name("the name of a contact joint", name)
        attach = checks.flag("attach of a contact joint", attach)
        point = contact.row
        for geom in (contact.geom1, contact.geom2):
            if geom is not None and not isinstance(geom, Geom):
                raise TypeError(f"the geoms of a contact must be geoms or None, not {geom!r}")
        if surface is None:
            surface = world.surfaces.between(contact.geom1, contact.geom2)
        if attach and body1 is None and body2 is None:
            body1 = None if contact.geom1 is None else contact.geom1.body
            body2 = None if contact.geom2 is None else contact.geom2.body
        self._require_bodies(world, body1, body2)
        self._require_group(group)
        rows = world._contact_rows
        self._place = (rows, rows.count, group)
        self._name = name
        row = rows.add(self, group)
        record = self._store[CONTACTS][row]
        record["point"] = point
        rows.put_surface(row, surface)
        rows.note_spring(row, surface)
        record["flags"] = layout.ALIVE | layout.ENABLED
        rows.set_bodies(row, body1, body2)

    # -- not stored in slots, as other joints do: many contact joints are created, and few are read --------------------

    @property
    def _rows(self) -> ContactRows:  # type: ignore[override]
        return self._place[0]

    @property
    def _store(self) -> Store:
        """The tables, with the record of this joint."""
        rows = self._place[0]
        rows.write()
        return rows.store

    @property
    def _index(self) -> int:  # type: ignore[override]
        return self._place[1]

    @property
    def _group(self) -> JointGroup | None:  # type: ignore[override]
        return self._place[2]

    @property
    def _world(self) -> World:  # type: ignore[override]
        return self._place[0].world

    @property
    def _bodies(self) -> tuple[Body | None, Body | None]:  # type: ignore[override]
        return self._rows.bodies_of(self._row)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return None if name in ("_name", "data") else Joint.__getattr__(self, name)

        def __setattr__(self, name: str, value: Any) -> None:
            if name in ("_name", "data"):
                self._place[0].part_with(self)
            Joint.__setattr__(self, name, value)

    @property
    def alive(self) -> bool:
        """Whether the joint still exists."""
        rows, index, _ = self._place
        return index < len(rows.noted_joints) and rows.noted_joints[index] is self

    @property
    def _row(self) -> int:
        """The row, of a joint that exists, with a record."""
        if not self.alive:
            raise DestroyedError(f"{self.name} has been destroyed; make a new one")
        rows, index, _ = self._place
        rows.write()
        return index

    # --------------------------------------------------------------------------------------------------------------

    @plain_call
    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Attach the joint to other bodies. None is the static world; two Nones detach the joint."""
        if attach_found(self, body1, body2):
            return
        row = self._row
        self._require_bodies(self._world, body1, body2)
        before = self._bodies
        self._rows.set_bodies(row, body1, body2)
        for body in (body1, body2) if before != (None, None) else ():
            if body is not None:
                body._list_joint(self)  # as the newest

    def _detach(self) -> None:
        self._rows.set_bodies(self._row, None, None)

    def destroy(self) -> None:
        """Remove the contact."""
        row = self._row
        self._store.require_idle()
        self._world._strengths.pop(self, None)
        self._rows.give_back(row)

    def _wake_bodies(self) -> None:
        """Does nothing: contacts change in every step, and wake the bodies that they link themselves."""

    def _reinstated(self) -> None:
        """Does nothing: all worlds know contacts."""


def attach_found(joint: ContactJoint, body1: Body | None, body2: Body | None) -> bool:
    """Attach the bodies of the collided geoms, if these are the ones; False: use `attach`. Fastest for the newest joint."""
    run = NOW.run
    return (joint is run.newest and attach_newest(run, body1, body2)) or _attach_older(joint, body1, body2)


def attach_newest(run: ContactRun, body1: Body | None, body2: Body | None) -> bool:
    """Attach the newest joint of a run, which joins nothing yet, to the bodies of the callback's pair; False: they are others."""
    listed = run.source
    if listed is not NOW.listed:
        return False
    _, _, one, other, _ = listed.current
    until = listed.ends[listed.at]
    if one is not body1 or other is not body2 or not listed.starts[listed.at] < run.next <= until:
        return False
    run.newest, run.until, run.body1, run.body2 = NO_RUN, until, body1, body2
    return True


def _attach_older(joint: ContactJoint, body1: Body | None, body2: Body | None) -> bool:
    rows, row, _ = joint._place
    at, joints, chosen = row - rows.written, rows.noted_joints, rows.chosen
    if at < 0 or row >= len(joints) or joints[row] is not joint or chosen[at] >= 0:
        return False
    source, k = rows.source_of(at), ~chosen[at]
    if source.bodies_edition != rows.bodies_edition or not source.joins(k, body1, body2):
        return False
    chosen[at] = k
    if row < rows.pairs.seen:
        rows.pairs.forget_contacts()
    return True


def add_contact_point(world: World, contact: Any, surface: Any, group: JointGroup | None) -> ContactJoint:
    """Create an unattached contact joint. Fastest if the surface is the same object as that of the last joint."""
    if isinstance(contact, FoundPoint) and contact._source is not None:
        source, k, rows = contact._source, contact._k, world._contact_rows
        made: ContactJoint | None = rows.run.follow(source, k, surface, group, joined=False)
        if made is None:
            made = rows.add_point(source, k, surface, group, joined=False)
        if made is not None:
            return made
    return ContactJoint(world, contact, surface, attach=False, group=group)


new_joint = object.__new__
set_place = vars(ContactJoint)["_place"].__set__  # faster than assigning it
