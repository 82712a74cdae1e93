"""Springs that follow the step size: stiffness and damping, converted to ERP and CFM for each step size.

A joint's own ERP and CFM, those of its stops, those of a suspension, and the world's may be a spring. Whenever the step size
changes, `follow_step` converts all springs (`softness`: erp = h k / (h k + c), cfm = 1 / (h k + c)) and writes the results to the
ERP and CFM fields that kernels read. Springs of contacts are in `surfaces` and `contact_rows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from opendynamics.api import checks
from opendynamics.api.member import Member, note_change
from opendynamics.api.softness import Softness, softness
from opendynamics.api.suggestions import explain_calls
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.worlds import WORLDS

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint

# Place of a spring in a joint: its own ERP and CFM; other numbers are the axis of the stops.
OWN = -1
PLACES = range(OWN, JOINTS.dtype["limits"].shape[0])


@explain_calls
class Spring(NamedTuple):
    """A spring and a damper, independent of the step size.

    Attributes:
        stiffness: N/m, or N m/rad about an axis.
        damping: N s/m, or N m s/rad.
    """

    stiffness: float
    damping: float

    def softness(self, h: float) -> Softness:
        """ERP and CFM for steps of h s."""
        return softness(self.stiffness, self.damping, h)


Springs: TypeAlias = "dict[tuple[Joint | None, int], Spring]"


def checked_spring(label: str, stiffness: Any, damping: Any) -> Spring:
    """The spring of `label` with these numbers; None counts as 0."""
    k = checks.not_negative(f"the stiffness {label}", 0.0 if stiffness is None else stiffness)
    c = checks.not_negative(f"the damping {label}", 0.0 if damping is None else damping)
    if k + c == 0.0:
        raise ValueError(f"a spring {label} needs a stiffness or a damping above 0: with neither, nothing holds")
    return Spring(k, c)


def given_spring(label: str, stiffness: Any, damping: Any) -> Spring | None:
    """The spring of two keyword arguments, None if neither was given."""
    return None if stiffness is None and damping is None else checked_spring(label, stiffness, damping)


def set_spring(joint: Joint, place: int, spring: Spring, h: float | None) -> None:
    """Set a spring of a joint: for every step size, or, with `h`, as fixed ERP and CFM for that one."""
    joint._row  # noqa: B018
    world = joint._world
    if h is not None:
        soft = spring.softness(h)
        forget_spring(joint, place)
        _write(joint, place, soft)
    else:
        note_change()
        world._springs[joint, place] = spring
        if world._step_size:
            _write(joint, place, spring.softness(world._step_size))
    joint._wake_bodies()


def spring_of(joint: Joint, place: int) -> Spring | None:
    """Spring at a place of a joint; None: its ERP and CFM were set directly."""
    joint._row  # noqa: B018
    return joint._world._springs.get((joint, place))


def forget_spring(joint: Joint, place: int) -> None:
    """Remove a spring, since its ERP or CFM is set directly."""
    springs = joint._world._springs
    if (joint, place) in springs:
        note_change()
        del springs[joint, place]


def forget_springs(joint: Joint) -> None:
    """Remove a destroyed joint's springs."""
    note_change()
    for place in PLACES:
        joint._world._springs.pop((joint, place), None)


def inherit_spring(joint: Joint) -> None:
    """Give a new joint the spring of its world, if the world has one."""
    world = joint._world
    spring = world._springs.get((None, OWN))
    if spring is None:
        return
    from opendynamics.api.world_settings import DEFAULTS

    limits = joint._store[JOINTS][joint._row]["limits"]
    limits["cfm"] = DEFAULTS["cfm"]  # of motors, which are not springs
    note_change()
    world._springs |= {(joint, place): spring for place in PLACES}
    if world._step_size:
        for place in PLACES:
            _write(joint, place, spring.softness(world._step_size))


def _write(joint: Joint, place: int, soft: Softness) -> None:
    """Write ERP and CFM without waking anything: a new step size is no change of the joint."""
    joint._rows.changes += 1
    record = joint._store[JOINTS][joint._row]
    if place == OWN:
        record["erp"], record["cfm"] = soft
    else:
        limit = record["limits"][place]
        limit["stop_erp"], limit["stop_cfm"] = soft


class Springy(Member):
    """Mixin of a world with the springs of its joints and its own."""

    _springs: Springs

    def set_spring(self: Any, stiffness: float, damping: float, h: float | None = None) -> None:
        """Make all joints springs with dampers: sets `erp` and `cfm`.

        The spring is the same at every step size: ERP and CFM are converted at the start of a step, and read as in the last
        step. Joints created afterwards, and their stops, inherit it. Setting `erp` or `cfm` ends it; the other one keeps its
        value. Contacts are springs if their Surface has `stiffness` and `damping`.

        Args:
            stiffness: N/m along, and N m/rad about the axes of joints.
            damping: N s/m, and N m s/rad.
            h: step size, s, for which ERP and CFM are set once; by default the spring follows each step's own size.
        """
        spring = checked_spring(f"of {self._say('the spring')}", stiffness, damping)
        if h is not None:
            self.erp, self.cfm = spring.softness(h)
            return
        note_change()
        self._springs[None, OWN] = spring
        if self._step_size:
            self._write_spring(spring.softness(self._step_size))

    @property
    def spring(self) -> Spring | None:
        """The spring of `set_spring`; None by default: `erp` and `cfm` are set directly."""
        return self._springs.get((None, OWN))

    def _write_spring(self: Any, soft: Softness) -> None:
        settings = self._store[WORLDS][0]
        settings["erp"], settings["cfm"] = soft

    def _forget_spring(self) -> None:
        """Remove the world's spring, since its ERP or CFM is set directly."""
        if (None, OWN) in self._springs:
            note_change()
            del self._springs[None, OWN]

    def _follow_step(self: Any, h: float) -> None:
        """Convert all springs after a change of the step size."""
        self.surfaces._follow_step(h)
        self._contact_rows.follow_step()
        for (joint, place), spring in self._springs.items():
            if joint is None:
                self._write_spring(spring.softness(h))
            else:
                _write(joint, place, spring.softness(h))
