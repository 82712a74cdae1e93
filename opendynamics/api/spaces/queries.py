"""Batched queries of a space: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing
from opendynamics.api.aliases import also
from opendynamics.api.checks import ALL_BITS
from opendynamics.api.colliders import CALLS, raise_pending
from opendynamics.api.contact import collide, load_missing_pair
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.ray import Ray
from opendynamics.api.member import Belonging
from opendynamics.api.owned_geoms import geoms_of_all
from opendynamics.api.spaces.staging import Stage, may_meet, record_of
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.types import MaxDistance
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import BOX_HITS, RAY_HITS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.bodies.shapes.ray import BACKFACE_CULL, CLOSEST_HIT
from opendynamics.core.bodies.shapes.ray import KIND as RAY
from opendynamics.core.collide.aabb_queries import search_boxes
from opendynamics.core.collide.ray_cast import ALL, ANY, NEAREST, cast_rays
from opendynamics.core.families import know_depth

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

# Length of rays without a given length, m.
FAR = 1.0e10


@explain_calls
@dataclass(frozen=True, repr=False)
class RayHits:
    """Hits of rays.

    Attributes:
        ray: index of the ray, shape (n,).
        geom: the hit geom, as an index into `geoms`; -1 if there is none.
        distance: from the start of the ray, m, shape (n,); infinite without a hit.
        position: the hit point, m, shape (n, 3); NaN without a hit.
        normal: unit normal of the surface, shape (n, 3); NaN without a hit. It faces the ray, unless that hits a triangle from
            behind.
        geoms: the geoms that were tested.
    """

    ray: Indices
    geom: Indices
    distance: Array
    position: Array
    normal: Array
    geoms: tuple[Geom, ...]

    @property
    def hit(self) -> npt.NDArray[np.bool_]:
        """Whether the ray hits anything, shape (n,)."""
        return self.geom >= 0

    def __len__(self) -> int:
        return len(self.ray)

    def __repr__(self) -> str:
        count = int(self.hit.sum())
        nearest = f", the nearest at {self.distance.min():.4g} m" if count else ""
        return f"<RayHits: {describing.count(count, 'hit')}{nearest}>"

    def geom_of(self, k: int) -> Geom | None:
        """The geom of hit number `k`; None if there is none."""
        index = int(self.geom[k])
        return self.geoms[index]._reported() if index >= 0 else None


class Queries(Belonging):
    """Mixin of a space with queries of all its geoms, including those of inner spaces.

    Geoms that are disabled, or in a disabled inner space, are ignored, and so are those whose bits do not
    match: `category_bits` and `collide_bits` of a query work like those of a geom. Queries may be made from within a
    callback.
    """

    name: str

    _transient: ClassVar[dict[str, Any]] = {"_queries": type(None), "_queries_stale": lambda: True}
    _queries: Stage | None
    _queries_stale: bool

    def _start_queries(self) -> None:
        self._queries = None
        self._queries_stale = True

    def _searched(self) -> Iterator[Geom]:
        raise NotImplementedError

    def _require_alive(self) -> None:
        raise NotImplementedError

    def _query_stage(self, category_bits: int, collide_bits: int) -> Stage:
        """All geoms side by side, up to date, followed by the querying geom."""
        category = checks.bits("the category bits of a query", category_bits)
        bits = checks.bits("the collide bits of a query", collide_bits)
        self._require_alive()
        if self._queries is None:
            self._queries = Stage(self._searched())
            self._queries.store[REPORTS]["missing_a"] = -1
        elif self._queries_stale:
            self._queries.list(self._searched())
        stage = self._queries
        count = len(stage.members)
        records = stage.refresh()
        if self._queries_stale:
            for kind in np.unique(records["kind"]).tolist():
                know_depth(kind)
        self._queries_stale = False
        stage.store.make_room(GEOMS, count + 1)
        probe = stage.store[GEOMS][count : count + 1]
        probe["kind"], probe["category"], probe["collide"] = RAY, category, bits
        return stage

    # -- rays --------------------------------------------------------------------------------------------------------

    @also(max_distance="length")
    def cast_rays(
        self,
        origins: Any,
        directions: Any,
        length: Any = np.inf,
        *,
        every: bool = False,
        backface_cull: bool = False,
        category_bits: int = ALL_BITS,
        collide_bits: int = ALL_BITS,
        exclude: Any = (),
        **aliases: Unpack[MaxDistance],
    ) -> RayHits:
        """The first hit of each ray; a ray that starts inside a geom hits it where it exits.

        Args:
            origins: starting points of the rays, m, shape (n, 3); or (3,) for the same point.
            directions: of any length except zero, shape (n, 3); or (3,) for the same direction.
            length: length of the rays, m, one number or (n,). Longer ones end after 1e10 m.
            every: find all geoms that a ray hits, each at its first hit, nearest first, instead of only the nearest.
            backface_cull: ignore triangles of meshes hit from behind.
            category_bits, collide_bits: see `Queries`.
            exclude: a body, geom or robot, or several, that rays pass through, such as the robot that carries the sensor.

        Without `every` there is one hit per ray, in their order; with it, one for each hit, and none for rays that miss.
        """
        mode = ALL if checks.flag("every", every) else NEAREST
        stage, count = self._cast(
            origins, directions, length, mode, backface_cull, category_bits, collide_bits, exclude
        )
        hits = stage.store[RAY_HITS][:count]
        if mode == ALL:
            hits = hits[np.lexsort((hits["geom"], hits["distance"], hits["ray"]))]
        found = RayHits(
            ray=hits["ray"].copy(),
            geom=hits["geom"].copy(),
            distance=hits["distance"].copy(),
            position=hits["position"].copy(),
            normal=hits["normal"].copy(),
            geoms=stage.geoms,
        )
        nothing = np.flatnonzero(found.geom < 0)
        found.position[nothing] = found.normal[nothing] = np.nan
        return found

    @also(max_distance="length")
    def test_rays(
        self,
        origins: Any,
        directions: Any,
        length: Any = np.inf,
        *,
        backface_cull: bool = False,
        category_bits: int = ALL_BITS,
        collide_bits: int = ALL_BITS,
        exclude: Any = (),
        **aliases: Unpack[MaxDistance],
    ) -> npt.NDArray[np.bool_]:
        """Whether each ray hits anything, shape (n,): for lines of sight and shadows. See `cast_rays`."""
        stage, count = self._cast(origins, directions, length, ANY, backface_cull, category_bits, collide_bits, exclude)
        return np.asarray(stage.store[RAY_HITS]["geom"][:count] >= 0)

    def _cast(
        self,
        origins: Any,
        directions: Any,
        length: Any,
        mode: int,
        cull: bool,
        category: int,
        collide: int,
        exclude: Any,
    ) -> tuple[Stage, int]:
        rays = _rays(origins, directions, length)
        flags = CLOSEST_HIT | (BACKFACE_CULL if checks.flag("backface_cull", cull) else 0)
        left_out = {geom._carrier or geom for geom in geoms_of_all("exclude", exclude)}
        stage = self._query_stage(category, collide)
        if left_out:
            places = [k for k, geom in enumerate(stage.members) if geom in left_out]
            stage.store[GEOMS]["category"][places] = stage.store[GEOMS]["collide"][places] = 0
        store = stage.store
        store[GEOMS]["size"][len(stage.members), 1] = flags
        count = self._run(stage, rays, mode)
        while count < 0:
            supply(stage)
            count = self._run(stage, rays, mode)
        return stage, count

    @staticmethod
    def _run(stage: Stage, rays: Array, mode: int) -> int:
        with casting(stage):
            return int(cast_rays(stage.store.tables, rays, mode))

    # -- points and boxes --------------------------------------------------------------------------------------------

    def query_points(
        self, points: Any, *, category_bits: int = ALL_BITS, collide_bits: int = ALL_BITS
    ) -> tuple[Indices, tuple[Geom, ...], Array]:
        """Which points, m, shape (n, 3), are inside which geoms.

        Returns, for every point in every geom that contains it, the index of the point, the geom, and the depth of the
        point, m, shape (k,): sorted by points, and for each point in the order of the space.
        """
        places = _triples("the points", points)
        boxes = np.repeat(places, 2, axis=1)
        return self._search(boxes, True, category_bits, collide_bits)

    def query_boxes(
        self, lows: Any, highs: Any, *, category_bits: int = ALL_BITS, collide_bits: int = ALL_BITS
    ) -> tuple[Indices, tuple[Geom, ...]]:
        """Which boxes, from corners `lows` to `highs`, m, shape (n, 3), overlap the axis-aligned boxes of which geoms.

        Returns the indices of boxes, shape (k,), and the geoms: sorted by boxes, and for each box in the order of the space.
        """
        low, high = _triples("the lower corners", lows), _triples("the upper corners", highs)
        if low.shape != high.shape:
            raise ValueError(f"there must be as many lower as upper corners, not {len(low)} and {len(high)}")
        wrong = np.flatnonzero((low > high).any(axis=1))
        if wrong.size:
            k = int(wrong[0])
            raise ValueError(f"the lower corner of box {k} must not be above the upper one: {low[k]}, {high[k]}")
        boxes = np.stack([low, high], axis=2).reshape(-1, 6)
        numbers, geoms, _ = self._search(boxes, False, category_bits, collide_bits)
        return numbers, geoms

    def _search(
        self, boxes: Array, inside: bool, category: int, collide: int
    ) -> tuple[Indices, tuple[Geom, ...], Array]:
        stage = self._query_stage(category, collide)
        store = stage.store
        count = search_boxes(store.tables, boxes, inside)
        while count < 0:
            store.make_missing_room()
            count = search_boxes(store.tables, boxes, inside)
        hits = store[BOX_HITS][:count]
        hits = hits[np.lexsort((hits["geom"], hits["box"]))]
        geoms = tuple(stage.geoms[k]._reported() for k in hits["geom"].tolist())
        return np.ascontiguousarray(hits["box"]), geoms, np.ascontiguousarray(hits["depth"])

    def overlaps(self, geom: Geom) -> tuple[Geom, ...]:
        """The geoms that touch `geom`, with at least one contact, in the order of the space.

        `geom` need not be in the space. Its own bits and body are respected as in a collision.
        """
        if not isinstance(geom, Geom):
            raise TypeError(f"overlaps takes a geom, not {geom!r}")
        record = record_of(geom)
        stage = self._query_stage(ALL_BITS, ALL_BITS)
        near = np.flatnonzero(may_meet(stage.store[GEOMS][: len(stage.members)], record))
        others = [stage.geoms[k] for k in near]
        return tuple(other for other in others if other is not geom and collide(geom, other, max_contacts=1))


@contextmanager
def casting(stage: Stage) -> Iterator[None]:
    """While rays are cast: colliders in Python receive the geoms, and a ray like the one that is cast."""
    members, store = stage.members, stage.store

    def owner(place: int) -> Any:
        return members[place] if place < len(members) else _like_ray(store[GEOMS][place])

    store.require_idle()
    CALLS.running.append((store, owner))
    try:
        yield
    finally:
        CALLS.running.pop()


def supply(stage: Stage) -> None:
    """Provide memory or a kernel that an incomplete cast lacks; or raise an exception of a collider."""
    raise_pending()
    if stage.store[REPORTS]["missing_a"][0] >= 0:
        load_missing_pair(stage.store)
    else:
        stage.store.make_missing_room()


def _like_ray(record: Any) -> Ray:
    """A geom like the ray of a record."""
    turn = record["rotation"].reshape(3, 3)
    return Ray(float(record["size"][0]), record["position"], turn[:, 2])


def _triples(what: str, values: Any) -> Array:
    """`values` as an array of shape (n, 3); one triple is n = 1."""
    array = checks.array(what, values)
    if array.ndim == 1 and array.size == 0:
        return array.reshape(0, 3)
    if array.ndim not in (1, 2) or array.shape[-1] != 3:
        raise ValueError(f"{what} must have the shape (n, 3), not {array.shape}")
    return np.ascontiguousarray(array.reshape(-1, 3))


def _rays(origins: Any, directions: Any, length: Any) -> Array:
    """Start, unit direction and length of every ray, shape (n, 7)."""
    start, along = _triples("the origins of rays", origins), _triples("the directions of rays", directions)
    reach = _lengths(length)
    counts = {len(array) for array in (start, along, reach)} - {1}
    if len(counts) > 1:
        numbers = f"{len(start)} origins, {len(along)} directions and {len(reach)} lengths"
        raise ValueError(f"there must be as many origins as directions and lengths, or one: not {numbers}")
    largest = abs(along).max(axis=1, keepdims=True)
    wrong = np.flatnonzero(largest == 0.0)
    if wrong.size:
        raise ValueError(f"the direction of ray {wrong[0]} must not be the zero vector: it gives no direction")
    along = along / largest
    rays = np.empty((counts.pop() if counts else 1, 7))
    rays[:, :3] = start
    rays[:, 3:6] = along / np.linalg.norm(along, axis=1, keepdims=True)
    rays[:, 6] = reach
    return rays


def _lengths(length: Any) -> Array:
    try:
        reach = np.array(length, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"the length of rays must be one number, or as many as rays, not {length!r}") from None
    if np.ndim(length) > 1 or not (reach > 0.0).all():
        raise ValueError(f"the length of rays must be greater than 0, not {length!r}")
    return np.minimum(reach, FAR)
