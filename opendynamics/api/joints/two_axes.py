"""Joints with two axes that must not be parallel."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks, rotation
from opendynamics.api.joints.joint import Array, Joint
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Vector

# Axes closer to each other than this (rad) span no plane.
_PARALLEL = 1e-9

# Bits of the record's mode: the user has set this axis since the bodies were attached.
_GIVEN = (1, 2)


class TwoAxes(Joint):
    """A joint with two axes that must not be parallel.

    The axes may be set one by one in any order: an axis that is not set yet is replaced if the other one is set parallel to it.
    """

    __slots__ = ()

    def _get_axes(self) -> list[Array]:
        """Axis 1 and axis 2 in the world frame."""
        raise NotImplementedError

    def _put_axes(self, axes: list[Array], new: tuple[bool, bool] = (True, True)) -> None:
        """Set both axes, with the current poses as rest position; those that are not `new` are where they were."""
        raise NotImplementedError

    def _forget_given_axes(self) -> None:
        """Mark both axes as not set, after other bodies were attached."""
        self._record["mode"] = int(self._record["mode"]) & ~sum(_GIVEN)
        one, two = self._get_axes()
        self._put_axes([one, rotation.plane_space(one)[0] if are_parallel(one, two) else two])

    def set_axes(self, axis1: Vector | None = None, axis2: Vector | None = None) -> None:
        """Set both axes at once, in the world frame, with the current poses as rest position.

        None keeps an axis. Raises ValueError, with nothing changed, if the axes are parallel.
        """
        given = checked_axes(self.name, axis1, axis2)
        self._require_attached()
        before = self._get_axes()
        new = [now if axis is None else axis for axis, now in zip(given, before, strict=True)]
        mode = int(self._record["mode"])
        if are_parallel(*new):
            still = 0 if given[0] is None else 1
            if mode & _GIVEN[still]:
                raise ValueError(
                    f"{self._say(f'axis {2 - still}')} must not be parallel to its axis {1 + still}, as "
                    f"{new[1 - still].tolist()} is; set both at once with set_axes(axis1, axis2)"
                )
            new[still] = rotation.plane_space(new[1 - still])[0]
        self._put_axes(new, (new[0] is not before[0], new[1] is not before[1]))
        self._record["mode"] = mode | sum(bit for bit, axis in zip(_GIVEN, given, strict=True) if axis is not None)

    @property
    def axis1(self) -> Array:
        """Direction of the first axis in the world, a unit vector, shape (3,). Setting it makes the angles 0 here."""
        return read_only(self._get_axes()[0])

    @axis1.setter
    def axis1(self, value: Vector) -> None:
        self.set_axes(axis1=an_axis(value))

    @property
    def axis2(self) -> Array:
        """Direction of the second axis in the world, a unit vector, shape (3,). Setting it makes the angles 0 here."""
        return read_only(self._get_axes()[1])

    @axis2.setter
    def axis2(self, value: Vector) -> None:
        self.set_axes(axis2=an_axis(value))


def checked_axes(joint: str, axis1: Any, axis2: Any) -> tuple[Array | None, Array | None]:
    """Unit vectors along two axes, of which either may be None, but which must not be parallel."""
    one = None if axis1 is None else np.array(checks.direction(f"axis 1 of {joint}", axis1))
    two = None if axis2 is None else np.array(checks.direction(f"axis 2 of {joint}", axis2))
    if one is not None and two is not None and are_parallel(one, two):
        raise ValueError(
            f"axis 1 and axis 2 of {joint} must not be parallel: {axis1!r} and {axis2!r}; turn one of them"
        )
    return one, two


def an_axis(axis: Any) -> Any:
    """`axis`, checked; None is an error."""
    return () if axis is None else axis


def are_parallel(one: Any, two: Any) -> bool:
    """Whether two unit vectors span no plane."""
    return bool(np.linalg.norm(np.cross(one, two)) < _PARALLEL)
