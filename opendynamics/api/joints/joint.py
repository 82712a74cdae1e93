"""Joint: base class of all joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing, rotation
from opendynamics.api.body import Body
from opendynamics.api.breaking import Breakable
from opendynamics.api.frame import turned, turned_back
from opendynamics.api.handle import Handle
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joint_order import add_in_order
from opendynamics.api.member import note_change, set_first
from opendynamics.api.rows import Rows
from opendynamics.api.springs import (
    OWN,
    Spring,
    checked_spring,
    forget_spring,
    forget_springs,
    given_spring,
    inherit_spring,
    set_spring,
    spring_of,
)
from opendynamics.api.suggestions import explain_calls, explain_own_calls
from opendynamics.api.types import JointOptions
from opendynamics.api.waking import some_asleep
from opendynamics.api.world_settings import WorldSettings
from opendynamics.core.arrays import joints as layout
from opendynamics.core.arrays.joints import JOINT_KERNEL, JOINT_KERNELS, JOINTS
from opendynamics.core.arrays.store import column, put_numbers
from opendynamics.core.arrays.table import Table
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.families import JOINTS as FAMILY
from opendynamics.core.families import joint_addresses
from opendynamics.core.update.feedback import sum_feedback

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.joints.limit_motor import LimitMotor
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]


# Table rows as doubles, and the offsets of anchors, axes and the relative orientation.
_JOINT, _AXIS = JOINTS.dtype.itemsize // 8, (column(JOINTS, "axis0"), column(JOINTS, "axis1"))
_ANCHOR, _RELATIVE = (column(JOINTS, "anchor0"), column(JOINTS, "anchor1")), column(JOINTS, "relative")
assert _ANCHOR[1] == _ANCHOR[0] + 3

# The same in 32-bit numbers.
_ERP, _CFM = column(WORLDS, "erp"), column(WORLDS, "cfm")
_FLAGS, _BODY0, _BODY1 = (column(JOINTS, field, 4) for field in ("flags", "body0", "body1"))
_ROW_COUNT = column(JOINTS, "row_count", 4)


@cache
def _measure_of(kind: str) -> Any:
    """The compiled function that measures joints of a kind."""
    measure = FAMILY[kind].measure
    measure.load()
    return measure.call


def set_first_values(records: Any, kind: str, settings: Any, like_ode: bool) -> None:
    """Initialise zeroed records of joints: enabled, the world's ERP and CFM, axes along x, no stops and motors."""
    records["kind"] = FAMILY[kind].KIND
    records["flags"] = layout.ALIVE | layout.ENABLED | (layout.ODES_RULES if like_ode else 0)
    records["erp"], records["cfm"] = settings["erp"], settings["cfm"]
    records["axis0"] = records["axis1"] = (1.0, 0.0, 0.0)
    records["relative"] = (1.0, 0.0, 0.0, 0.0)
    limits = records["limits"]
    limits["low"], limits["high"] = -np.inf, np.inf
    limits["fudge"] = 1.0
    limits["cfm"] = limits["stop_cfm"] = settings["cfm"]
    limits["stop_erp"] = settings["erp"]


@cache
def _first_record(kind: str, erp: float, cfm: float, like_ode: bool) -> bytes:
    record = np.zeros(1, JOINTS.dtype)
    set_first_values(record, kind, {"erp": erp, "cfm": cfm}, like_ode)
    return record.tobytes()


@explain_calls
@dataclass(frozen=True)
class Feedback:
    """Forces, N, and torques about the centres of mass, N m, of a joint in the last step, in the world frame.

    Attributes:
        force1, torque1: on the joint's first body, or its only one; shape (3,).
        force2, torque2: on its second body; zero without one.
    """

    force1: Array
    torque1: Array
    force2: Array
    torque2: Array


@explain_calls
class Joint(Breakable, Handle):
    """A joint between two bodies, or between a body and the static world (None).

    Args:
        world: the joint's world.
        body1, body2: the bodies; both None: not attached yet, see `attach`.
        group: a JointGroup to put it into.
        name: the name used in messages and by `world.find`.
    """

    __slots__ = ("_bodies", "_group", "_world")

    _bodies: tuple[Body | None, Body | None]
    _group: JointGroup | None
    _world: World

    _noun = "joint"
    _table: ClassVar[Table] = JOINTS
    kind: ClassVar[str]  # file name in core/constrain/joints

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        explain_own_calls(cls)

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        group: JointGroup | None = None,
        name: str | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:  # the aliases, declared for type checkers, have been replaced by names
            raise TypeError(f"a joint has no argument {next(iter(unknown))!r}")
        self._require_world(world)
        checks.require_name(f"the name of a {self.kind} joint", name)
        self._require_bodies(world, body1, body2)
        self._require_group(group)
        super().__init__(self._rows_in(world), name)
        set_first(self, "_world", world)
        set_first(self, "_bodies", (None, None))
        set_first(self, "_group", group)
        note_change()
        add_in_order(world._joints, world._contact_rows.living(), self)
        if group is not None:
            group._add(self)
        self._set_defaults()
        if body1 is not None or body2 is not None:
            self._join(body1, body2)

    @classmethod
    def _rows_in(cls, world: World) -> Rows:
        return world._joint_rows

    def _set_defaults(self) -> None:
        """The values of a new joint."""
        store, at = self._rows.store, self._index * JOINTS.dtype.itemsize
        settings = store.doubles[WORLDS]
        first = _first_record(self.kind, settings[_ERP], settings[_CFM], self._world.like == "ode")
        store.bytes[JOINTS][at : at + len(first)] = first
        self._know_kind()
        inherit_spring(self)

    def _know_kind(self) -> None:
        """Register the kernels of this kind of joint."""
        kind = FAMILY[self.kind].KIND
        if not self._store.longs[JOINT_KERNELS][len(JOINT_KERNEL) * kind]:
            kernels = self._store[JOINT_KERNELS][kind]
            count, kernels["fill"] = joint_addresses(kind)
            kernels["hard_rows"] = getattr(FAMILY.by_kind[kind], "HARD_ROWS", 0)
            kernels["count"] = count  # last, as other threads check it

    def _reinstated(self) -> None:
        self._know_kind()

    @property
    def _record(self) -> Any:
        """The record, for writing."""
        self._rows.changes += 1
        self._wake_bodies()
        return self._store[self._table][self._row]

    @property
    def _values(self) -> Any:
        """The record, for reading."""
        return self._store[self._table][self._row]

    def _wake_bodies(self) -> None:
        """Called before a change of the joint: wake its bodies."""
        if some_asleep(self._store):
            for body in self._bodies:
                if body is not None:
                    body._wake()

    @classmethod
    def _require_world(cls, world: Any) -> None:
        if not hasattr(cls, "kind"):
            raise TypeError(
                "Joint is the base class of all joints; create one of a derived class, such as world.add_hinge(...)"
            )
        if not isinstance(world, WorldSettings):
            raise TypeError(f"a {cls.kind} joint lives in a World, not in {world!r}")

    @classmethod
    def _is_like_ode(cls, world: World, like_ode: Any) -> bool:
        """Whether a new joint is ODE's: as given, or else as its world is."""
        cls._require_world(world)
        return world.like == "ode" if like_ode is None else checks.flag(f"like_ode of a {cls.kind} joint", like_ode)

    @staticmethod
    def _require_bodies(world: World, body1: Body | None, body2: Body | None) -> None:
        for body in (body1, body2):
            if body is None:
                continue
            if not isinstance(body, Body):
                raise TypeError(f"a joint joins bodies, or None for the static world, not {body!r}")
            if body.world is not world:
                raise ValueError(f"{body.name} lives in another world than the joint; joints stay within one world")
        if body1 is body2 and body1 is not None:
            raise ValueError(f"a joint cannot join {body1.name} to itself")

    @staticmethod
    def _require_group(group: Any) -> None:
        if group is not None and not isinstance(group, JointGroup):
            raise TypeError(f"the group of a joint must be a JointGroup, not {group!r}")

    def _described(self) -> str:
        return describing.joint(self)

    # -- bodies ----------------------------------------------------------------------------------------------------

    def _saved_with(self) -> World | None:
        return self._world if self.alive else None

    @property
    def world(self) -> World:
        """The joint's world."""
        self._row  # noqa: B018
        return self._world

    @property
    def bodies(self) -> tuple[Body | None, Body | None]:
        """The joint's two bodies, in the given order; None is the static world."""
        self._row  # noqa: B018
        return self._bodies

    @property
    def limit_motors(self) -> tuple[LimitMotor, ...]:
        """Stops and motor of each axis that can have them, in ODE's order of parameter groups."""
        return ()

    @property
    def group(self) -> JointGroup | None:
        """The group that destroys the joint."""
        self._row  # noqa: B018
        return self._group

    @property
    def reversed(self) -> bool:
        """Whether the first body is None and the second is not."""
        self._row  # noqa: B018
        return self._bodies[0] is None and self._bodies[1] is not None

    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Attach the joint to other bodies, with their current poses as rest position; two Nones detach the joint."""
        self._row  # noqa: B018
        self._require_bodies(self._world, body1, body2)
        self._detach()
        if body1 is not None or body2 is not None:
            self._join(body1, body2)

    def _join(self, body1: Body | None, body2: Body | None) -> None:
        """Attach an unattached joint to checked bodies, at their current poses."""
        self._link(body1, body2)
        self._note_rest_position()

    def _link(self, body1: Body | None, body2: Body | None) -> None:
        """`_join` without the rest position."""
        set_first(self, "_bodies", (body1, body2))  # the change is counted below
        first, second = (body2, None) if body1 is None else (body1, body2)
        assert first is not None
        record, at = self._changing_words()
        record[at + _BODY0] = first._row
        record[at + _BODY1] = 0 if second is None else second._row
        flags = record[at + _FLAGS] & ~layout.REVERSED
        record[at + _FLAGS] = flags | layout.REVERSED if body1 is None else flags
        note_change()
        for body in (first, second):
            if body is not None:
                body._list_joint(self)
        self._listed(True)
        self._note_pair(1)

    def _detach(self) -> None:
        """Detach the joint from its bodies."""
        note_change()
        self._wake_bodies()
        for body in self._bodies:
            if body is not None:
                body._joints.pop(self, None)
        self._note_pair(-1)
        self._bodies = (None, None)
        record, at = self._changing_words()
        record[at + _BODY0] = record[at + _BODY1] = 0
        record[at + _ROW_COUNT] = 0  # its rows, and so its feedback, will be used by others
        self._listed(False)

    def _changing_words(self) -> tuple[memoryview, int]:
        """The joints' records as 32-bit numbers, writable, and the offset of this one."""
        self._rows.changes += 1
        self._wake_bodies()
        return self._rows.store.words[JOINTS], 2 * _JOINT * self._row

    def _put(self, at: int, numbers: Sequence[float]) -> None:
        """Write doubles of the record at offset `at`."""
        self._rows.changes += 1
        self._wake_bodies()
        put_numbers(self._rows.store.doubles[JOINTS], _JOINT * self._row + at, numbers)

    def _get_three(self, at: int) -> tuple[float, float, float]:
        """Three doubles of the record at offset `at`."""
        at += _JOINT * self._row
        x, y, z = self._rows.store.doubles[JOINTS][at : at + 3]
        return x, y, z

    def _listed(self, attached: bool) -> None:
        """Add the joint to those that a step processes, or remove it."""
        note_change()
        if attached:
            self._world._attached[self] = None
            self._world._contact_rows.note_attached(self)
        else:
            self._world._attached.pop(self, None)
            self._world._contact_rows.behind.pop(self, None)
        if not self._world._orders_stale:
            self._world._orders_stale = True

    def _note_pair(self, change: int) -> None:
        """Count the joint (1), or no longer (-1), as connecting its bodies."""
        one, other = self._bodies
        if one is not None and other is not None:
            self._world._contact_rows.pairs.note_joint(one._row, other._row, change)

    def _lose_body(self, body: Body) -> None:
        """Detach the joint when one of its bodies is destroyed, as in ODE."""
        self._detach()

    def _note_rest_position(self) -> None:
        """Store the bodies' current poses as the rest position."""

    @property
    def enabled(self) -> bool:
        """Whether the joint is active. True by default."""
        return bool(self._values["flags"] & layout.ENABLED)

    @enabled.setter
    def enabled(self, value: bool) -> None:
        on = checks.flag(self._say("enabled"), value)
        record = self._record
        flags = int(record["flags"])
        record["flags"] = flags | layout.ENABLED if on else flags & ~layout.ENABLED

    def destroy(self) -> None:
        """Remove the joint."""
        row = self._row
        self._store.require_idle()
        self._detach()
        if self._group is not None:
            self._group._drop(self)
        self._world._joints.pop(self, None)
        self._world._strengths.pop(self, None)
        if self._world._means is not None:
            self._world._means.forget(row)
        forget_springs(self)
        self._rows.give_back(row)

    # -- feedback and measurements ---------------------------------------------------------------------------------

    @property
    def feedback(self) -> Feedback:
        """Forces and torques of the last step; zero if the joint was not part of it.

        With `world.substeps`, they are means over the step; those of a contact joint are of the last sub-step.
        """
        record = self._values
        numbers = np.zeros(12)
        sum_feedback(self._store.tables, int(record["first_row"]), int(record["row_count"]), numbers)
        if record["body1"] == 0:
            numbers[6:] = 0.0
        return Feedback(*numbers.reshape(4, 3))

    def _measure(self, what: int) -> float:
        """Coordinate `what // 2` of the joint (even) or its rate (odd)."""
        self._require_attached()
        return float(_measure_of(self.kind)(self._rows.store.tables, self._index, what))

    def _require_attached(self) -> None:
        self._row  # noqa: B018
        if self._bodies == (None, None):
            raise ValueError(f"{self.name} joins nothing; attach it to a body first")

    # -- frames of the two bodies ----------------------------------------------------------------------------------

    @property
    def _inner_bodies(self) -> tuple[Body, Body | None]:
        """The bodies in the kernels' order: the first is never the static world."""
        self._require_attached()
        body1, body2 = self._bodies
        if body1 is None:
            assert body2 is not None
            return body2, None
        return body1, body2

    def _set_anchors(self, point: Any) -> None:
        """Set both anchors to a point of the world frame."""
        (x, y, z), (first, second) = point, self._inner_bodies
        inside = (x, y, z) if second is None else second._point_inside(x, y, z)
        self._put(_ANCHOR[0], (*first._point_inside(x, y, z), *inside))

    def _set_anchor(self, which: int, point: Any) -> None:
        """Set the anchor on the first (0) or second (1) inner body to a point of the world frame."""
        body = self._inner_bodies[which]
        self._put(_ANCHOR[which], point if body is None else body._point_inside(*point))

    def _anchor(self, which: int) -> Array:
        """The anchor on the first (0) or second (1) inner body, in the world frame."""
        return np.array(self._anchor_numbers(which))

    def _anchor_numbers(self, which: int) -> Sequence[float]:
        """The same as three numbers."""
        body, local = self._inner_bodies[which], self._get_three(_ANCHOR[which])
        return local if body is None else body._point_outside(*local)

    def _rest_anchor(self, which: int) -> Sequence[float]:
        """Initial anchor of an attached joint, in the world frame: that of the first (0) or second (1) inner body.

        On the static world it is the origin in worlds like ODE, otherwise the other body's anchor.
        """
        at_world = self._inner_bodies[which] is None
        return self._anchor_numbers(0 if at_world and self._world.like != "ode" else which)

    def _set_axes(self, axis: Any) -> None:
        """Set both axes to a unit vector of the world frame."""
        self._set_axis(0, axis)
        self._set_axis(1, axis)

    def _set_axis(self, which: int, axis: Any) -> None:
        """Set the axis on the first (0) or second (1) inner body to a unit vector of the world frame."""
        body = self._inner_bodies[which]
        self._put(_AXIS[which], axis if body is None else turned_back(body._turn.tolist(), *axis))

    def _axis(self, which: int) -> Array:
        """The axis on the first (0) or second (1) inner body, in the world frame."""
        return np.array(self._axis_numbers(which))

    def _axis_numbers(self, which: int) -> tuple[float, float, float]:
        """The same as three numbers."""
        body, local = self._inner_bodies[which], self._get_three(_AXIS[which])
        return local if body is None else turned(body._turn.tolist(), *local)

    def _note_relative_orientation(self) -> None:
        first, second = self._inner_bodies
        w, x, y, z = first._quaternion_numbers()
        q = w, -x, -y, -z
        self._put(_RELATIVE, q if second is None else rotation.product(q, second._quaternion_numbers()))

    def _add_torque_pair(self, torque: Array) -> None:
        """Add a torque to body1 and the opposite one to body2, N m, in the world frame, for the next step."""
        self._require_attached()
        for body, vector in zip(self._bodies, (torque, -torque), strict=True):
            if body is not None:
                body.add_torque(vector)

    def _add_force_pair(self, force: Array) -> None:
        """Add a force to body1 and the opposite one to body2, N, in the world frame, for the next step."""
        self._require_attached()
        for body, vector in zip(self._bodies, (force, -force), strict=True):
            if body is not None:
                body.add_force(vector)

    def _inner(self, which: int) -> int:
        """Which inner body the user's first (0) or second (1) body is."""
        return 1 - which if self.reversed else which


def require_bodies_to_place(what: str, body1: Any, body2: Any, *places: Any) -> None:
    """ValueError for a detached joint: anchors and axes are fixed to bodies."""
    if body1 is None and body2 is None and any(place is not None for place in places):
        raise ValueError(f"{what} that joins nothing has no anchor and no axes; attach it to a body first")


class OwnSoftness(Joint):
    """A joint with its own ERP and CFM, or a spring and a damper instead.

    Args:
        world, body1, body2: see `Joint`.
        stiffness, damping: of the spring, see `set_spring`; by default rigid, with the world's ERP and CFM.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        stiffness: float | None = None,
        damping: float | None = None,
        **options: Unpack[JointOptions],
    ) -> None:
        spring = given_spring(f"of a {self.kind} joint", stiffness, damping)
        super().__init__(world, body1, body2, **options)
        if spring is not None:
            set_spring(self, OWN, spring, None)

    @property
    def erp(self) -> float:
        """Error reduction parameter of this joint; by default the world's when the joint was made."""
        return float(self._values["erp"])

    @erp.setter
    def erp(self, value: float) -> None:
        erp = checks.usual_fraction(self._say("the ERP"), value)
        forget_spring(self, OWN)
        self._record["erp"] = erp

    @property
    def cfm(self) -> float:
        """Constraint force mixing of this joint; by default the world's when the joint was made."""
        return float(self._values["cfm"])

    @cfm.setter
    def cfm(self, value: float) -> None:
        cfm = checks.usual(self._say("the CFM"), value)
        forget_spring(self, OWN)
        self._record["cfm"] = cfm

    def set_spring(self, stiffness: float, damping: float, h: float | None = None) -> None:
        """Make the joint a spring with a damper: sets `erp` and `cfm`.

        The spring is the same at every step size: ERP and CFM are converted at the start of a step, and read as in the last step.
        Setting `erp` or `cfm` afterwards ends the spring; the other one keeps its value.

        Args:
            stiffness: N/m, or N m/rad.
            damping: N s/m, or N m s/rad.
            h: step size, s, for which ERP and CFM are set once; optional.
        """
        set_spring(self, OWN, checked_spring(f"of {self.name}", stiffness, damping), h)

    @property
    def spring(self) -> Spring | None:
        """The spring of `set_spring`; None by default: `erp` and `cfm` are set directly."""
        return spring_of(self, OWN)
