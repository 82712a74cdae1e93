"""The calls that ODE's loop makes for each pair and each contact, as machine code that Python calls (`vectorcall.py`).

Each entry handles the most frequent case of a Python function, under the same conditions as that function; it passes all other
cases on to it. Objects are addresses here. Containers are read through Python's C API, attributes in slots directly from the
objects.

Editions and limits are compared as objects: an edition is kept as the object that it was, and small integers exist once.
"""

from __future__ import annotations

from sys import intern

from opendynamics.api.compiled_calls.handles import HANDLES, row_of
from opendynamics.api.compiled_calls.known import TYPE, WORD, Known
from opendynamics.api.compiled_calls.protocol import COUNT, NOT_HANDLED, VECTORCALL, new_reference, put, result
from opendynamics.api.compiled_calls.python_api import (
    Py_DecRef,
    Py_IncRef,
    PyBool_FromLong,
    PyDict_Contains,
    PyList_Append,
    PyList_GetItem,
    PyList_Size,
    PyLong_AsSsize_t,
    PyLong_FromSsize_t,
    PySet_Contains,
    PyTuple_GetItem,
    PyTuple_Size,
    PyType_GenericNew,
    PyType_IsSubtype,
    load,
)
from opendynamics.core.kernels import entry, kernel

FREQUENT = 1000  # calls: a program that reads so many bodies of geoms reads more

_API = "opendynamics.api"
LOOP = Known(
    "opendynamics_loop_calls",
    objects={
        **{"none": None, "list": list, "default_limit": 8},
        **{name: intern(name) for name in ("max_contacts", "surface", "group")},
    },
    named={
        "now": f"{_API}.contact_run:NOW",
        "free_edition": f"{_API}.listed_pairs:FREE_EDITION",
        "maker": f"{_API}.contact:CONTACTS",
        "Contacts": f"{_API}.contact:Contacts",
        "ListedPairs": f"{_API}.listed_pairs:ListedPairs",
        "Geom": f"{_API}.geoms.geom:Geom",
    },
    slots={
        "now": (f"{_API}.contact_run:Now", ("listed", "run")),
        "edition": (f"{_API}.home:Edition", ("number",)),
        "listed": (
            f"{_API}.listed_pairs:ListedPairs",
            (
                *(
                    "at",
                    "bodies_edition",
                    "current",
                    "edition",
                    "ends",
                    "free_edition",
                    "home_edition",
                    "left_out",
                    "like",
                ),
                *("limit", "maker", "rows", "run", "shown", "starts"),
            ),
        ),
        "run": (
            f"{_API}.contact_run:ContactRun",
            ("group", "handles", "next", "noted", "only", "shown", "skipped", "surface", "world"),
        ),
        "rows": (f"{_API}.contact_rows:ContactRows", ("bodies_edition", "joints", "pairs")),
        "pairs": (f"{_API}.body_pairs:BodyPairs", ("_contacts", "joints", "seen")),
        "geom": (f"{_API}.geoms.geom:Geom", ("_body",)),
    },
    also=HANDLES,
    after=FREQUENT,
)
_known = LOOP.array


@entry(VECTORCALL, c_abi=True)
def body_of(function, arguments, flags, names):
    """`geom.body`."""
    return result(_body(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _body(arguments, count, names):
    """The body of a geom, or None if the geom exists."""
    known = _known()[0]
    if count != 1 or names != 0:
        return NOT_HANDLED
    geom = load(arguments)
    if PyType_IsSubtype(load(geom + TYPE), known.Geom) == 0:
        return NOT_HANDLED
    body = load(geom + known.geom_body)
    if body == 0 or (body == known.none and row_of(known, geom) < 0):
        return NOT_HANDLED
    return new_reference(body)


@entry(VECTORCALL, c_abi=True)
def collide(function, arguments, flags, names):
    """`collide(a, b)` or `collide(a, b, max_contacts=limit)`."""
    return result(_contacts(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _contacts(arguments, count, names):
    """The contacts of the current pair, if they have been found and nothing has moved since."""
    known = _known()[0]
    if count != 2:
        return NOT_HANDLED
    limit = known.default_limit
    if names != 0:
        if PyTuple_Size(names) != 1 or PyTuple_GetItem(names, 0) != known.max_contacts:
            return NOT_HANDLED
        limit = load(arguments + 2 * WORD)
    listed = load(known.now + known.now_listed)
    if load(listed + TYPE) != known.ListedPairs:
        return NOT_HANDLED
    pair = load(listed + known.listed_current)
    if PyTuple_GetItem(pair, 0) != load(arguments) or PyTuple_GetItem(pair, 1) != load(arguments + WORD):
        return NOT_HANDLED
    if load(listed + known.listed_like) != known.none or PyList_Size(load(listed + known.listed_left_out)) != 0:
        return NOT_HANDLED
    if not are_found(known, listed, limit, known.maker):
        return NOT_HANDLED
    start, end = range_of_pair(known, listed)
    return _slice_of(load(listed + known.listed_shown), start, end, known.Contacts) if end >= start else NOT_HANDLED


@kernel
def are_found(known, listed, limit, maker):
    """Whether the contacts of all pairs have been found with this limit for this maker, and nothing has moved since."""
    if limit != load(listed + known.listed_limit) or maker != load(listed + known.listed_maker):
        return False
    edition = load(load(listed + known.listed_home_edition) + known.edition_number)
    free_edition = load(known.free_edition + known.edition_number)
    return edition == load(listed + known.listed_edition) and free_edition == load(listed + known.listed_free_edition)


@kernel
def range_of_pair(known, listed):
    """Start and end of the current pair's contacts among those of all pairs; an end below the start: none is known."""
    at = PyLong_AsSsize_t(load(listed + known.listed_at))
    starts, ends = load(listed + known.listed_starts), load(listed + known.listed_ends)
    if not 0 <= at < min(PyList_Size(starts), PyList_Size(ends)):
        return -1, -2
    return PyLong_AsSsize_t(PyList_GetItem(starts, at)), PyLong_AsSsize_t(PyList_GetItem(ends, at))


@kernel
def _slice_of(items, start, end, kind):
    """A slice of a list, in a list of another class. A new object may start a garbage collection, which may run any code."""
    Py_IncRef(items)
    made = PyType_GenericNew(kind, 0, 0)
    k = start
    while made != 0 and k < min(end, PyList_Size(items)):
        if PyList_Append(made, PyList_GetItem(items, k)) != 0:
            Py_DecRef(made)
            made = 0
        k += 1
    Py_DecRef(items)
    return made


@entry(VECTORCALL, c_abi=True)
def add_contact(function, arguments, flags, names):
    """`world.add_contact(contact, surface=surface, group=group)`, the surface by keyword or by position."""
    return result(_joint(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _joint(arguments, count, names):
    """The joint of the contact after the last one, with the same surface and in the same group."""
    known = _known()[0]
    if names == 0 or count + PyTuple_Size(names) != 4 or not 2 <= count <= 3:
        return NOT_HANDLED
    if PyTuple_GetItem(names, 3 - count) != known.group or (count == 2 and PyTuple_GetItem(names, 0) != known.surface):
        return NOT_HANDLED
    run = load(known.now + known.now_run)
    if load(arguments) != load(run + known.run_world) or load(arguments + 3 * WORD) != load(run + known.run_group):
        return NOT_HANDLED
    contact, joint = next_of_run(known, run)
    if load(arguments + WORD) != contact or load(arguments + 2 * WORD) != load(run + known.run_surface):
        return NOT_HANDLED
    return new_reference(joint) if go_on(known, run) else 0


@kernel
def next_of_run(known, run):
    """The contact after that of the last joint, and the handle of its joint; -1 twice: they are not known."""
    shown, handles = load(run + known.run_shown), load(run + known.run_handles)
    if load(shown + TYPE) != known.list or load(handles + TYPE) != known.list:
        return -1, -1
    k = PyLong_AsSsize_t(load(run + known.run_next))
    row = k - PyLong_AsSsize_t(load(run + known.run_skipped))
    if not 0 <= k < PyList_Size(shown) or not 0 <= row < PyList_Size(handles):
        return -1, -1
    return PyList_GetItem(shown, k), PyList_GetItem(handles, row)


@kernel
def go_on(known, run):
    """Count a joint of the next contact. False: an exception was raised."""
    after = PyLong_FromSsize_t(PyLong_AsSsize_t(load(run + known.run_next)) + 1)
    if after == 0:
        return False
    put(run + known.run_next, after)
    Py_DecRef(after)
    return True


@entry(VECTORCALL, c_abi=True)
def is_connected_to(function, arguments, flags, names):
    """`body1.is_connected_to(body2)`."""
    return result(_connected(arguments, flags & COUNT, names), function, arguments, flags, names)


@kernel
def _connected(arguments, count, names):
    if count != 2 or names != 0:
        return NOT_HANDLED
    return are_connected(_known()[0], load(arguments), load(arguments + WORD))


@kernel
def are_connected(known, body1, body2):
    """Whether a joint connects the bodies of the current pair, if all contact joints have been counted."""
    listed = load(known.now + known.now_listed)
    if load(listed + TYPE) != known.ListedPairs:
        return NOT_HANDLED
    pair = load(listed + known.listed_current)
    if PyTuple_GetItem(pair, 2) != body1 or PyTuple_GetItem(pair, 3) != body2:
        return NOT_HANDLED
    run, rows, number = load(listed + known.listed_run), load(listed + known.listed_rows), PyTuple_GetItem(pair, 4)
    if rows == known.none:
        return NOT_HANDLED
    pairs, following = load(rows + known.rows_pairs), PyLong_AsSsize_t(load(run + known.run_next))
    joints = load(pairs + known.pairs_joints)
    if joints == known.none:
        return NOT_HANDLED
    if load(run + known.run_only) == listed:
        start, _ = range_of_pair(known, listed)
        if following <= start:
            return PyBool_FromLong(PyDict_Contains(joints, number))
    if load(listed + known.listed_bodies_edition) != load(rows + known.rows_bodies_edition):
        return NOT_HANDLED
    seen, noted = PyLong_AsSsize_t(load(pairs + known.pairs_seen)), PyLong_AsSsize_t(load(run + known.run_noted))
    if noted < following or seen < PyList_Size(load(rows + known.rows_joints)):
        return NOT_HANDLED
    return PyBool_FromLong(PyDict_Contains(joints, number) | PySet_Contains(load(pairs + known.pairs_contacts), number))
