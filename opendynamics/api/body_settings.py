"""Settings of a body: gravity, gyroscopic torque, rotation mode, damping, speed limit, sleeping (auto-disable).

Damping and auto-disable settings exist for a body, and for a world as defaults of the bodies created later.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.handle import Handle
from opendynamics.api.member import note_change
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Vector
from opendynamics.api.waking import note_sleepers, wake_bodies
from opendynamics.core.arrays import bodies as layout
from opendynamics.core.arrays.bodies import BODY_SETTINGS, MOTIONS, SAMPLES
from opendynamics.core.arrays.store import column
from opendynamics.core.arrays.worlds import WORLDS

# Size of a settings row in 64-bit numbers, and the offset of the sample fields.
_SETTINGS = BODY_SETTINGS.dtype.itemsize // 8
_SAMPLES, _SAMPLES_GIVEN = column(BODY_SETTINGS, "samples"), column(BODY_SETTINGS, "samples_given")
_SAMPLE_START, _SAMPLE_NEXT = column(BODY_SETTINGS, "sample_start"), column(BODY_SETTINGS, "sample_next")
_SAMPLES_READY = column(BODY_SETTINGS, "samples_ready")


def kept_samples(number: int) -> int:
    """How many velocities are kept for a mean of `number`: a single one is the velocity itself."""
    return number if number > 1 else 0


class Setting:
    """Number of the settings record, checked when set."""

    def __init__(self, field: str, check: Callable[[str, Any], Any], doc: str) -> None:
        self.field, self.check, self.__doc__ = field, check, doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.label = f"the {name.replace('_', ' ')}"

    def __get__(self, settings: Any, owner: type | None = None) -> Any:
        return self if settings is None else settings._body_settings()[self.field].item()

    def __set__(self, settings: Any, value: Any) -> None:
        checked = self.check(settings._say(self.label), value)
        settings._body_settings()[self.field] = checked
        settings._body_settings_changed()


class DampingAndSleep:
    """Damping and auto-disable settings of a body, or of a world as defaults of its later bodies."""

    __slots__ = ()

    linear_damping = Setting(
        "linear_damping", checks.usual_fraction, "Fraction of the velocity lost in a step, 0 to 1; 0 by default."
    )
    angular_damping = Setting(
        "angular_damping",
        checks.usual_fraction,
        "Fraction of the angular velocity lost in a step, 0 to 1; 0 by default.",
    )
    linear_damping_threshold = Setting(
        "linear_damping_threshold", checks.not_negative, "Speed, m/s, up to which there is no damping; 0.01 by default."
    )
    angular_damping_threshold = Setting(
        "angular_damping_threshold",
        checks.not_negative,
        "Angular speed, rad/s, up to which there is no damping; 0.01 by default.",
    )
    max_angular_speed = Setting(
        "max_angular_speed",
        checks.not_negative_or_infinite,
        "Angular speed, rad/s, that is never exceeded; infinite by default.",
    )
    auto_disable_linear_threshold = Setting(
        "linear_threshold",
        checks.not_negative_or_infinite,
        "Speed, m/s, up to which a body counts as idle; 0.01 by default.",
    )
    auto_disable_angular_threshold = Setting(
        "angular_threshold",
        checks.not_negative_or_infinite,
        "Angular speed, rad/s, up to which a body counts as idle; 0.01 by default.",
    )
    auto_disable_steps = Setting(
        "idle_steps", checks.count, "Steps for which a body has to be idle before it sleeps; 10 by default."
    )
    auto_disable_time = Setting(
        "idle_time", checks.not_negative, "Time, s, for which a body has to be idle before it sleeps; 0 by default."
    )
    auto_disable_samples = Setting(
        "samples",
        partial(checks.count, most=0xFFFF),
        "Velocities averaged to decide whether a body is idle; 1 by default, with 0 it never sleeps.",
    )

    _store: Any

    def _body_settings(self) -> Any:
        raise NotImplementedError

    def _say(self, what: str) -> str:
        raise NotImplementedError

    def _body_settings_changed(self) -> None:
        raise NotImplementedError

    def _flag(self, flag: int) -> bool:
        raise NotImplementedError

    def _set_flag(self, flag: int, value: bool) -> None:
        raise NotImplementedError

    @property
    def auto_disable(self) -> bool:
        """Whether a body that has been idle for long enough sleeps until something wakes it; see docs/sleeping.md.

        False by default. The world's value is the default for bodies made later.
        """
        return self._flag(layout.AUTO_DISABLE)

    @auto_disable.setter
    def auto_disable(self, value: bool) -> None:
        self._set_flag(layout.AUTO_DISABLE, checks.flag(self._say("auto-disable"), value))

    @property
    def continuous(self) -> bool:
        """Continuous collision detection: `advance` sweeps the body along its motion and stops it at the first impact.

        False by default. For bodies so fast that they would tunnel through others; see docs/continuous.md.
        The world's value is the default for bodies made later.
        """
        return self._flag(layout.CONTINUOUS)

    @continuous.setter
    def continuous(self, value: bool) -> None:
        self._set_flag(layout.CONTINUOUS, checks.flag(self._say("continuous"), value))
        if value:
            note_change()
            self._store[WORLDS]["continuous"][0] = 1

    def set_damping(self, linear: float, angular: float) -> None:
        """Set `linear_damping` and `angular_damping`, 0 to 1, of a body, or of a world as defaults for bodies made later."""
        checks.usual_fraction(self._say("the linear damping"), linear)
        checks.usual_fraction(self._say("the angular damping"), angular)
        self.linear_damping, self.angular_damping = linear, angular


def is_damped(record: Any) -> bool:
    """Whether a body with these settings is processed after it moved."""
    return bool(record["linear_damping"] or record["angular_damping"] or math.isfinite(record["max_angular_speed"]))


class BodySettings(DampingAndSleep, Handle):
    """Mixin of a body with its settings."""

    __slots__ = ()

    _world: Any

    def _say(self, what: str) -> str:
        return Handle._say(self, what)

    def _body_settings(self) -> Any:
        return self._store[BODY_SETTINGS][self._row]

    def _body_settings_changed(self) -> None:
        self._set_flag(layout.DAMPED, is_damped(self._body_settings()))
        self._make_room_for_samples()

    def _make_room_for_samples(self) -> None:
        """Range of the samples table for this body; if its size changes, sampling restarts."""
        store, row = self._rows.store, self._row
        numbers, first = store.longs[BODY_SETTINGS], _SETTINGS * row
        number = kept_samples(numbers[first + _SAMPLES])
        if number == numbers[first + _SAMPLES_GIVEN]:
            return
        runs = self._world._sample_runs
        start, room = runs.get(row, (0, 0))
        if number > room:
            start, room = store.used(SAMPLES), max(number, 2 * room)
            store.use(SAMPLES, start + room)
            note_change()
            runs[row] = start, room
        numbers[first + _SAMPLE_START], numbers[first + _SAMPLES_GIVEN] = start, number
        numbers[first + _SAMPLE_NEXT] = numbers[first + _SAMPLES_READY] = 0

    def _flag(self, flag: int) -> bool:
        return bool(self._store[MOTIONS]["flags"][self._row] & flag)

    def _set_flag(self, flag: int, value: bool) -> None:
        flags, row = self._store[MOTIONS]["flags"], self._row
        flags[row] = flags[row] | flag if value else flags[row] & ~np.uint32(flag)

    @property
    def enabled(self) -> bool:
        """Whether the body takes part in the step. A disabled one sleeps until something wakes it, see docs/sleeping.md.

        True by default.
        """
        return self._flag(layout.ENABLED)

    @enabled.setter
    def enabled(self, value: bool) -> None:
        if checks.flag(self._say("enabled"), value):
            self._start_idling()
            self._set_flag(layout.FAULTY, False)
        else:
            note_sleepers(self._store)
        self._set_flag(layout.ENABLED, value)

    def _wake(self) -> None:
        """Called before a change that acts on the body: wake it, unless it sleeps by ODE's rule."""
        wake_bodies(self._store, (self._row,))

    def _start_idling(self) -> None:
        record = self._body_settings()
        record["steps_left"], record["time_left"] = record["idle_steps"], record["idle_time"]

    @property
    def faulty(self) -> bool:
        """Whether the body is frozen because its motion became NaN or infinite. Repair its state, then enable it."""
        return self._flag(layout.FAULTY)

    @property
    def gravity_mode(self) -> bool:
        """Whether gravity acts on the body. True by default."""
        return not self._flag(layout.WEIGHTLESS)

    @gravity_mode.setter
    def gravity_mode(self, value: bool) -> None:
        weightless = not checks.flag(self._say("the gravity mode"), value)
        if weightless != self._flag(layout.WEIGHTLESS):
            self._wake()
        self._set_flag(layout.WEIGHTLESS, weightless)

    @property
    def gyroscopic_mode(self) -> bool:
        """Whether the gyroscopic torque acts; without it, long bodies at high spin rotate inaccurately but never gain energy.

        True by default.
        """
        return self._flag(layout.GYROSCOPIC)

    @gyroscopic_mode.setter
    def gyroscopic_mode(self, value: bool) -> None:
        self._set_flag(layout.GYROSCOPIC, checks.flag(self._say("the gyroscopic mode"), value))

    @property
    def finite_rotation_mode(self) -> bool:
        """Whether the orientation is integrated by the exact rotation of a step, for wheels and other fast spinning bodies.

        False by default. For the integrator "euler" only; the others always rotate exactly.
        """
        return self._flag(layout.FINITE_ROTATION)

    @finite_rotation_mode.setter
    def finite_rotation_mode(self, value: bool) -> None:
        self._set_flag(layout.FINITE_ROTATION, checks.flag(self._say("the finite rotation mode"), value))

    @property
    def finite_rotation_axis(self) -> npt.NDArray[np.float64]:
        """Axis in the world, shape (3,), about which the rotation is exact; zero, the default, means every axis."""
        return read_only(self._body_settings()["finite_axis"])

    @finite_rotation_axis.setter
    def finite_rotation_axis(self, value: Vector) -> None:
        label = self._say("the finite rotation axis")
        axis = checks.vector(label, value)
        if any(axis):
            axis = checks.direction(label, axis)
        self._body_settings()["finite_axis"] = axis
        self._set_flag(layout.FINITE_AXIS, any(axis))

    @property
    def auto_disable(self) -> bool:
        """Whether the body, once idle for long enough, sleeps until something wakes it. Clearing it wakes the body.

        False by default. The world's value is the default for bodies made later.
        """
        return self._flag(layout.AUTO_DISABLE)

    @auto_disable.setter
    def auto_disable(self, value: bool) -> None:
        self._set_flag(layout.AUTO_DISABLE, checks.flag(self._say("auto-disable"), value))
        if not value:
            self.enabled = True
            self._body_settings()["sample_next"] = self._body_settings()["samples_ready"] = 0

    def set_auto_disable_defaults(self) -> None:
        """Copy the world's auto-disable settings."""
        world = self._store[WORLDS][int(self._store[MOTIONS]["world"][self._row])]
        self._copy_settings(world, ("linear_threshold", "angular_threshold", "idle_steps", "idle_time", "samples"))
        self._set_flag(layout.AUTO_DISABLE, bool(world["new_body_flags"] & layout.AUTO_DISABLE))

    def set_damping_defaults(self) -> None:
        """Copy the world's damping settings."""
        world = self._store[WORLDS][int(self._store[MOTIONS]["world"][self._row])]
        kinds = ("linear", "angular")
        self._copy_settings(world, [f"{kind}_damping{end}" for kind in kinds for end in ("", "_threshold")])

    def _copy_settings(self, world: Any, fields: Any) -> None:
        record = self._body_settings()
        for field in fields:
            record[field] = world["new_body"][field]
        self._body_settings_changed()
