"""Sweep-and-prune space."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.spaces.space import Array, Space

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom


class SweepAndPruneSpace(Space):
    """Sorts geoms along an axis; suitable for scenes that are long in one direction, along which few geoms overlap.

    Args:
        geoms: initial members.
        axes: see the property.
        arguments: see `Space`.
    """

    broadphase = "sweep_and_prune"

    def __init__(self, geoms: Any = (), *, axes: str = "xyz", **arguments: Any) -> None:
        self._axes = checked_axes("the axes of the new space", axes)
        self._moving: list[Geom | Space] = []  # like ODE: moved members; others, with positions
        self._resting: list[Geom | Space] = []
        self._rest_places: dict[Geom | Space, int] = {}
        self._sorted: list[int] = []  # the last order along the first axis
        super().__init__(geoms, **arguments)

    @property
    def axes(self) -> str:
        """The axes in the order of their importance, such as "xyz": geoms are sorted along the first; "xyz" by default."""
        self._require_alive()
        return self._axes

    @axes.setter
    def axes(self, axes: str) -> None:
        self._axes = checked_axes(self._say("the axes"), axes)

    def _parameters(self) -> tuple[float, ...]:
        first, second, third = ("xyz".index(axis) for axis in self._axes)
        return (first | second << 2 | third << 4,)

    # -- ODE's list: members that have moved, then the others; the last one replaces a removed one ------------------

    def _enlist(self, member: Geom | Space) -> None:
        super()._enlist(member)
        self._moving.append(member)

    def _unlist(self, member: Geom | Space) -> None:
        super()._unlist(member)
        if member in self._rest_places:
            self._leave(member)
        else:
            at = self._moving.index(member)
            last = self._moving.pop()
            if last is not member:
                self._moving[at] = last

    def _leave(self, member: Geom | Space) -> None:
        at, last = self._rest_places.pop(member), self._resting.pop()
        if last is not member:
            self._resting[at] = last
            self._rest_places[last] = at

    def _listed(self) -> Iterable[Geom | Space]:
        return chain(self._moving, self._resting) if self._like == "ode" else super()._listed()

    def _chained(self) -> Iterable[Geom | Space]:
        return super()._listed()

    def _bring_to_front(self, member: Geom | Space) -> None:
        if member in self._rest_places:
            self._leave(member)
            self._moving.append(member)

    def _bring_all_to_front(self, moved: list[Geom | Space]) -> None:
        for member in moved:
            self._bring_to_front(member)

    def _clean(self) -> None:
        self._clean_members(self._moving)
        for member in self._moving:
            self._rest_places[member] = len(self._resting)
            self._resting.append(member)
        self._moving = []

    def _ordered_as_in_ode(self, boxes: Array, pairs: Any) -> Any:
        """Each member with those after it along the first axis; then those that are infinite along it with all others."""
        low, high = (2 * "xyz".index(self._axes[0]) + end for end in (0, 1))
        endless = boxes[:, high] == np.inf
        bounded = np.flatnonzero(~endless)
        order = bounded[self._sort(boxes[bounded, low].astype(np.float32))]
        at = np.empty(len(boxes), np.int64)
        at[order], at[endless] = np.arange(len(order)), np.flatnonzero(endless)
        first, second = pairs.T
        turn = (endless[first] == endless[second]) & (at[first] > at[second]) | (~endless[first] & endless[second])
        first, second = np.where(turn, (second, first), (first, second))
        last = np.where(endless[first], second, at[second])
        return np.column_stack((first, second))[np.lexsort((last, ~endless[second], at[first], endless[first]))]

    def _sort(self, starts: Any) -> Any:
        """The order of the members' lower ends; equal ones as in ODE's radix sort.

        It starts from the last order, if the number is the same, keeps that if it is sorted, and reverses equal negative
        numbers.
        """
        before = np.array(self._sorted if len(self._sorted) == len(starts) else range(len(starts)), np.int64)
        known = starts[before]
        if (known[1:] >= known[:-1]).all():
            order = before
        else:
            negative = before[np.signbit(known)]
            positive = before[~np.signbit(known)]
            order = np.concatenate(
                (
                    negative[np.argsort(-starts[negative], kind="stable")][::-1],
                    positive[np.argsort(starts[positive], kind="stable")],
                )
            )
        self._sorted = order.tolist()
        return order


def checked_axes(what: str, axes: Any) -> str:
    """`axes` as a string of the letters x, y and z in some order."""
    if not isinstance(axes, str):
        raise TypeError(f"{what} must be a string of x, y and z in some order, not {axes!r}")
    if sorted(axes) != ["x", "y", "z"]:
        raise ValueError(f"{what} must be x, y and z in some order, not {axes!r}")
    return axes
