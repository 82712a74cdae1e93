"""Adding a force or torque of the world frame to the next step, as machine code that Python calls (`vectorcall.py`).

The fast case of `_adder` in `api/body.py`: finite numbers, for a body that exists, in a world none of whose islands sleeps.
"""

from __future__ import annotations

import numpy as np

from opendynamics.api.compiled_calls.handles import HANDLES, row_of
from opendynamics.api.compiled_calls.known import DATA, DESCRIPTION, DIMENSIONS, LENGTHS, STEPS, TYPE, WORD, Known
from opendynamics.api.compiled_calls.protocol import COUNT, NOT_HANDLED, VECTORCALL, new_reference, result
from opendynamics.api.compiled_calls.python_api import (
    PyErr_Clear,
    PyErr_Occurred,
    PyFloat_AsDouble,
    PyList_GetItem,
    PyList_Size,
    PyTuple_GetItem,
    PyTuple_Size,
    load,
    load_double,
)
from opendynamics.core.arrays.bodies import LOADS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.arrays.worlds import ISLANDS_SLEEP, SOME_ASLEEP, WORLDS
from opendynamics.core.kernels import entry, kernel

FREQUENT = 200  # calls: a program that makes so many makes more

FORCES = Known(
    "opendynamics_force_calls",
    objects={
        **{"none": None, "float": float, "int": int, "tuple": tuple, "list": list, "ndarray": np.ndarray},
        "float64": np.dtype(np.float64),
    },
    named={
        "Body": "opendynamics.api.body:Body",
        "Store": "opendynamics.core.arrays.store:Store",
    },
    slots={
        "store": ("opendynamics.core.arrays.store:Store", ("tables",)),
    },
    also=HANDLES,
    after=FREQUENT,
)
_known = FORCES.array
_tables = array_of(np.int64)


@entry(VECTORCALL, c_abi=True)
def add_force(function, arguments, flags, names):
    """`body.add_force(vector)`."""
    return result(_added(arguments, flags & COUNT, names, False), function, arguments, flags, names)


@entry(VECTORCALL, c_abi=True)
def add_torque(function, arguments, flags, names):
    """`body.add_torque(vector)`."""
    return result(_added(arguments, flags & COUNT, names, True), function, arguments, flags, names)


@kernel
def _added(arguments, count, names, turning):
    """None; the vector has been added."""
    known = _known()[0]
    if count != 2 or names != 0:
        return NOT_HANDLED
    tables, row = _place_of(load(arguments), known)
    if row < 0:
        return NOT_HANDLED
    found, x, y, z = _vector(load(arguments + WORD), known)
    if not found or WORLDS.rows(tables)[0].sleep_rule == ISLANDS_SLEEP | SOME_ASLEEP:
        return NOT_HANDLED
    load_of_body = LOADS.rows(tables)[row]
    total = load_of_body.torque if turning else load_of_body.force
    if x != 0.0:  # as -0 + 0 is 0
        total[0] += x
    if y != 0.0:
        total[1] += y
    if z != 0.0:
        total[2] += z
    return new_reference(known.none)


@kernel
def _place_of(body, known):
    """The tables of a body's world, and its row; -1 if it is no body that exists."""
    nowhere = _tables(0, 0)
    if load(body + TYPE) != known.Body:
        return nowhere, -1
    row = row_of(known, body)
    if row < 0:
        return nowhere, -1
    store = load(load(body + known.handle_rows) + known.rows_store)
    if load(store + TYPE) != known.Store:
        return nowhere, -1
    tables = load(store + known.store_tables)
    return _tables(load(tables + DATA), load(load(tables + LENGTHS))), row


@kernel
def _vector(given, known):
    """Whether a list, tuple or array has three finite numbers, and these."""
    kind = load(given + TYPE)
    found, x, y, z = False, 0.0, 0.0, 0.0
    if kind == known.ndarray:
        one_dimensional = load(given + DIMENSIONS) & 0xFFFFFFFF == 1
        if one_dimensional and load(load(given + LENGTHS)) == 3 and load(given + DESCRIPTION) == known.float64:
            data, step = load(given + DATA), load(load(given + STEPS))
            found, x, y, z = True, load_double(data), load_double(data + step), load_double(data + 2 * step)
    elif kind == known.tuple and PyTuple_Size(given) == 3:
        found, x, y, z = _numbers(
            PyTuple_GetItem(given, 0), PyTuple_GetItem(given, 1), PyTuple_GetItem(given, 2), known
        )
    elif kind == known.list and PyList_Size(given) == 3:
        found, x, y, z = _numbers(PyList_GetItem(given, 0), PyList_GetItem(given, 1), PyList_GetItem(given, 2), known)
    return found and x * 0.0 + y * 0.0 + z * 0.0 == 0.0, x, y, z


@kernel
def _numbers(one, two, three, known):
    """Whether three objects are floats or integers, and their values."""
    if not (_is_plain(one, known) and _is_plain(two, known) and _is_plain(three, known)):
        return False, 0.0, 0.0, 0.0
    x, y, z = PyFloat_AsDouble(one), PyFloat_AsDouble(two), PyFloat_AsDouble(three)
    if (x == -1.0 or y == -1.0 or z == -1.0) and PyErr_Occurred() != 0:  # an integer that is too large
        PyErr_Clear()
        return False, 0.0, 0.0, 0.0
    return True, x, y, z


@kernel
def _is_plain(thing, known):
    kind = load(thing + TYPE)
    return kind == known.float or kind == known.int
