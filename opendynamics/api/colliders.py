"""User-defined colliders: for custom geoms, as replacements of built-in ones, and for mesh callbacks.

Compiled code calls every collider by an address. For a Python function it is the address of `_ask`, which has the C signature of
a compiled collider, looks up the geoms at the given addresses, calls the function and writes its contacts. Exceptions never pass
into compiled code: `_ask` stores them and returns FAILED, the stage ends as if it lacked memory, and `raise_pending` raises them
once Python runs again, before anything has moved.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from opendynamics.api.geoms.contact_filter import MAX_FILTERED, filtered
from opendynamics.api.geoms.custom import CustomGeom, GeomClass
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.support import SupportClass, SupportGeom
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.home import FREE
from opendynamics.api.member import note_change
from opendynamics.api.suggestions import explain_function
from opendynamics.core.arrays.contacts import MANIFOLDS, POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import PAIR_KERNELS, SHAPE_KINDS
from opendynamics.core.arrays.store import Store, column, common_array
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.shapes import custom
from opendynamics.core.bodies.triangles import MESH
from opendynamics.core.bodies.triangles.grid import MOST_CELLS
from opendynamics.core.collide.narrowphase.collider import ENDLESS, PAIR
from opendynamics.core.collide.narrowphase.dispatch import collide_by
from opendynamics.core.compile.loading import address_of_user, is_compiled
from opendynamics.core.families import SHAPES, pair_address

FAILED = -1
ASKING = "a collider cannot make, destroy or change what is colliding; note the change and make it afterwards"
CUSTOM = custom.KIND
GEOM_BYTES = np.dtype(GEOMS.dtype).itemsize
POINT = np.dtype(POINTS.dtype)

# Numba's calling convention: pointer to the result, pointer to the exception, arguments; returns 0 on success.
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * len(PAIR.args))


class _Calls(threading.local):
    """Stack of this thread's calls of compiled code.

    Attributes:
        running: the Store of each call, the innermost last, and a function that returns the geom of a row.
        pending: exceptions raised by Python functions meanwhile.
    """

    def __init__(self) -> None:
        self.running: list[tuple[Store, Callable[[int], Any]]] = []
        self.pending: list[BaseException] = []


CALLS = _Calls()

# By ordered pair of kinds or classes: a Python function, or the address of a compiled one.
_overrides: dict[tuple[Any, Any], Any] = {}
_kept_alive: list[Any] = []

_COLLIDER = column(WORLDS, "collider", 4)

# Addresses of colliders with exact contacts, and with ODE's.
_EXACT = common_array(PAIR_KERNELS)
_ODES = np.zeros_like(_EXACT)

# Stores with the colliders of one of these tables.
_sharing_stores: WeakSet[Store] = WeakSet()

# Stores of worlds with mesh callbacks that filter contacts, and whether their contacts are ODE's.
_filtered_stores: WeakKeyDictionary[Store, bool] = WeakKeyDictionary()


def raise_pending() -> None:
    """Raise the exception of a Python function that compiled code called."""
    if CALLS.pending:
        error = CALLS.pending[0]
        CALLS.pending.clear()
        raise error


def too_many_cells(one: Any, other: Any) -> ValueError:
    """The error for two geoms that their collider refuses (ENDLESS)."""
    large, field = (one, other) if other.shape == "heightfield" else (other, one)
    low, high = large.aabb[::2], large.aabb[1::2]
    return ValueError(
        f"{large.name}, {(high - low).max():.3g} m across, meets more than {MOST_CELLS} cells of {field.name}, a heightfield "
        "that wraps: make the geom smaller or the field's cells larger, or let them not collide (category_bits, collide_bits)"
    )


def has_python_colliders() -> bool:
    """Whether any pair has a Python function as collider."""
    return any(not isinstance(collider, int) for collider in _overrides.values())


def calls_python(store: Store) -> bool:
    """Whether the steps of a world, with its colliders chosen, may call a Python function."""
    return has_python_colliders() or store in _filtered_stores


def choose_colliders(store: Store, asking: bool) -> None:
    """Select the colliders of a world, and with `asking` let its mesh callbacks filter contacts."""
    like_ode = not store.words[WORLDS][_COLLIDER]
    if not asking:
        if share_colliders(store, like_ode):
            _filtered_stores.pop(store, None)
    elif _filtered_stores.get(store) is not like_ode:
        _filtered_stores[store] = like_ode
        kernels = (_ODES if like_ode else _EXACT).copy()
        shape_table = kernels.reshape(SHAPE_KINDS, SHAPE_KINDS)
        shape_table[MESH, :] = shape_table[:, MESH] = 0  # stale: chosen again
        store.share(PAIR_KERNELS, kernels)


def share_colliders(store: Store, like_ode: bool) -> bool:
    """Select exact or ODE's colliders for a store's geoms. Returns whether they were not selected before."""
    kernels = _ODES if like_ode else _EXACT
    if store[PAIR_KERNELS] is kernels:
        return False
    store.share(PAIR_KERNELS, kernels)
    _sharing_stores.add(store)
    return True


def is_like_ode(store: Store) -> bool:
    """Whether the contacts of a store's geoms are ODE's."""
    return _filtered_stores.get(store, store[PAIR_KERNELS] is _ODES)


def collider_address(kind_a: int, kind_b: int, store: Store) -> int:
    """Address of the collider of two kinds in this order, for a store; 0 if there is none."""
    chosen = _overrides.get((kind_a, kind_b))
    if isinstance(chosen, int):
        return chosen
    if isinstance(_overrides.get((kind_b, kind_a)), int):
        return 0
    asking = {_kinds(pair) for pair in _overrides}
    if kind_a == CUSTOM or (kind_a, kind_b) in asking:
        return ASK_ADDRESS
    if kind_b == CUSTOM or (kind_b, kind_a) in asking:
        return 0
    address = pair_address(kind_a, kind_b, is_like_ode(store))
    return ASK_ADDRESS if address and store in _filtered_stores and MESH in (kind_a, kind_b) else address


@explain_function
def set_collider(a: Any, b: Any, collider: Any) -> None:
    """Set the collider of geoms of kind `a` with those of kind `b`, in this process; None restores the built-in one.

    Args:
        a, b: a class of geoms, such as `od.Sphere`, or your own `GeomClass` or `SupportClass`.
        collider: `collider(geom_a, geom_b, max_contacts)` returns at most so many `Contact`s, normals into geom_a; or
            NotImplemented for the built-in result. Or, for two built-in kinds, a function compiled by `numba.njit` with the
            signature of `core/collide/narrowphase/collider.py`, which is called without returning to Python.
    """
    pair = _key(a), _key(b)
    value = collider
    if is_compiled(collider):
        if not all(isinstance(key, int) for key in pair):
            raise TypeError("a compiled collider is for two kinds that are built in; give a Python function")
        value = _compiled(collider)
    elif collider is not None and not callable(collider):
        raise TypeError(f"the collider of {a} and {b} must be a function or None, not {collider!r}")
    _overrides.pop(pair[::-1], None)
    _overrides.pop(pair, None)
    if value is not None:
        _overrides[pair] = value
    note_change()
    FREE.edition.number += 1  # contacts found before are no longer valid
    # Callers look up the address again.
    one, other = _kinds(pair)
    for kernels in (_EXACT, _ODES, *(store[PAIR_KERNELS] for store in _filtered_stores)):
        kernels[one * SHAPE_KINDS + other] = kernels[other * SHAPE_KINDS + one] = 0
    for store in (*_sharing_stores, *_filtered_stores):
        store.use(MANIFOLDS, 0)  # contacts of the old collider cannot be recycled


def _compiled(collider: Any) -> int:
    address = address_of_user("the collider", collider, PAIR)
    _kept_alive.append(collider)
    return address


def _key(kind: Any) -> Any:
    if isinstance(kind, (GeomClass, SupportClass)):
        return kind
    shape = getattr(kind, "shape", None) if isinstance(kind, type) and issubclass(kind, Geom) else None
    if shape is None or shape in ("custom", "support", "transform"):
        raise TypeError(f"a collider is for geom classes such as od.Sphere or one that you made, not {kind!r}")
    return int(SHAPES[shape].KIND)


def _kinds(pair: tuple[Any, Any]) -> tuple[int, ...]:
    return tuple(key if isinstance(key, int) else _kind_of_class(key) for key in pair)


def _kind_of_class(key: GeomClass | SupportClass) -> int:
    return CUSTOM if isinstance(key, GeomClass) else int(SHAPES["support"].KIND)


# -- called from compiled code -----------------------------------------------------------------------------------------


def _ask(result: int, _: int, a: int, b: int, limit: int, points: int, scratch: int) -> int:
    """Collider entry that calls the Python function of the geoms at two addresses."""
    try:
        found = _asked(a, b, limit, points, scratch)
    except BaseException as error:  # any exception waits until compiled code returns
        CALLS.pending.append(error)
        found = FAILED
    ctypes.c_int64.from_address(result).value = found
    return 0


# Stored here: the address is valid as long as this object exists.
_asking = _PROTOTYPE(_ask)
ASK_ADDRESS = ctypes.cast(_asking, ctypes.c_void_p).value or 0


def _asked(a: int, b: int, limit: int, points: int, scratch: int) -> int:
    if CALLS.pending:
        return FAILED
    store, one, other = _geoms_at(a, b)
    key, other_key = _key_of(one, a), _key_of(other, b)
    before, store.busy = store.busy, ASKING
    try:
        answer: Any = NotImplemented
        if (key, other_key) in _overrides:
            answer = _answer(_overrides[key, other_key], one, other, limit)
        elif (other_key, key) in _overrides:
            answer = _turned(_answer(_overrides[other_key, key], other, one, limit))
        if answer is NotImplemented and isinstance(one, CustomGeom):
            answer = _of_class(one, other, limit)
        if answer is NotImplemented and isinstance(other, CustomGeom):
            answer = _turned(_of_class(other, one, limit))
        filters = [geom for geom in (one, other) if isinstance(geom, Trimesh) and geom._asks]
        if filters and store in _filtered_stores:
            found = _all_of_built_in(a, b, scratch) if answer is NotImplemented else answer
            answer = _chosen(filters, found, one, other)[:limit]
    finally:
        store.busy = before
    if answer is NotImplemented:
        return _built_in(a, b, limit, points, scratch)
    if answer:
        _rows(points, len(answer))[:] = answer
    return len(answer)


def _geoms_at(a: int, b: int) -> tuple[Store, Any, Any]:
    """The store of two records, and their geoms."""
    store, owner = CALLS.running[-1]
    start = store[GEOMS].ctypes.data
    return store, owner((a - start) // GEOM_BYTES), owner((b - start) // GEOM_BYTES)


def _key_of(geom: Any, address: int) -> Any:
    if isinstance(geom, (CustomGeom, SupportGeom)):
        return geom.geom_class
    return ctypes.c_int32.from_address(address).value  # a transform counts as the kind of its geom


def _of_class(geom: CustomGeom, other: Any, limit: int) -> Any:
    test = geom.geom_class.box_test
    if test is not None and not test(geom, other, other.aabb):
        return []
    return _answer(geom.geom_class.collider, geom, other, limit)


def _answer(collider: Any, one: Any, other: Any, limit: int) -> Any:
    """Rows of the points table for a collider's contacts, or NotImplemented."""
    given = collider(one, other, limit)
    if given is NotImplemented:
        return NotImplemented
    what = f"the collider of {one.name} and {other.name}"
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"{what} must return a list of contacts, or NotImplemented, not {given!r}")
    if len(given) > limit:
        raise ValueError(f"{what} returned {len(given)} contacts; it was asked for at most {limit}: keep the deepest")
    return [_row(what, contact) for contact in given]


def _row(what: str, contact: Any) -> tuple[Any, ...]:
    row = getattr(contact, "row", None)
    if row is None:
        raise TypeError(f"{what} must return contacts, od.Contact(position, normal, depth), not {contact!r}")
    normal, depth = row[1], row[2]
    length = float(np.linalg.norm(normal))
    if abs(length - 1.0) > 1e-6:
        raise ValueError(f"{what} returned the normal {normal}, whose length is {length:g}; it must be 1")
    if depth < 0.0:
        raise ValueError(f"{what} returned the depth {depth}; it must not be negative: leave out what does not touch")
    return row  # type: ignore[no-any-return]


def _turned(rows: Any) -> Any:
    """Rows with the geoms exchanged."""
    if rows is NotImplemented:
        return rows
    return [
        (position, tuple(-n for n in normal), depth, side_b, side_a, *geoms)
        for position, normal, depth, side_a, side_b, *geoms in rows
    ]


def _rows(points: int, count: int) -> Any:
    """The contact points at an address."""
    memory = (ctypes.c_char * (count * POINT.itemsize)).from_address(points)
    return np.frombuffer(memory, POINT)


def _all_of_built_in(a: int, b: int, scratch: int) -> Any:
    """Rows of all contacts, for callbacks to choose from."""
    room = np.zeros(MAX_FILTERED, POINT)
    found = _built_in(a, b, MAX_FILTERED, room.ctypes.data, scratch)
    if found == ENDLESS:
        raise too_many_cells(*_geoms_at(a, b)[1:])
    return room[: min(found, MAX_FILTERED)].tolist()


def _chosen(filters: list[Trimesh], rows: Any, one: Any, other: Any) -> Any:
    """Rows that pass the filters of mesh callbacks."""
    from opendynamics.api.contact import contact_of

    contacts = [contact_of(row, one, other) for row in rows]
    for mesh in filters:
        contacts = filtered(mesh, other if mesh is one else one, contacts)
    return [contact.row for contact in contacts]


def _built_in(a: int, b: int, limit: int, points: int, scratch: int) -> int:
    """Contacts of the built-in collider; empty without one."""
    kind_a, kind_b = (ctypes.c_int32.from_address(address).value for address in (a, b))
    if CUSTOM in (kind_a, kind_b):
        return 0
    like_ode = is_like_ode(CALLS.running[-1][0])
    forward, backward = pair_address(kind_a, kind_b, like_ode), pair_address(kind_b, kind_a, like_ode)
    if not (forward or backward):
        return 0
    return int(collide_by(forward, backward, a, b, limit, points, scratch))
