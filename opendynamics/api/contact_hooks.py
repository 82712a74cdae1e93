"""Hooks of `advance`: user functions that filter contacts, or change their friction and restitution.

They run between the stages "collide" and "constrain": filtered contacts are removed from the tables of points and contacts, so
that they affect neither forces nor events nor sleep. The modifier gets one array of records for all contacts, and may be compiled
by numba.njit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api.member import Member
from opendynamics.api.waking import wake_bodies
from opendynamics.core.arrays.contacts import BOUNCE, CONTACTS, MANIFOLDS, MU2, POINTS, SPECULATIVE
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Store

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom

Array = npt.NDArray[Any]
ContactFilter: TypeAlias = "Callable[[Geom, Geom], bool]"
ContactModifier: TypeAlias = "Callable[[Array], object]"

# Record of a contact modifier; see `ContactHooks.contact_modifier`. In Python, too, its fields are attributes.
MODIFIED = np.dtype(
    (
        np.record,
        [
            ("position", "f8", (3,)),
            ("normal", "f8", (3,)),
            ("depth", "f8"),
            ("geom1", "i8"),
            ("geom2", "i8"),
            ("mu", "f8"),
            ("bounce", "f8"),
            ("enabled", "?"),
        ],
    )
)


def stops_between_stages(own: dict[str, Any]) -> bool:
    """Whether a world with these attributes needs Python between the stages of a step."""
    return bool(
        own["_moved_callbacks"]
        or own["_feedbacks"]
        or own["_strengths"]
        or own["_profile"] is not None
        or own["_contact_filter"] is not None
        or own["_contact_modifier"] is not None
        or own["_impacts"] == "sequential"
    )


class ContactHooks(Member):
    """Mixin of a world with the contact filter and modifier of `advance`."""

    _store: Store
    _say: Any
    _contact_filter: ContactFilter | None
    _contact_modifier: ContactModifier | None

    def _start_hooks(self) -> None:
        self._contact_filter = None
        self._contact_modifier = None

    @property
    def _has_hooks(self) -> bool:
        """Whether contacts have to pass a filter or a modifier."""
        own = vars(self)
        return own["_contact_filter"] is not None or own["_contact_modifier"] is not None

    @property
    def contact_filter(self) -> ContactFilter | None:
        """Function of two geoms that `advance` calls once a step for each touching pair; None by default.

        If it returns False, they pass through each other in this step. With a filter, `advance` returns to Python in every step;
        `category_bits` and `collide_bits` do not. It is not called for zones, sleeping pairs and the sweeps of `continuous`
        bodies.
        """
        return self._contact_filter

    @contact_filter.setter
    def contact_filter(self, function: ContactFilter | None) -> None:
        self._contact_filter = self._checked_hook(
            "the contact filter", function, "two geoms, which returns True or False"
        )
        wake_bodies(self._store)

    @property
    def contact_modifier(self) -> ContactModifier | None:
        """Function that `advance` calls in every step with the contacts, before the solver; None by default.

        It gets a structured array of shape (n,) with a record for each contact, and may be compiled by numba.njit. Fields are
        attributes of the records, `contacts[k].mu`, and items of the array, `contacts["mu"]`. It may change `mu`, `bounce` and
        `enabled` (bool; False removes the contact). `position`, m, `normal`, into geom1, `depth`, m, and the indices `geom1`
        and `geom2` into `world.geoms` are for reading. A changed `mu` applies in all directions. As in a Surface, `mu` is at
        least 0, and `bounce` between 0 and 1; the step raises a ValueError for other values.
        """
        return self._contact_modifier

    @contact_modifier.setter
    def contact_modifier(self, function: ContactModifier | None) -> None:
        self._contact_modifier = self._checked_hook("the contact modifier", function, "one array of contacts")
        wake_bodies(self._store)

    def _checked_hook(self, what: str, function: Any, arguments: str) -> Any:
        if function is not None and not callable(function):
            raise TypeError(f"{self._say(what)} must be a function of {arguments}, or None, not {function!r}")
        return function

    def _call_hooks(self: Any, first: int) -> None:
        """Run the hooks on the contacts that `advance` has just made, from row `first`."""
        count = int(self._store[REPORTS]["contacts"][0])
        self._store.use(MANIFOLDS, 0)  # they ask for each contact of each step
        if count and self._contact_filter is not None:
            _keep(self._store, first, _passed(self, self._store[POINTS][:count]))
            count = int(self._store[REPORTS]["contacts"][0])
        if count and self._contact_modifier is not None:
            _keep(self._store, first, _modified(self, self._store[CONTACTS][first : first + count]))


def _passed(world: Any, points: Array) -> Array:
    """Points that the filter keeps, bool, shape (n,)."""
    pairs, place = np.unique(np.stack([points["geom_a"], points["geom_b"]], axis=1), axis=0, return_inverse=True)
    find, answers = world.space.find, []
    for a, b in pairs.tolist():
        geoms = find(a), find(b)
        answer = world._contact_filter(*geoms)
        if not isinstance(answer, (bool, np.bool_)):
            raise TypeError(
                f"{world._say('the contact filter')} must return True or False, not {answer!r} for {geoms[0]!r} and {geoms[1]!r}"
            )
        answers.append(bool(answer))
    return np.array(answers)[place.reshape(-1)]


def _modified(world: Any, contacts: Array) -> Array:
    """Call the modifier, write its changes, and return the contacts that it keeps, bool, shape (n,)."""
    points, surface = contacts["point"], contacts["surface"]
    rows = [geom._row for geom in world.geoms]
    index = np.full(max(rows) + 1, -1)
    index[rows] = np.arange(len(rows))
    given = np.zeros(len(contacts), MODIFIED)
    for name in ("position", "normal", "depth"):
        given[name] = points[name]
    given["geom1"], given["geom2"] = index[points["geom_a"]], index[points["geom_b"]]
    given["mu"] = surface["mu"]
    given["bounce"] = np.where(surface["mode"] & BOUNCE, surface["bounce"], 0.0)
    given["enabled"] = True
    changed = given.copy()
    world._contact_modifier(changed)
    for name, most, bound in (("mu", np.inf, "at least 0"), ("bounce", 1.0, "between 0 and 1")):
        valid = (changed[name] >= 0.0) & (changed[name] <= most) | (changed[name] == given[name])
        wrong = np.flatnonzero(~valid)
        if len(wrong):
            value = changed[name][wrong[0]]
            raise ValueError(f"{name} of {world._say('the contact modifier')} must be {bound}, not {value}")
    rubbed = np.flatnonzero(changed["mu"] != given["mu"])
    surface["mu"][rubbed] = changed["mu"][rubbed]
    surface["mode"][rubbed] &= ~np.uint32(MU2)
    bounced = np.flatnonzero(changed["bounce"] != given["bounce"])
    surface["bounce"][bounced] = changed["bounce"][bounced]
    surface["mode"][bounced] |= np.uint32(BOUNCE)
    return changed["enabled"]


def _keep(store: Store, first: int, kept: Array) -> None:
    """Keep only these contacts of `advance`, in their order, from row `first`."""
    if kept.all():
        return
    count, left = len(kept), int(np.count_nonzero(kept))
    store[POINTS][:left] = store[POINTS][:count][kept]
    contacts = store[CONTACTS][first : first + count]
    contacts[:left] = contacts[kept]
    store.use(POINTS, left)
    report = store[REPORTS][0]
    report["contacts"] = left
    report["deepest"] = max(0.0, contacts["point"]["depth"][:left].max(initial=0.0))
    report["speculative"] = int(np.count_nonzero(contacts["flags"][:left] & SPECULATIVE))
