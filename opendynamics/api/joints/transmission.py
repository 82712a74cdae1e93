"""Transmission."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.joints.joint import Array, OwnSoftness, require_bodies_to_place
from opendynamics.api.joints.two_axes import TwoAxes, checked_axes
from opendynamics.api.read_only import read_only
from opendynamics.api.types import SpringOptions, Vector
from opendynamics.core.constrain.joints import transmission as layout

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World

MODES = {"parallel": layout.PARALLEL, "intersecting": layout.INTERSECTING, "chain": layout.CHAIN}


class Transmission(TwoAxes, OwnSoftness):
    """Transmission: couples the rotation of two wheels, as spur gears, bevel gears, or sprockets with a chain.

    It does not constrain the wheels' axles; use hinges for that.

    Modes: "parallel", axes along `axis`, body2 makes `ratio` turns for one of body1; "intersecting", axes along `axis1` and
    `axis2`, with the ratio from the wheels' positions; "chain", axes along `axis`, radii `radius1` and `radius2`. Parameters
    that are not given in a mode are computed in the next step from the bodies' poses, and can be read at once.

    Args:
        world: see `Joint`.
        body1, body2: the wheels; both must be bodies. For a wheel at rest use a kinematic body.
        mode: see above.
        anchor1, anchor2: the wheels' centres, m, in the world frame; by default the bodies' origins.
        axis: direction of both axes in the world frame; by default body1's x axis.
        axis1, axis2: directions of the axes in the world frame, in "intersecting" mode.
        ratio: turns of body2 for one of body1, that is radius1/radius2, in "parallel" mode.
        radius1, radius2: of the wheels, m, in "chain" mode; both are required there.
        backlash: play of the contact point, m.
        like_ode: see the property; by default that of the world.
        options: `stiffness`, `damping`: a spring and a damper instead of a rigid joint, see `set_spring`; `group`, `name`.
    """

    __slots__ = ()

    kind = "transmission"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        mode: str = "parallel",
        anchor1: Vector | None = None,
        anchor2: Vector | None = None,
        axis: Vector | None = None,
        axis1: Vector | None = None,
        axis2: Vector | None = None,
        ratio: float | None = None,
        radius1: float | None = None,
        radius2: float | None = None,
        backlash: float = 0.0,
        like_ode: bool | None = None,
        **options: Unpack[SpringOptions],
    ) -> None:
        what = "a transmission joint"
        checks.choice(f"the mode of {what}", mode, tuple(MODES))
        _require_fitting(
            what,
            mode,
            {"axis": axis, "axis1": axis1, "axis2": axis2, "ratio": ratio, "radius1": radius1, "radius2": radius2},
        )
        one = None if anchor1 is None else checks.vector(f"anchor 1 of {what}", anchor1)
        two = None if anchor2 is None else checks.vector(f"anchor 2 of {what}", anchor2)
        along = None if axis is None else checks.direction(f"the axis of {what}", axis)
        axes = checked_axes(what, axis1, axis2)
        if ratio is not None:
            checks.positive(f"the ratio of {what}", ratio)
        if radius1 is not None and radius2 is not None:
            checks.positive(f"radius 1 of {what}", radius1)
            checks.positive(f"radius 2 of {what}", radius2)
        checks.not_negative(f"the backlash of {what}", backlash)
        odes_phases = self._is_like_ode(world, like_ode)
        require_bodies_to_place(what, body1, body2, one, two, along, *axes)
        super().__init__(world, body1, body2, **options)
        self.mode = mode
        self.like_ode = odes_phases
        given = {"anchor1": one, "anchor2": two, "axis": along, "ratio": ratio, "radius1": radius1, "radius2": radius2}
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value)
        if axis1 is not None or axis2 is not None:
            self.set_axes(*axes)
        self.backlash = backlash

    @staticmethod
    def _require_bodies(world: World, body1: Body | None, body2: Body | None) -> None:
        OwnSoftness._require_bodies(world, body1, body2)
        if (body1 is None) != (body2 is None):
            one = body1 if body2 is None else body2
            assert one is not None
            raise ValueError(
                f"a transmission joint joins two bodies, not {one.name} and the static world; "
                "use a kinematic body in place of the world"
            )

    def _set_defaults(self) -> None:
        super()._set_defaults()
        numbers = self._record["numbers"]
        numbers[layout.RATIO] = numbers[layout.FLIP] = 1.0

    def _note_rest_position(self) -> None:
        if self.mode == "intersecting":
            self._forget_given_axes()
        else:
            self._put_axes([self._axis(0)] * 2)

    def _changed(self) -> None:
        """Have the next step recompute the parameters that follow from the wheels' positions."""
        self._record["numbers"][layout.STEP] = 0.0

    # -- mode and positions ----------------------------------------------------------------------------------------

    @property
    def mode(self) -> str:
        """ "parallel", the default, "intersecting" or "chain"."""
        return list(MODES)[list(MODES.values()).index(int(self._values["mode"]) & layout.MODES)]

    @mode.setter
    def mode(self, value: str) -> None:
        checks.choice(self._say("the mode"), value, tuple(MODES))
        self._record["mode"] = (int(self._record["mode"]) & ~layout.MODES) | MODES[value]
        self._changed()
        if self._bodies != (None, None):
            self._note_rest_position()

    @property
    def like_ode(self) -> bool:
        """Whether wheels with parallel axes, offset along them, have ODE's phases instead of the correct ones; False by default.

        ODE's phases are not proportional to the rotation of such wheels: speeds are wrong by some percent, and more for larger
        offsets. True reproduces that, for comparisons.
        """
        return bool(int(self._values["mode"]) & layout.LIKE_ODE)

    @like_ode.setter
    def like_ode(self, value: bool) -> None:
        on = checks.flag(self._say("like_ode"), value)
        mode = int(self._record["mode"])
        self._record["mode"] = mode | layout.LIKE_ODE if on else mode & ~layout.LIKE_ODE
        self._changed()

    @property
    def anchor1(self) -> Array:
        """Centre of the wheel on body1, m, shape (3,), in the world."""
        return read_only(self._anchor(0))

    @anchor1.setter
    def anchor1(self, value: Vector) -> None:
        self._set_anchor(0, checks.vector(self._say("anchor 1"), value))
        self._changed()

    @property
    def anchor2(self) -> Array:
        """Centre of the wheel on body2, m, shape (3,), in the world."""
        return read_only(self._anchor(1))

    @anchor2.setter
    def anchor2(self, value: Vector) -> None:
        self._set_anchor(1, checks.vector(self._say("anchor 2"), value))
        self._changed()

    def _get_axes(self) -> list[Array]:
        # ODE too reverses the first axis, with the first step, if it points against the second.
        numbers = self._values["numbers"]
        flip = float(numbers[layout.FLIP]) if numbers[layout.STEP] else 1.0
        return [flip * self._axis(0), self._axis(1)]

    def _put_axes(self, axes: list[Array], new: tuple[bool, bool] = (True, True)) -> None:
        for which, axis in enumerate(axes):
            self._set_axis(which, axis)
        self._changed()

    def set_axes(self, axis1: Vector | None = None, axis2: Vector | None = None) -> None:
        """Set both axes at once, in the world frame, in "intersecting" mode; None leaves one unchanged.

        Raises ValueError, with nothing changed, if the axes are parallel.
        """
        self._require_mode("axes of their own", "intersecting", "set `axis` for both wheels")
        super().set_axes(axis1, axis2)

    @property
    def axis(self) -> Array:
        """Direction of both axes in the world, shape (3,); x unless given. Settable in the modes "parallel" and "chain"."""
        return read_only(self._get_axes()[0])

    @axis.setter
    def axis(self, value: Vector) -> None:
        direction = np.array(checks.direction(self._say("the axis"), value))
        if self.mode == "intersecting":
            raise ValueError(f"{self.name} in intersecting mode has no common axis; set axis1 and axis2")
        self._require_attached()
        self._put_axes([direction, direction])

    # -- wheels ----------------------------------------------------------------------------------------------------

    @property
    def _found(self) -> Array:
        """The numbers that a step computes, or would compute now; those of the record are unchanged."""
        self._require_attached()
        numbers = self._values["numbers"]
        before = numbers.copy()
        self._measure(0)
        found = read_only(numbers)
        numbers[:] = before
        return found

    @property
    def ratio(self) -> float:
        """radius1/radius2, turns of body2 for one of body1. It can be set in "parallel" mode only; 1 by default."""
        if self.mode == "parallel":
            return float(self._values["numbers"][layout.RATIO])
        return self.radius1 / self.radius2 if self.radius2 > 0.0 else math.inf

    @ratio.setter
    def ratio(self, value: float) -> None:
        self._require_mode("a ratio to set", "parallel", "it follows from where the wheels stand, or from their radii")
        number = checks.positive(self._say("the ratio"), value)
        self._record["numbers"][layout.RATIO] = number
        self._changed()

    @property
    def radius1(self) -> float:
        """Radius of the wheel on body1, m; 0 by default. It can be set in "chain" mode only."""
        return float(self._found[layout.RADIUS])

    @radius1.setter
    def radius1(self, value: float) -> None:
        self._set_radius(0, value)

    @property
    def radius2(self) -> float:
        """Radius of the wheel on body2, m; 0 by default. It can be set in "chain" mode only."""
        return float(self._found[layout.RADIUS + 1])

    @radius2.setter
    def radius2(self, value: float) -> None:
        self._set_radius(1, value)

    def _set_radius(self, which: int, value: float) -> None:
        self._require_mode("radii to set", "chain", "they follow from where the wheels stand")
        number = checks.positive(self._say(f"radius {which + 1}"), value)
        self._record["numbers"][layout.RADIUS + which] = number
        self._changed()

    @property
    def backlash(self) -> float:
        """Play of the contact point to each side, m; 0 by default."""
        return float(self._values["numbers"][layout.BACKLASH])

    @backlash.setter
    def backlash(self, value: float) -> None:
        self._record["numbers"][layout.BACKLASH] = checks.not_negative(self._say("the backlash"), value)

    def _require_mode(self, what: str, mode: str, remedy: str) -> None:
        if self.mode != mode:
            raise ValueError(f"{self.name} has {what} in {mode} mode only, not in {self.mode} mode; {remedy}")

    # -- results of the last step ----------------------------------------------------------------------------------

    @property
    def contact1(self) -> Array:
        """Contact point on the wheel of body1, m, shape (3,), in the world, in the last step."""
        return read_only(self._found[layout.CONTACT : layout.CONTACT + 3])

    @property
    def contact2(self) -> Array:
        """Contact point on the wheel of body2, m, shape (3,), in the world, in the last step."""
        return read_only(self._found[layout.CONTACT + 3 : layout.CONTACT + 6])

    @property
    def angle1(self) -> float:
        """Phase of the wheel on body1 in the last step, rad, unbounded; it decreases as body1 rotates about its axis.

        0 in the first step after mode, positions or radii were set.
        """
        return float(self._found[layout.PHASE])

    @property
    def angle2(self) -> float:
        """Phase of the wheel on body2 in the last step, rad, unbounded; see `angle1`."""
        return float(self._found[layout.PHASE + 1])


def _require_fitting(what: str, mode: str, given: dict[str, Any]) -> None:
    """ValueError for arguments that the mode does not use."""
    useful = {
        "parallel": {"axis", "ratio"},
        "intersecting": {"axis1", "axis2"},
        "chain": {"axis", "radius1", "radius2"},
    }[mode]
    idle = [name for name, value in given.items() if value is not None and name not in useful]
    if idle:
        raise ValueError(f"{what} in {mode} mode takes {', '.join(sorted(useful))}, not {', '.join(idle)}")
    if mode == "chain" and (given["radius1"] is None or given["radius2"] is None):
        raise ValueError(f"{what} in chain mode needs radius1 and radius2")
