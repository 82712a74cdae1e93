"""Contact points, and the collision of two geoms."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing
from opendynamics.api.body import Body
from opendynamics.api.colliders import CALLS, collider_address, raise_pending, share_colliders, too_many_cells
from opendynamics.api.compiled_calls import loop
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.contact_run import NOW
from opendynamics.api.found_contacts import FoundContacts, FoundPoint, Maker, P, PointMaker, part
from opendynamics.api.geoms.contact_filter import MAX_FILTERED, filtered, is_single, let_callbacks_choose
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.like import Model, checked_model
from opendynamics.api.listed_pairs import FREE_EDITION, MAX_POINTS, world_of
from opendynamics.api.member import Companion, set_first
from opendynamics.api.owned_geoms import geoms_of
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import Strict, explain_calls, unknown_keyword
from opendynamics.api.types import Vector
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.report import PAIR_KERNELS, REPORTS, SHAPE_KINDS
from opendynamics.core.arrays.store import Store
from opendynamics.core.collide.geom_copies import collide_staged, gather
from opendynamics.core.collide.narrowphase.collider import ENDLESS
from opendynamics.core.collide.narrowphase.dispatch import NO_COLLIDER

Array = npt.NDArray[np.float64]


@explain_calls
class Contact(FoundPoint, Strict):
    """Contact point of two geoms, as `collide` returns it; user-defined colliders create their own.

    Args:
        position: m, shape (3,), in the world frame.
        normal: unit vector into geom1, shape (3,).
        depth: penetration depth, m.
        geom1, geom2: the geoms; filled in for the contacts of a collider.
        side1, side2: triangle or cell of each geom; -1 if it has none.
    """

    _position: tuple[float, ...]
    _normal: tuple[float, ...]
    _force: tuple[float, ...]  # row of a step's contacts
    _h: float

    _parts = ("_depth", "_geom1", "_geom2", "_normal", "_position", "_side1", "_side2")
    __slots__ = ("_force", "_h", *_parts)

    depth: float = part("_depth", "Penetration depth, m, at least 0; 0 unless given.")
    geom1: Geom | None = part("_geom1", "The geom that the normal points into.")
    geom2: Geom | None = part("_geom2", "The other geom.")
    side1: int = part("_side1", "Triangle or cell of geom1; -1 if it has none.")
    side2: int = part("_side2", "Triangle or cell of geom2; -1 if it has none.")

    def __init__(
        self,
        position: Vector = (0, 0, 0),
        normal: Vector = (0, 0, 1),
        depth: float = 0.0,
        geom1: Geom | None = None,
        geom2: Geom | None = None,
        side1: int = -1,
        side2: int = -1,
    ) -> None:
        self._source = None
        self.position, self.normal = position, normal
        self._depth = depth
        self._geom1, self._geom2 = geom1, geom2
        self._side1, self._side2 = side1, side2

    def _take_point(self, point: Any, a: Geom | None, b: Geom | None) -> None:
        position, normal, depth, side1, side2 = point[:5]
        set_first(self, "_position", tuple(position.tolist()))  # a copy, not the table's memory
        set_first(self, "_normal", tuple(normal.tolist()))
        set_first(self, "_depth", depth)
        set_first(self, "_side1", side1)
        set_first(self, "_side2", side2)
        set_first(self, "_geom1", a)
        set_first(self, "_geom2", b)

    @property
    def position(self) -> Array:
        """Position of the contact point, m, shape (3,), in the world; (0, 0, 0) unless given."""
        return read_only(self._position)

    @position.setter
    def position(self, value: Vector) -> None:
        position = checks.vector("the position of a contact", value)
        self._keep_own()
        self._position = position

    @property
    def normal(self) -> Array:
        """Unit vector into geom1, shape (3,): moving geom1 by depth times normal resolves the penetration; z unless given."""
        return read_only(self._normal)

    @normal.setter
    def normal(self, value: Vector) -> None:
        normal = checks.vector("the normal of a contact", value)
        if not any(normal):
            raise ValueError("the normal of a contact must not be the zero vector: it gives no direction")
        self._keep_own()
        self._normal = normal

    @property
    def body1(self) -> Body | None:
        """The body of geom1; None if it has none."""
        return None if self.geom1 is None else self.geom1.body

    @property
    def body2(self) -> Body | None:
        """The body of geom2; None if it has none."""
        return None if self.geom2 is None else self.geom2.body

    @property
    def force(self) -> Array:
        """Force on geom1 in the step, N, shape (3,), in the world frame: normal force and friction.

        With `world.substeps`, it is the mean over the step. NaN in a restored world, until its next step. ValueError for a
        contact point that was not part of a step.
        """
        try:
            return read_only(self._force)
        except AttributeError:
            raise ValueError(
                "only contacts of world.contacts, made by `advance`, have a force; for a contact joint, read its feedback"
            ) from None

    @property
    def impulse(self) -> Array:
        """The force times the step size, N s, shape (3,); with `world.substeps`, the sum over the step."""
        return read_only(self.force * self._h)

    def force_on(self, thing: Body | Geom | Companion) -> Array:
        """The force on one of the two bodies or geoms, or on the robot of one, N, shape (3,)."""
        geoms = geoms_of(thing)
        if geoms is None:
            raise TypeError(f"a contact acts on its bodies or geoms, not on {thing!r}")
        first, second = self.geom1 in geoms, self.geom2 in geoms
        if first or second:
            return self.force if not second else read_only(-self.force if not first else np.zeros(3))
        raise ValueError(f"{getattr(thing, 'name', thing)} is not one of the two that touch")

    @property
    def row(self) -> tuple[Any, ...]:
        """Row of the points table for this contact."""
        depth = checks.finite("the depth of a contact", self.depth)
        sides = [checks.count("each side of a contact", side, -1) for side in (self.side1, self.side2)]
        return self._position, self._normal, depth, *sides, -1, -1

    def __repr__(self) -> str:
        return f"<Contact {describing.contact(self)}>"


class FoundContact(Contact):
    """A contact that refers to a collided point, and reads it on demand."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        return Contact, (), self.__getstate__()


CONTACTS = PointMaker(FoundContact)

# Two geoms side by side; as many as there are collisions within collisions, or in several threads.
_STAGES: list[Store] = []
_ZERO, _ONE = np.array([0]), np.array([1])


class Contacts(list[Contact]):
    """A list of contact points. `left_out`: number of further points found beyond the limit."""

    left_out = 0


@compiled_call(loop.collide, loop.LOOP)
def collide(a: Geom, b: Geom, *, max_contacts: int = 8, like: Model | None = None, **unknown: NoReturn) -> Contacts:
    """Collide two geoms: at most `max_contacts` contact points; none for the same geom or geoms on the same body.

    If more are found, the deepest point and those of the largest spread are kept; `left_out` of the list is the number of the
    others. Enabled flags and category bits are ignored here: spaces apply them. `like="ode"` returns ODE's contacts where these
    are not exact; by default the setting of the geoms' world (`world.collider`), or exact contacts for geoms without a world.
    """
    if unknown:  # not `explain_function`: it would double the cost of a call that loops make for every pair
        raise unknown_keyword("collide", next(iter(unknown)), ["a", "b", "max_contacts", "like"])
    listed = NOW.listed
    one, other, _, _, _ = listed.current
    if one is not a or other is not b:
        return _collide_pair(a, b, max_contacts, like)
    at = listed.at
    if (  # inlined `found`; the same in `compiled_calls/loop.py`
        max_contacts == listed.limit
        and like is listed.like
        and listed.maker is CONTACTS
        and listed.edition == listed.home_edition.number
        and listed.free_edition == FREE_EDITION.number
        and (end := listed.ends[at]) >= 0
    ):
        start = listed.starts[at]
        found = Contacts()  # filled afterwards, which is faster than by its constructor
        if end - start == 1:
            found.append(listed.shown[start])
        elif end > start:
            found += listed.shown[start:end]
    else:
        points = listed.found(at, max_contacts, like, CONTACTS)
        if points is None:
            return _collide_pair(a, b, max_contacts, like)
        found = Contacts(points)
    if listed.left_out and listed.left_out[at]:
        found.left_out = listed.left_out[at]
    return found


def find_contacts(a: Geom, b: Geom, limit: int, like: Model | None, maker: Maker[P]) -> list[P]:
    """The contacts of `collide`, as objects made by `maker`."""
    listed = NOW.listed
    one, other, _, _, _ = listed.current
    if one is a and other is b:
        points: list[P] | None = listed.found(listed.at, limit, like, maker)
        if points is not None:
            return points
    alone: Any = _collide_pair(a, b, limit, like)
    return [maker.make(contact._source, (contact._k,))[0] for contact in alone]


def _collide_pair(a: Geom, b: Geom, limit: int, like: Model | None) -> Contacts:
    """The contacts of `collide`, outside of a space's collision."""
    for geom in (a, b):
        if not isinstance(geom, Geom):
            raise TypeError(f"collide takes two geoms, not {geom!r}; a space collides by its own methods")
    limit = checks.count("max_contacts", limit, 1, MAX_POINTS)
    worlds = [geom._home.world for geom in (a, b) if geom._home.world is not None]
    like_ode = worlds[0].collider == "ode" if worlds else False
    if like is not None:
        like_ode = checked_model("the model of contacts", like) == "ode"
    if a is b or (a.body is not None and a.body is b.body):
        return Contacts()
    try:
        stage = _STAGES.pop()
    except IndexError:
        stage = Store()
    share_colliders(stage, like_ode)
    try:
        return _collide(stage, a, b, limit)
    finally:
        _STAGES.append(stage)


def _collide(stage: Store, a: Geom, b: Geom, limit: int) -> Contacts:
    gather(a._store.tables, np.array([a._row]), stage.tables, _ZERO)
    gather(b._store.tables, np.array([b._row]), stage.tables, _ONE)
    filters = [geom for geom in (a, b) if isinstance(geom, Trimesh) and geom._asks]
    if filters:
        let_callbacks_choose(stage)
    most = max(limit, MAX_FILTERED) if filters else limit
    stage.make_room(POINTS, most)
    stage[REPORTS]["contacts_left_out"] = 0
    CALLS.running.append((stage, (a, b).__getitem__))
    try:
        found = collide_staged(stage.tables, 0, 1, most)
        while found < 0:
            raise_pending()
            if found == ENDLESS:
                raise too_many_cells(a, b)
            load_missing_pair(stage)
            found = collide_staged(stage.tables, 0, 1, most)
    finally:
        CALLS.running.pop()
    if not found:
        return Contacts()
    left_out = int(stage[REPORTS]["contacts_left_out"][0])
    stage[POINTS]["geom_a"][:found], stage[POINTS]["geom_b"][:found] = 0, 1
    source = FoundContacts((a, b), world_of({a._home, b._home}))
    source.take_points(stage, found)
    contacts: list[Any] = CONTACTS.make(source, range(found))
    for mesh in filters:
        contacts = filtered(mesh, b if mesh is a else a, contacts)
    kept = contacts[: 1 if filters and is_single(a, b) else limit]
    left_out += len(contacts) - len(kept)
    result = Contacts(kept)
    if left_out:
        result.left_out = left_out
    return result


def require_collidable(world: Any) -> None:
    """Raise ValueError if a stage reported two geoms that their collider refuses."""
    report = world._store[REPORTS][0]
    rows = ENDLESS - int(report["missing_a"]), ENDLESS - int(report["missing_b"])
    if min(rows) >= 0:
        report["missing_a"] = report["missing_b"] = -1
        raise too_many_cells(*map(world.space.find, rows))


def load_missing_pair(store: Store) -> None:
    """Load the kernel of a shape pair that a stage reported missing, in either order, into the store's tables."""
    report = store[REPORTS][0]
    a, b = int(report["missing_a"]), int(report["missing_b"])
    report["missing_a"] = report["missing_b"] = -1
    kernels = store[PAIR_KERNELS]
    for first, second in ((a, b), (b, a)):
        kernels[first * SHAPE_KINDS + second] = collider_address(first, second, store) or NO_COLLIDER


def contact_of(point: Any, a: Geom | None, b: Geom | None) -> Contact:
    """A Contact from a row of the points table."""
    contact = Contact.__new__(Contact)
    contact._source = None
    contact._take_point(point, a, b)
    return contact
