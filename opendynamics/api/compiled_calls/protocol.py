"""The C signature of a compiled call, and what it returns."""

from __future__ import annotations

from opendynamics.api.compiled_calls.python_api import Py_DecRef, Py_IncRef, PyObject_Vectorcall, load, store
from opendynamics.api.compiled_calls.vectorcall import FUNCTION
from opendynamics.core import types
from opendynamics.core.kernels import kernel

NOT_HANDLED = -1  # no object has this address; 0 is an exception
COUNT = (1 << 63) - 1  # bits of `flags` that are the number of positional arguments

VECTORCALL = types.int64(types.int64, types.int64, types.int64, types.int64)


@kernel
def result(found, function, arguments, flags, names):
    """What was found; if the case is not handled, the result of the Python function."""
    return found if found != NOT_HANDLED else PyObject_Vectorcall(load(function + FUNCTION), arguments, flags, names)


@kernel
def new_reference(thing):
    """An object, referenced once more."""
    Py_IncRef(thing)
    return thing


@kernel
def put(owner, thing):
    """Set an attribute, whose place is `owner`, to an object. What it was before may end, which may run any code."""
    before = load(owner)
    Py_IncRef(thing)
    store(owner, thing)
    Py_DecRef(before)
