"""Stage: copies of geoms and spaces, side by side in separate tables, which kernels collide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.geoms.custom import CustomGeom
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.home import Home
from opendynamics.core.arrays import geoms as layout
from opendynamics.core.arrays.geoms import GEOM_ORDER, GEOMS, PAIRS
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.store import Store
from opendynamics.core.collide.geom_copies import gather
from opendynamics.core.families import BROADPHASES

if TYPE_CHECKING:
    from opendynamics.api.spaces.space import Space

Rows = npt.NDArray[np.int64]

# Number of geoms up to which testing every pair is fastest; beyond, the tree is.
FEW = 24


def best_broadphase(count: int) -> str:
    """The fastest broadphase for this number of geoms. All find the same pairs, in the same order."""
    return "simple" if count <= FEW else "tree"


class Stage:
    """Copies of the records of some geoms, and records that represent spaces, in the given order."""

    def __init__(self, members: Iterable[Geom | Space]) -> None:
        self.store = Store()
        self.list(members)

    def list(self, members: Iterable[Geom | Space]) -> None:
        """Replace the members: record the home and row of each."""
        self.members = tuple(members)
        store = self.store
        store.use(GEOMS, len(self.members))
        store.use(GEOM_ORDER, len(self.members))
        store[GEOM_ORDER][: len(self.members)] = np.arange(len(self.members))
        runs: dict[Home, tuple[list[int], list[int]]] = {}
        self.homes = runs.keys()
        self._spaces: list[tuple[int, Space]] = []
        self._custom = [(place, member) for place, member in enumerate(self.members) if isinstance(member, CustomGeom)]
        self.meshes = [(place, member) for place, member in enumerate(self.members) if isinstance(member, Trimesh)]
        for place, member in enumerate(self.members):
            if isinstance(member, Geom):
                rows, places = runs.setdefault(member._home, ([], []))
                rows.append(member._row)
                places.append(place)
            else:
                self._spaces.append((place, member))
        self._runs: list[tuple[Home, Rows, Rows]] = [
            (home, np.array(rows), np.array(places)) for home, (rows, places) in runs.items()
        ]

    @property
    def geoms(self) -> tuple[Geom, ...]:
        """The members of a stage that only has geoms."""
        return self.members  # type: ignore[return-value]

    @property
    def has_spaces(self) -> bool:
        """Whether some members are spaces."""
        return bool(self._spaces)

    def refresh(self) -> Any:
        """Update the records; returns them."""
        for home, rows, places in self._runs:
            gather(home.store.tables, rows, self.store.tables, places)
        records = self.store[GEOMS]
        for place, space in self._spaces:
            put_space(records[place], space)
        for place, geom in self._custom:
            records["bounds"][place] = geom.aabb
        return records[: len(self.members)]

    def pairs(self, broadphase: str, parameters: tuple[float, ...] = ()) -> Any:
        """Indices of the pairs that may touch, shape (n, 2), the first before the second."""
        self.refresh()
        store = self.store
        store[CHOICES]["parameters"][0, : len(parameters)] = parameters
        find_pairs = BROADPHASES[broadphase].find_pairs
        while not find_pairs(store.tables):
            store.make_missing_room()
        pairs = store[PAIRS][: store.used(PAIRS)]
        found = np.empty((len(pairs), 2), np.int64)
        found[:, 0], found[:, 1] = pairs["a"], pairs["b"]
        if any(geom.geom_class.box_test is not None for _, geom in self._custom):
            return found[[pass_box_tests(self.members[a], self.members[b]) for a, b in found.tolist()]]
        return found


def pass_box_tests(a: Geom | Space, b: Geom | Space) -> bool:
    """Whether the box tests of custom geoms accept two members whose boxes overlap."""
    for geom, other in ((a, b), (b, a)):
        test = geom.geom_class.box_test if isinstance(geom, CustomGeom) else None
        if test is not None and not test(geom, other, other.aabb):
            return False
    return True


def put_space(record: Any, space: Space) -> None:
    """Make `record` represent a space."""
    record["kind"] = -1
    record["flags"] = layout.ALIVE | (layout.ENABLED if space.enabled and len(space) else 0)
    record["body"] = record["owner"] = 0
    record["category"], record["collide"] = space.category_bits, space.collide_bits
    record["bounds"] = space.aabb


def record_of(member: Geom | Space) -> Any:
    """The record of a geom, or one that represents a space."""
    if isinstance(member, Geom):
        record = member._fresh
        if isinstance(member, CustomGeom):
            record["bounds"] = member.aabb
        return record
    record = np.zeros(1, GEOMS.dtype)[0]
    put_space(record, member)
    return record


def may_meet(records: Any, record: Any) -> Any:
    """For each of `records`: whether the boxes overlap, the bits match, and both are enabled and on different bodies."""
    bounds, box = records["bounds"], record["bounds"]
    near = (bounds[..., 0::2] <= box[1::2]).all(axis=-1) & (bounds[..., 1::2] >= box[0::2]).all(axis=-1)
    near &= (records["owner"] != record["owner"]) | (record["owner"] == 0)
    near &= ((records["category"] & record["collide"]) | (records["collide"] & record["category"])) != 0
    return near & ((records["flags"] & record["flags"] & layout.ENABLED) != 0)
