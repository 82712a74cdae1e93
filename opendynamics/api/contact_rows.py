"""Contact joints of a world: ODE's loop creates and destroys thousands of them per step.

Nearly all are made of a contact point of a collision; such a joint starts as a number in a list. `write` creates the records of
all of them by one compiled call, before a step and before anything reads the records. Consecutive joints of the same collision,
with the same surface and in the same group, form a run: only its first joint is checked, and all are noted later.

Handles of an emptied group are reused for the same rows, except those that are referenced elsewhere or were changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opendynamics.api.body_pairs import BodyPairs
from opendynamics.api.contact_handles import Handles
from opendynamics.api.contact_run import NO_RUN as _NONE
from opendynamics.api.contact_run import NOTHING, ContactRun
from opendynamics.api.found_contacts import FoundContacts
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import ContactJoint, new_joint, set_place
from opendynamics.api.member import Member, note_change
from opendynamics.core.arrays.contacts import ALIVE, CONTACT_DETAILS, CONTACTS, ENABLED, MANIFOLDS, REVERSED
from opendynamics.core.arrays.store import Store
from opendynamics.core.collide.contact_joints import GIVEN_SURFACE, make_contact_joints

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.joints.joint import Joint
    from opendynamics.api.surface import Surface
    from opendynamics.api.world import World

_SEVERAL: Any = object()
_NO_DIRECTION = (0.0, 0.0, 0.0)


class JointHandles(Handles):
    """Handles that the library itself gives to users."""

    __slots__ = ()

    def make(self, numbers: range) -> list[ContactJoint]:
        """New handles for these rows."""
        made = list(map(new_joint, repeat(ContactJoint, len(numbers))))
        deque(map(set_place, made, zip(repeat(self.rows), numbers, repeat(self.group), strict=False)), 0)
        return made


class ContactRows(Member):
    """Allocates rows of the contacts table in creation order; freed rows are reused only from the end.

    Attributes:
        joints: the joint of each row, of those that have been noted; None: it was destroyed.
        written: how many joints have their records.
        bodies_edition: how often bodies ended, or geoms changed their bodies.
        runs: the number of the first in `chosen`, source and surface of each run of these.
        pairs: pairs of bodies connected by joints.
        sprung: by row, the surfaces whose contacts are springs.
        behind: of other joints that were attached after contact joints, the number of rows that come before them.
        changes: how often a row was handed out to be changed.
        run: what the next joint is made of, if it is like the last one.
        spare: handles for joints in the group that was used last.
        shown: those of another API that stand for the same joints; None if it has none.
    """

    __slots__ = (
        *("_chosen", "_common_group", "behind", "bodies_edition", "changes", "joints", "pairs", "run", "runs"),
        *("shown", "spare", "sprung", "store", "world", "written"),
    )

    _transient: ClassVar[dict[str, Any]] = {
        "_common_group": lambda: _SEVERAL,
        "pairs": BodyPairs,
        "runs": list,
        "bodies_edition": int,
        "changes": int,
        "_chosen": list,
        "run": ContactRun,
        "shown": type(None),
        "spare": lambda: JointHandles(None, _NONE),
    }

    def __init__(self, world: World, store: Store) -> None:
        self.world = world
        self.store = store
        self.joints: list[ContactJoint | None] = []
        self.written = 0
        self.bodies_edition = self.changes = 0
        self._chosen: list[int] = []
        self.runs: list[tuple[int, FoundContacts, Any]] = []
        self.sprung: dict[int, Surface] = {}
        self.behind: dict[Joint, int] = {}
        self.run = ContactRun()
        self._common_group = _NONE  # of all joints
        self.spare = JointHandles(self, _NONE)
        self.shown: Handles | None = None
        self.pairs = BodyPairs(self)

    def _reinstated(self) -> None:
        self.run.drop()
        self.chosen.clear()
        self.runs.clear()
        self.spare, self.shown = JointHandles(self, _NONE), None
        self.pairs = BodyPairs(self)
        self._common_group = _SEVERAL if self.noted_joints else _NONE
        self.end_run()

    @property
    def noted_joints(self) -> list[ContactJoint | None]:
        """The joint of each row; None: it was destroyed."""
        if self.run.noted < self.run.next:
            self.run.note_joints()
        return self.joints

    @property
    def chosen(self) -> list[int]:
        """Of the joints without records, the number of the contact point in its source; ~number: it joins nothing yet."""
        if self.run.noted < self.run.next:
            self.run.note_joints()
        return self._chosen

    @property
    def count(self) -> int:
        """Rows in use."""
        return len(self.noted_joints)

    # -- joints of contact points that were found ------------------------------------------------------------------

    def begin_run(self, source: FoundContacts | None, surface: Any, group: JointGroup | None) -> bool:
        """Start a run of joints made of points of `source`; False: the joints must be checked one by one."""
        if source is None or source.world is not self.world or source.bodies_edition != self.bodies_edition:
            return False
        if not hasattr(surface, "row") or not (group is None or isinstance(group, JointGroup)):
            return False
        self.store.require_idle()
        note_change()
        self._note_group(group)
        run = self.run
        run.look_closer()
        self.runs.append((len(self.chosen), source, surface))
        if not self.noted_joints:
            run.ordered = source if source.once else None
            if group is not self.spare.group:
                self.spare, self.shown = JointHandles(self, group), None
        elif run.ordered is not source:
            run.ordered = None
        run.world, run.source, run.surface, run.group = self.world, source, surface, group
        run.take_joints(self.noted_joints, self.chosen, self.spare.joints)
        run.forget_given()
        return True

    def add_point(
        self, source: FoundContacts, k: int, surface: Any, group: Any, *, joined: bool
    ) -> ContactJoint | None:
        """Add a joint of point k of `source`, not attached yet unless `joined`; None: it must be checked."""
        run = self.run
        begun = source is run.source and surface is run.surface and group is run.group
        if not (begun or self.begin_run(source, surface, group)):
            return None
        joints, chosen = self.noted_joints, self.chosen
        if chosen and k <= max(chosen[-1], ~chosen[-1]):
            run.ordered = None
        row = len(joints)
        if group is self.spare.group:
            self.spare.have(row + len(source.points))
            joint: ContactJoint = self.spare.joints[row]
            shown = source.shown_after(k)
            if shown is not NOTHING:
                run.go_on(shown, k, row, joint if not joined else _NONE)
                return joint
        else:
            (joint,) = JointHandles(self, group).make(range(row, row + 1))
        run.look_closer()
        chosen.append(k if joined else ~k)
        joints.append(joint)
        return joint

    def add_points(self, numbers: Sequence[int]) -> list[ContactJoint]:
        """Add joints of these points of the run's source."""
        first, end = self.count, self.count + len(numbers)
        if self.run.group is self.spare.group:
            self.spare.have(end)
            made = self.spare.joints[first:end]
        else:
            made = JointHandles(self, self.run.group).make(range(first, end))
        self.run.ordered = None
        self.run.look_closer()
        self.chosen.extend(numbers)
        self.noted_joints.extend(made)
        return made

    def part_with(self, joint: ContactJoint) -> None:
        """Remove a handle from the spare ones: it differs from a new one."""
        row = joint._index
        self.run.look_closer()  # its joints are noted by their handles
        if row < len(self.spare.joints) and self.spare.joints[row] is joint:
            if self.shown is not None and row < len(self.shown.joints):
                self.shown.replace(row)
            self.spare.replace(row)

    def end_run(self) -> None:
        """End the run: bodies, geoms or records may have changed."""
        self.bodies_edition += 1
        if self.run.world is not _NONE:
            self.run.end()

    def write(self) -> None:
        """Create the missing records."""
        if not self.chosen:
            return
        first, count = self.written, len(self.chosen)
        self._use(first + count)
        chosen = np.array(self.chosen, np.int64)
        begins = [begin for begin, _, _ in self.runs]
        surfaces = list({id(surface): surface for _, _, surface in self.runs}.values())
        if len(surfaces) == 1:
            numbers = np.zeros(count, np.int64)
        else:
            places = {id(surface): place for place, surface in enumerate(surfaces)}
            numbers = np.repeat([places[id(surface)] for _, _, surface in self.runs], np.diff([*begins, count]))
        records = np.zeros(len(surfaces), GIVEN_SURFACE)
        for place, surface in enumerate(surfaces):
            records[place] = self.row_of(surface), surface.direction1 or _NO_DIRECTION
        if any(getattr(surface, "spring", None) for surface in surfaces):
            for row, place in enumerate(numbers.tolist(), first):
                self.note_spring(row, surfaces[place])
        at = 0
        while at < len(begins):
            source, begin = self.runs[at][1], begins[at]
            while at < len(begins) and self.runs[at][1] is source:
                at += 1
            end = begins[at] if at < len(begins) else count
            part = chosen[begin:end], numbers[begin:end], records
            make_contact_joints(self.store.tables, first + begin, source.points, source.bodies, *part)
        self.written = first + count
        self.chosen.clear()
        self.runs.clear()
        self.run.end()

    def row_of(self, surface: Any) -> tuple[float, ...]:
        """Row of a surface; surfaces of the C names and of PyODE have no spring."""
        row: tuple[float, ...] = surface.row_at(self.world._step_size) if hasattr(surface, "row_at") else surface.row
        return row

    def note_spring(self, row: int, surface: Any) -> None:
        """Convert the spring of a contact again when the step size changes."""
        if getattr(surface, "spring", None):
            self.sprung[row] = surface

    def follow_step(self) -> None:
        """Called when the step size changes."""
        for row, surface in self.sprung.items():
            self.put_surface(row, surface)

    def put_surface(self, row: int, surface: Any) -> None:
        """Let a joint have this surface."""
        mode, _, mu, mu2, bounce, bounce_velocity, *details = self.row_of(surface)
        self.store[CONTACTS]["surface"][row] = mode, row, mu, mu2, bounce, bounce_velocity
        self.store[CONTACT_DETAILS][row] = *details, surface.direction1 or _NO_DIRECTION, _NO_DIRECTION

    def source_of(self, at: int) -> FoundContacts:
        """Source of the point with number `at` in `chosen`."""
        found: FoundContacts = next(source for begin, source, _ in reversed(self.runs) if begin <= at)
        return found

    # -- joints one by one -----------------------------------------------------------------------------------------

    def add(self, joint: ContactJoint, group: JointGroup | None) -> int:
        """Row of a new joint, with a zeroed record."""
        self.store.require_idle()
        self.write()
        note_change()
        self._note_group(group)
        row = self.count
        self._use(row + 1)
        self._zero(row)
        self.joints.append(joint)
        self.written = row + 1
        self.run.end()  # its points would come before the joint
        return row

    def _note_group(self, group: JointGroup | None) -> None:
        if group is not None:
            group._know(self)
        self._common_group = group if not self.noted_joints or group is self._common_group else _SEVERAL

    def give_back(self, row: int) -> None:
        """Free the row of a destroyed joint."""
        self.store.require_idle()
        self.write()
        note_change()
        self.pairs.forget_contacts()
        self._zero(row)
        self.sprung.pop(row, None)
        joints = self.noted_joints
        joint = joints[row]
        if joint is not None:
            self.part_with(joint)
        joints[row] = None
        while joints and joints[-1] is None:
            joints.pop()
        self.written = len(joints)
        self._use(self.written)
        self._come_forward()

    def note_attached(self, joint: Joint) -> None:
        """Another joint was attached, after all contact joints that there are."""
        if self.count:
            self.behind[joint] = self.count

    def _come_forward(self) -> None:
        """Let joints that were attached after destroyed contact joints come before those that take their rows."""
        if self.behind and max(self.behind.values()) > self.written:
            self.behind.update({joint: min(row, self.written) for joint, row in self.behind.items()})
            self.world._orders_stale = True

    def _use(self, rows: int) -> None:
        """Let there be so many joints, each with its details in the same row."""
        self.store.use(CONTACTS, rows)
        self.store.use(CONTACT_DETAILS, rows)
        self.store.use(MANIFOLDS, 0)  # those of the last step are written over

    def _zero(self, row: int) -> None:
        for table in (CONTACTS, CONTACT_DETAILS):
            self.store.clear(table, row)
        self.store[CONTACTS]["surface"]["detail"][row] = row

    def bodies_of(self, row: int) -> tuple[Body | None, Body | None]:
        """The bodies of a joint, in the given order."""
        record, bodies = self.store[CONTACTS][row], self.world._bodies
        one, other = bodies.get(int(record["body0"])), bodies.get(int(record["body1"]))
        return (other, one) if record["flags"] & REVERSED else (one, other)

    def set_bodies(self, row: int, body1: Body | None, body2: Body | None) -> None:
        """Attach a joint to these bodies."""
        self.pairs.forget_contacts()
        self.changes += 1
        first, second = (body2, None) if body1 is None else (body1, body2)
        record = self.store[CONTACTS][row]
        record["body0"] = 0 if first is None else first._row
        record["body1"] = 0 if second is None else second._row
        turned = REVERSED if body1 is None and body2 is not None else 0
        record["flags"] = record["flags"] & (ALIVE | ENABLED) | turned
        record["row_count"] = 0  # its rows, and so its feedback, will be used by others

    # -- all of them -----------------------------------------------------------------------------------------------

    def empty_group(self, group: JointGroup) -> None:
        """Destroy the joints of a group."""
        if self._common_group is not group:
            for joint in reversed(self.of_group(group)):
                joint.destroy()
            return
        self.store.require_idle()
        note_change()
        count = self.count
        strengths = self.world._strengths
        for joint in self.living() if strengths else ():
            strengths.pop(joint, None)
        self.joints.clear()
        for handles in filter(None, (self.shown, self.spare)):  # in this order: those of the other API may hold ours
            handles.release(count)
        self.chosen.clear()
        self.runs.clear()
        self.sprung.clear()
        self.pairs.forget_contacts()
        self.written = 0
        self._use(0)
        self._come_forward()
        self._common_group = _NONE
        self.run.end()

    def of_group(self, group: JointGroup) -> list[ContactJoint]:
        """The joints of a group, oldest first."""
        return [joint for joint in self.living() if joint._group is group]

    def living(self) -> list[ContactJoint]:
        """All joints, oldest first."""
        return [joint for joint in self.noted_joints if joint is not None]

    def of_body(self, body: int) -> list[ContactJoint]:
        """The joints of a body, oldest first."""
        if not self.noted_joints:
            return []
        self.write()
        records = self.store[CONTACTS][: self.written]
        rows = np.flatnonzero((records["body0"] == body) | (records["body1"] == body)).tolist()
        return [joint for row in rows if (joint := self.noted_joints[row]) is not None]

    @staticmethod
    def are_excluded(kinds: tuple[Any, ...]) -> bool:
        """Whether contact joints are among some kinds of joints."""
        return bool(kinds) and issubclass(ContactJoint, kinds)
