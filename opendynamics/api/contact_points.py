"""Contact points of a whole space, as arrays and as objects: ODE's loop without a callback."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing
from opendynamics.api.body_pairs import pair_number
from opendynamics.api.contact import CONTACTS, Contact, collide
from opendynamics.api.found_contacts import FoundContacts
from opendynamics.api.like import Model, checked_model
from opendynamics.api.listed_pairs import MAX_POINTS, CollidedPairs
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import Suggesting, explain_calls
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.joints import ALIVE, ENABLED, JOINTS

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom

Array = npt.NDArray[np.float64]


@explain_calls
class ContactPoints(Suggesting, Sequence[Contact]):
    """Contact points of `space.contacts()`: a sequence of `Contact`, and their data as arrays.

    An index gives a Contact; a slice, a mask or an array of indices gives ContactPoints: `contacts[contacts.depths > 0.001]`.
    They do not change when bodies move.
    """

    __slots__ = ("_numbers", "_source")

    def __init__(self, source: FoundContacts, numbers: npt.NDArray[np.int64]) -> None:
        self._source = source
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Contact: ...

    @overload
    def __getitem__(self, index: slice | npt.NDArray[Any]) -> ContactPoints: ...

    def __getitem__(self, index: Any) -> Any:
        numbers = self._numbers[index]
        return (
            ContactPoints(self._source, numbers)
            if np.ndim(numbers)
            else CONTACTS.make(self._source, (int(numbers),))[0]
        )

    @property
    def array(self) -> npt.NDArray[Any]:
        """A structured array, shape (n,), with the fields position (m), normal, depth (m), side_a and side_b."""
        return read_only(self._source.points[self._numbers][["position", "normal", "depth", "side_a", "side_b"]])

    @property
    def positions(self) -> Array:
        """Positions, m, shape (n, 3), in the world frame."""
        return read_only(self._source.points["position"][self._numbers])

    @property
    def normals(self) -> Array:
        """Unit normals into geom1, shape (n, 3)."""
        return read_only(self._source.points["normal"][self._numbers])

    @property
    def depths(self) -> Array:
        """Penetration depths, m, shape (n,)."""
        return read_only(self._source.points["depth"][self._numbers])

    @property
    def geoms1(self) -> tuple[Geom, ...]:
        """The first geom of each."""
        return self._geoms("geom_a")

    @property
    def geoms2(self) -> tuple[Geom, ...]:
        """The second geom of each."""
        return self._geoms("geom_b")

    def _geoms(self, side: str) -> tuple[Geom, ...]:
        members = self._source.members
        return tuple(members[place]._reported() for place in self._source.points[side][self._numbers].tolist())

    def __repr__(self) -> str:
        return f"<ContactPoints of {describing.count(len(self), 'contact')}>"


def all_contacts(name: str, pairs: CollidedPairs, limit: Any, like: Model | None) -> ContactPoints:
    """Contact points of all pairs of the space `name` that can collide, at most `limit` per pair."""
    limit = checks.count("max_contacts", limit, 1, MAX_POINTS)
    if like is not None:
        checked_model("the model of contacts", like)
    if not pairs.members:
        pairs.points = np.zeros(0, POINTS.dtype)
        return ContactPoints(pairs, np.zeros(0, np.int64))
    if pairs.world is None:
        raise ValueError(
            f"the contacts of {name} are those of one world's bodies, but its geoms have none, or of several"
        )
    missing, numbers = [], []
    for pair in pairs.collide_all(limit, like).tolist():
        for contact in collide(*pairs.members_of(pair), max_contacts=limit, like=like):
            row = np.zeros(1, POINTS.dtype)
            row[0] = contact.row
            row["geom_a"], row["geom_b"] = pairs.places[pair]
            missing.append(row)
            numbers.append(pair)
    if missing:  # in the order of the pairs, whichever of them needed Python, or a kernel that was not loaded
        known = np.repeat(np.arange(len(pairs.places)), np.maximum(pairs.ends - pairs.starts, 0))
        order = np.argsort(np.concatenate([known, numbers]), kind="stable")
        pairs.points = np.concatenate([pairs.points, *missing])[order]
    sensors = np.array([geom._sensor for geom in pairs.members])
    left = sensors[pairs.points["geom_a"]] | sensors[pairs.points["geom_b"]]
    left |= np.isin(pairs.pair_numbers(), _connected_bodies(pairs.world))
    return ContactPoints(pairs, np.flatnonzero(~left))


def _connected_bodies(world: Any) -> npt.NDArray[np.int64]:
    """Pair numbers of the bodies that joints connect, which do not collide in `advance`."""
    if world.collide_connected:
        return np.empty(0, np.int64)
    joints = world._store[JOINTS][: world._store.used(JOINTS)]
    one, other = joints["body0"].astype(np.int64), joints["body1"].astype(np.int64)
    active = (joints["flags"] & (ALIVE | ENABLED) == ALIVE | ENABLED) & (one > 0) & (other > 0)
    numbers: npt.NDArray[np.int64] = pair_number(np.minimum(one, other), np.maximum(one, other))[active]
    return numbers
