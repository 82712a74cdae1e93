"""Contacts of the last `advance`, as arrays and as objects."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from opendynamics.api.contact import Contact, contact_of
from opendynamics.api.owned_geoms import geoms_of
from opendynamics.api.read_only import read_only
from opendynamics.api.sub_steps import Means, mean_touches, touches_now
from opendynamics.api.suggestions import Suggesting, explain_calls
from opendynamics.api.things import check_place

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.member import Companion
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


NO_CONTACTS = "nothing touched in the last world.advance(h), or the world has not advanced yet"


@explain_calls
class StepContacts(Suggesting, Sequence[Contact]):
    """The contact points of a step, as a sequence of `Contact` and as arrays.

    It does not change when the world advances. With `world.substeps`, each pair of geoms has its contacts of the last sub-step in
    which it had any, with means over the step as forces.
    """

    __slots__ = ("_forces", "_geoms", "_h", "_touch_points")

    def __init__(
        self, points: Any, forces: Array, geoms: tuple[list[Geom | None], list[Geom | None]], h: float
    ) -> None:
        self._touch_points = points
        self._forces = forces
        self._geoms = geoms
        self._h = h

    if not TYPE_CHECKING:  # type checkers would take a call for good

        def __call__(self, *given: Any, **options: Any) -> Any:
            """Raise: a property was called."""
            raise TypeError("contacts is a property: leave out the parentheses, as in world.contacts[0]")

    def __len__(self) -> int:
        return len(self._touch_points)

    @overload
    def __getitem__(self, index: int) -> Contact: ...

    @overload
    def __getitem__(self, index: slice) -> list[Contact]: ...

    def __getitem__(self, index: int | slice) -> Contact | list[Contact]:
        if isinstance(index, slice):
            return self.chosen(range(*index.indices(len(self))))
        if not hasattr(index, "__index__"):
            raise TypeError(
                f"contacts are indexed by numbers, not by {index!r}: world.contacts.of(body) has those of a body, geom or robot"
            )
        index = operator.index(index)
        check_place(index, len(self), NO_CONTACTS)
        contact = contact_of(self._touch_points[index].item(), self._geoms[0][index], self._geoms[1][index])
        contact._force, contact._h = tuple(self._forces[index].tolist()), self._h
        return contact

    def chosen(self, numbers: Iterable[int]) -> list[Contact]:
        """The contacts with these indices."""
        return [self[k] for k in numbers]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (list, StepContacts)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @property
    def positions(self) -> Array:
        """Positions, m, shape (n, 3), in the world frame."""
        return read_only(self._touch_points["position"])

    @property
    def normals(self) -> Array:
        """Unit normals into geom1, shape (n, 3)."""
        return read_only(self._touch_points["normal"])

    @property
    def depths(self) -> Array:
        """Penetration depths, m, shape (n,); negative for speculative contacts, see `world.speculative_margin`."""
        return read_only(self._touch_points["depth"])

    @property
    def forces(self) -> Array:
        """Forces on geom1, N, shape (n, 3), in the world frame; with `world.substeps`, means over the step.

        The opposite force acts on geom2.
        """
        return read_only(self._forces)

    @property
    def impulses(self) -> Array:
        """Forces times the step size, N s, shape (n, 3); with `world.substeps`, sums over the step."""
        return read_only(self._forces * self._h)

    @property
    def geoms1(self) -> tuple[Geom | None, ...]:
        """The first geom of each; None if it has been destroyed."""
        return tuple(self._geoms[0])

    @property
    def geoms2(self) -> tuple[Geom | None, ...]:
        """The second geom of each."""
        return tuple(self._geoms[1])

    def of(self, thing: Body | Geom | Companion) -> list[Contact]:
        """The contacts of a body, a geom or a robot."""
        first, second = self._sides(thing)
        return self.chosen(np.flatnonzero(first | second).tolist())

    def force(self, thing: Body | Geom | Companion, other: Body | Geom | Companion | None = None) -> Array:
        """Total force on a body, geom or robot, N, shape (3,): from `other`, or from everything that it touches."""
        first, second = self._sides(thing)
        if other is not None:
            first_of_other, second_of_other = self._sides(other)
            first, second = first & second_of_other, second & first_of_other
        signs = first.astype(np.int64) - second
        return np.asarray(signs @ self._forces)

    def _sides(self, thing: Body | Geom | Companion) -> tuple[Flags, Flags]:
        """Whether the first geom of each contact, and whether the second, is one of a body, geom or robot."""
        geoms = geoms_of(thing)
        if geoms is None:
            raise TypeError(f"contacts are those of a body, a geom or a robot, not of {thing!r}")
        first, second = ([geom in geoms for geom in side] for side in self._geoms)
        return np.array(first, np.bool_), np.array(second, np.bool_)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:4])) + (f", ... {len(self) - 4} more" if len(self) > 4 else "")
        return f"[{shown}]"


def contacts_of_step(world: World, first: int | None, h: float, means: Means | None) -> StepContacts:
    """The contacts of the last `advance`, whose rows start at `first`; `h` was the size of its steps or sub-steps.

    With the `means` of a step's sub-steps, forces are means over the step. Without rows, in a world that was restored, forces
    are NaN.
    """
    touches = touches_now(world._store, first)
    if means is not None:
        touches, h = mean_touches(touches, means.earlier), h * (len(means.earlier) + 1)
    points, forces = touches
    find = world.space.find
    geoms = [find(row) for row in points["geom_a"].tolist()], [find(row) for row in points["geom_b"].tolist()]
    return StepContacts(points, forces, geoms, h)
