"""A warning for numbers that make sense by other conventions: millimetres, degrees, milliseconds, quaternions (x, y, z, w).

Lengths are in m, angles in rad, times in s. Nothing is changed: the numbers may be intended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from opendynamics.api.warning import warn

# The sun's gravity is 274 m/s², the earth's in cm/s² is 981.
STRONG, ABSURD = 500.0, 1.0e8
TURNS = 2.0  # turns beyond which an angle is likely to be in degrees
LONG = 3.0  # s, of a step


class UnitsWarning(UserWarning):
    """A number that is unusual in SI units or by the conventions here, and usual by others."""


def check_gravity(what: str, gravity: Iterable[float]) -> None:
    """Warn if an acceleration of free fall looks like one in mm/s² or cm/s²."""
    size = math.hypot(*gravity)
    if STRONG < size < ABSURD:
        warn(
            f"{what} is {size:g} m/s²; on earth it is 9.81. Lengths are in m here, with masses in kg, so that thresholds and "
            "softness suit them: divide lengths in mm by 1000",
            UnitsWarning,
        )


def check_quaternion(what: str, quaternion: Any) -> None:
    """Warn if a quaternion that was written down is no rotation in the order (x, y, z, w)."""
    if isinstance(quaternion, (tuple, list)) and tuple(quaternion) == (0, 0, 0, 1):
        warn(
            f"{what}: (0, 0, 0, 1) is half a turn about z, since the order is (w, x, y, z); (1, 0, 0, 0) is no rotation. "
            "For half a turn: od.rotation.quaternion_from_axis_angle((0, 0, 1), math.pi)",
            UnitsWarning,
        )


def check_up(normal: Iterable[float], gravity: Iterable[float]) -> None:
    """Warn if gravity pulls away from the only plane there is."""
    along = sum(a * b for a, b in zip(normal, gravity, strict=True))
    if along > 0.9 * math.hypot(*gravity):
        warn(
            f"gravity {tuple(map(float, gravity))} points away from the ground, so that bodies fall off it: gravity down is "
            "negative, as in world.gravity = (0, 0, -9.81)",
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
