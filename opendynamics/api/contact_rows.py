"""Contact joints of a world: ODE's loop creates and destroys thousands of them per step.

Nearly all are made of a contact point of a collision; such a joint starts as a number in a list. `write` creates the records of
all of them by one compiled call, before a step and before anything reads the records. Consecutive joints of the same collision,
with the same surface and in the same group, form a run: only its first joint is checked.

Handles of an emptied group are reused for the same rows, except those that are referenced elsewhere or were changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice, repeat
from sys import getrefcount
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import getweakrefcount

import numpy as np

from opendynamics.api.body_pairs import BodyPairs
from opendynamics.api.contact_run import NO_RUN as _NONE
from opendynamics.api.contact_run import ContactRun
from opendynamics.api.found_contacts import FoundContacts
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import ContactJoint, new_joint, set_place
from opendynamics.api.member import Member, note_change
from opendynamics.core.arrays.contacts import ALIVE, CONTACTS, ENABLED, REVERSED
from opendynamics.core.arrays.store import Store
from opendynamics.core.collide.contact_joints import CONTACT_SURFACE, make_contact_joints

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.surface import Surface
    from opendynamics.api.world import World

_SEVERAL: Any = object()
_NO_DIRECTION = (0.0, 0.0, 0.0)
_UNHELD = next(map(getrefcount, islice([object()], 1)))  # references of an object that only one list holds


class ContactRows(Member):
    """Allocates rows of the contacts table in creation order; freed rows are reused only from the end.

    Attributes:
        joints: the joint of each row; None: it was destroyed.
        written: how many of them have their records.
        chosen: for the others, the number of the contact point in its source; ~number: not attached yet.
        bodies_edition: counter, increased when bodies are destroyed or geoms change bodies.
        runs: the number of the first in `chosen`, source and surface of each run of these.
        pairs: pairs of bodies connected by joints.
        sprung: by row, the surfaces whose contacts are springs.
        changes: counter of rows handed out for writing.
        run: source of the next joint, if it is like the last one.
        spare: handles of the rows from the first on, for joints in `spare_group`; those of rows in use belong to joints.
    """

    __slots__ = (
        *("_common_group", "bodies_edition", "changes", "chosen", "joints", "pairs", "run", "runs"),
        *("spare", "spare_group", "sprung", "store", "world", "written"),
    )

    _transient: ClassVar[dict[str, Any]] = {
        "_common_group": lambda: _SEVERAL,
        "pairs": BodyPairs,
        "runs": list,
        "bodies_edition": int,
        "changes": int,
        "chosen": list,
        "run": ContactRun,
        "spare": list,
        "spare_group": lambda: _NONE,
    }

    def __init__(self, world: World, store: Store) -> None:
        self.world = world
        self.store = store
        self.joints: list[ContactJoint | None] = []
        self.written = 0
        self.bodies_edition = self.changes = 0
        self.chosen: list[int] = []
        self.runs: list[tuple[int, FoundContacts, Any]] = []
        self.sprung: dict[int, Surface] = {}
        self.run = ContactRun()
        self._common_group = _NONE  # of all joints
        self.spare: list[ContactJoint] = []
        self.spare_group: Any = _NONE
        self.pairs = BodyPairs(self)

    def _reinstated(self) -> None:
        self.chosen.clear()
        self.runs.clear()
        self.spare, self.spare_group = [], _NONE
        self.pairs = BodyPairs(self)
        self._common_group = _SEVERAL if self.joints else _NONE
        self.end_run()

    @property
    def count(self) -> int:
        """Rows in use."""
        return len(self.joints)

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
        self.runs.append((len(self.chosen), source, surface))
        run = self.run
        if not self.joints:
            run.ordered = source if source.once else None
            if group is not self.spare_group:
                self.spare, self.spare_group = [], group
        elif run.ordered is not source:
            run.ordered = None
        run.world, run.source, run.surface, run.group = self.world, source, surface, group
        run.take_joints(self.joints, self.chosen, self.spare)
        run.look_closer()
        run.forget_given()
        return True

    def add_point(
        self, source: FoundContacts, k: int, surface: Any, group: Any, *, joined: bool
    ) -> ContactJoint | None:
        """Add a joint of point k of `source`, not attached yet unless `joined`; None: it must be checked."""
        run, joints, chosen = self.run, self.joints, self.chosen
        begun = source is run.source and surface is run.surface and group is run.group
        if not (begun or self.begin_run(source, surface, group)):
            return None
        if chosen and k <= max(chosen[-1], ~chosen[-1]):
            run.ordered = None
        row = len(joints)
        if group is self.spare_group:
            self._have_spare(row + len(source.points))
            run.shown, run.next = source.shown_from(k)
            joint = self.spare[row]
        else:
            joint = new_joint(ContactJoint)
            set_place(joint, (self, row, group))
        chosen.append(k if joined else ~k)
        joints.append(joint)
        return joint

    def add_points(self, numbers: Sequence[int]) -> list[ContactJoint]:
        """Add joints of these points of the run's source."""
        first, end = len(self.joints), len(self.joints) + len(numbers)
        if self.run.group is self.spare_group:
            self._have_spare(end)
            made = self.spare[first:end]
        else:
            made = self._handles(range(first, end), self.run.group)
        self.run.ordered = None
        self.run.look_closer()
        self.chosen.extend(numbers)
        self.joints.extend(made)
        return made

    def _have_spare(self, count: int) -> None:
        """Provide spare handles for so many rows."""
        if len(self.spare) < count:
            self.spare += self._handles(range(len(self.spare), count), self.spare_group)

    def _handles(self, rows: range, group: Any) -> list[ContactJoint]:
        """Handles for rows, in a group."""
        made = list(map(new_joint, repeat(ContactJoint, len(rows))))
        deque(map(set_place, made, zip(repeat(self), rows, repeat(group), strict=False)), 0)
        return made

    def part_with(self, joint: ContactJoint) -> None:
        """Remove a handle from the spare ones: it differs from a new one."""
        row = joint._index
        if row < len(self.spare) and self.spare[row] is joint:
            self.spare[row] = new_joint(ContactJoint)
            set_place(self.spare[row], joint._place)

    def _reuse_handles(self, count: int) -> None:
        """Reuse the handles of the first rows, except those that are referenced elsewhere."""
        spare = self.spare
        count = min(count, len(spare))
        unheld = list(map(getrefcount, islice(spare, count))).count(_UNHELD)
        if unheld < count or any(map(getweakrefcount, islice(spare, count))):
            for row in range(count):
                if getrefcount(spare[row]) != _UNHELD or getweakrefcount(spare[row]):
                    self.part_with(spare[row])

    def end_run(self) -> None:
        """End the run: bodies, geoms or records may have changed."""
        self.bodies_edition += 1
        self.run.end()

    def write(self) -> None:
        """Create the missing records."""
        if not self.chosen:
            return
        first, count = self.written, len(self.chosen)
        self.store.use(CONTACTS, first + count)
        chosen = np.array(self.chosen, np.int64)
        begins = [begin for begin, _, _ in self.runs]
        surfaces = list({id(surface): surface for _, _, surface in self.runs}.values())
        places = {id(surface): place for place, surface in enumerate(surfaces)}
        numbers = np.repeat([places[id(surface)] for _, _, surface in self.runs], np.diff([*begins, count]))
        records = np.zeros(len(surfaces), CONTACT_SURFACE)
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
            self.store[CONTACTS][row]["surface"] = self.row_of(surface)

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
        row = len(self.joints)
        self.store.use(CONTACTS, row + 1)
        self._zero(row)
        self.joints.append(joint)
        self.written = row + 1
        self.run.end()  # its points would come before the joint
        return row

    def _note_group(self, group: JointGroup | None) -> None:
        if group is not None:
            group._know(self)
        self._common_group = group if not self.joints or group is self._common_group else _SEVERAL

    def give_back(self, row: int) -> None:
        """Free the row of a destroyed joint."""
        self.store.require_idle()
        self.write()
        note_change()
        self.pairs.forget_contacts()
        self._zero(row)
        self.sprung.pop(row, None)
        joint = self.joints[row]
        if joint is not None:
            self.part_with(joint)
        self.joints[row] = None
        while self.joints and self.joints[-1] is None:
            self.joints.pop()
        self.written = len(self.joints)
        self.store.use(CONTACTS, self.written)

    def _zero(self, row: int) -> None:
        self.store[CONTACTS][row] = np.zeros((), CONTACTS.dtype)

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
        count = len(self.joints)
        self.joints.clear()
        self._reuse_handles(count)
        self.chosen.clear()
        self.runs.clear()
        self.sprung.clear()
        self.pairs.forget_contacts()
        self.written = 0
        self.store.use(CONTACTS, 0)
        self._common_group = _NONE
        self.run.end()

    def of_group(self, group: JointGroup) -> list[ContactJoint]:
        """The joints of a group, oldest first."""
        return [joint for joint in self.living() if joint._group is group]

    def living(self) -> list[ContactJoint]:
        """All joints, oldest first."""
        return [joint for joint in self.joints if joint is not None]

    def of_body(self, body: int) -> list[ContactJoint]:
        """The joints of a body, oldest first."""
        if not self.joints:
            return []
        self.write()
        records = self.store[CONTACTS][: self.written]
        rows = np.flatnonzero((records["body0"] == body) | (records["body1"] == body)).tolist()
        return [joint for row in rows if (joint := self.joints[row]) is not None]

    @staticmethod
    def are_excluded(kinds: tuple[Any, ...]) -> bool:
        """Whether contact joints are among some kinds of joints."""
        return bool(kinds) and issubclass(ContactJoint, kinds)
