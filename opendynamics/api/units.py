"""Warnings for numbers that make sense in other conventions: millimetres, degrees, milliseconds, quaternions (x, y, z, w).

Lengths are in m, angles in rad, times in s. Nothing is changed: the numbers may be intended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from opendynamics.api.warning import warn

# The sun's gravity is 274 m/s², the earth's in cm/s² is 981.
STRONG, ABSURD = 500.0, 1.0e8
TURNS = 2.0  # turns above which an angle is probably in degrees
LONG, ENDLESS = 0.5, 3.0  # s: steps in which bodies may meet, and any steps
UNIT = 1e-3  # accuracy of the length of a unit quaternion that is written by hand
NARROW = 2.5  # field of view in degrees; the same number in rad is wide


class UnitsWarning(UserWarning):
    """A number that is unusual in SI units or in the conventions here, but usual in others."""


def check_gravity(what: str, gravity: Iterable[float]) -> None:
    """Warn if a gravitational acceleration looks like one in mm/s² or cm/s²."""
    size = math.hypot(*gravity)
    if STRONG < size < ABSURD:
        warn(
            f"{what} is {size:g} m/s²; on Earth it is 9.81. Lengths are in m and masses in kg here, as thresholds and softness "
            "assume: divide lengths in mm by 1000",
            UnitsWarning,
        )


def check_quaternion(what: str, quaternion: Any) -> None:
    """Warn if a unit quaternion written by hand, read in the order (x, y, z, w), is no rotation or one about y or z.

    Here such a quaternion is half a turn about an unlikely axis. Arrays are not checked: they come from files and
    computations.
    """
    if not isinstance(quaternion, (tuple, list)):
        return
    w, x, y, z = map(float, quaternion)
    if w == 0.0 != z and 0.0 in (x, y) and abs(math.hypot(x, y, z) - 1.0) < UNIT:
        warn(
            f"{what}: ({w:g}, {x:g}, {y:g}, {z:g}) is half a turn about the axis ({x:g}, {y:g}, {z:g}), since the order is "
            f"(w, x, y, z); if (x, y, z, w) was meant, write ({z:g}, {w:g}, {x:g}, {y:g}), and for the half turn "
            f"od.rotation.quaternion_from_axis_angle(({x:g}, {y:g}, {z:g}), math.pi)",
            UnitsWarning,
        )


def check_angles(what: str, angles: Iterable[float]) -> None:
    """Warn if angles look like degrees."""
    largest = max((abs(angle) for angle in angles if math.isfinite(angle)), default=0.0)
    if largest > TURNS * 2.0 * math.pi:
        warn(
            f"{what}: {largest:g} rad is {largest / math.tau:.3g} turns; convert degrees by math.radians",
            UnitsWarning,
        )


def check_written_angle(what: str, angle: float) -> None:
    """Warn if the angle of a rotation was written in degrees: 45 or 90, but not 90.0, which a spinning wheel may reach too."""
    if isinstance(angle, int) and angle % 5 == 0:
        check_angles(what, (angle,))


def check_field_of_view(degrees: float) -> None:
    """Warn if the field of view of a camera looks like one in rad."""
    if degrees <= NARROW:
        warn(
            f"a field of view of {degrees:g} degrees is that of a telescope; if it is in rad, convert it by math.degrees: "
            f"{math.degrees(degrees):.3g}",
            UnitsWarning,
        )


def check_step(h: float, geoms: int) -> None:
    """Warn if a step size looks like milliseconds or a rate; a single body may fly for a while."""
    if h >= (LONG if geoms > 1 else ENDLESS):
        warn(
            f"a step of {h:g} s is too long to find contacts in time. 0.001 to 0.02 s are usual: write "
            f"world.advance(0.01, steps={round(100 * h) if h < 1e6 else 100}), or world.advance({h / 1000:g}) if {h:g} is in ms",
            UnitsWarning,
        )
