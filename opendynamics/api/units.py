"""A warning for numbers that make sense in other units: millimetres, degrees, milliseconds.

Lengths are in m, angles in rad, times in s. Nothing is changed; what is meant may be so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from opendynamics.api.warning import warn

# The sun's gravity is 274 m/s², the earth's in cm/s² is 981.
STRONG, ABSURD = 500.0, 1.0e8
TURNS = 2.0  # turns beyond which an angle is likely to be in degrees
LONG = 3.0  # s, of a step


class UnitsWarning(UserWarning):
    """A number that is very large in SI units, and usual in others."""


def check_gravity(what: str, gravity: Iterable[float]) -> None:
    """Warn if an acceleration of free fall looks like one in mm/s² or cm/s²."""
    size = math.hypot(*gravity)
    if STRONG < size < ABSURD:
        warn(
            f"{what} is {size:g} m/s²; on earth it is 9.81. Lengths are in m here, with masses in kg, so that thresholds and "
            "softness suit them: divide lengths in mm by 1000",
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


def check_step(h: float) -> None:
    """Warn if a step size looks like milliseconds or a rate."""
    if h > LONG:
        warn(
            f"a step of {h:g} s: everything moves that long between two looks at its contacts. Usual are 0.001 to 0.02 s: "
            f"world.advance(0.01, steps={round(100 * h) if h < 1e6 else 100})",
            UnitsWarning,
        )
