"""Geoms in the order of one axis."""

from __future__ import annotations

from typing import Any

from opendynamics.api.spaces.space import Space


class SweepAndPruneSpace(Space):
    """Sorts geoms along an axis: right for scenes that are long in one direction, along which few geoms overlap.

    Args:
        geoms: members to begin with.
        axes: see the property.
        arguments: see `Space`.
    """

    broadphase = "sweep_and_prune"

    def __init__(self, geoms: Any = (), *, axes: str = "xyz", **arguments: Any) -> None:
        self._axes = checked_axes("the axes of the new space", axes)
        super().__init__(geoms, **arguments)

    @property
    def axes(self) -> str:
        """The axes in the order of their importance, such as "xyz": geoms are sorted along the first."""
        return self._axes

    @axes.setter
    def axes(self, axes: str) -> None:
        self._axes = checked_axes(self._say("the axes"), axes)

    def _parameters(self) -> tuple[float, ...]:
        first, second, third = ("xyz".index(axis) for axis in self._axes)
        return (first | second << 2 | third << 4,)


def checked_axes(what: str, axes: Any) -> str:
    """`axes` as a string of the letters x, y and z in some order."""
    if not isinstance(axes, str):
        raise TypeError(f"{what} must be a string of x, y and z in some order, not {axes!r}")
    if sorted(axes) != ["x", "y", "z"]:
        raise ValueError(f"{what} must be x, y and z in some order, not {axes!r}")
    return axes
