"""Rows of handles (`api/handle.py`), for kernels."""

from __future__ import annotations

from opendynamics.api.compiled_calls.known import TYPE, Known
from opendynamics.api.compiled_calls.python_api import PyList_GetItem, PyList_Size, PyLong_AsSsize_t, load
from opendynamics.core.kernels import kernel

HANDLES = Known(
    "opendynamics_handles",
    objects={},
    named={"Rows": "opendynamics.api.rows:Rows"},
    slots={
        "handle": ("opendynamics.api.handle:Handle", ("_generation", "_index", "_rows")),
        "rows": ("opendynamics.api.rows:Rows", ("generations", "store")),
    },
)


@kernel
def row_of(known, handle):
    """The row of an object whose class is derived from Handle; -1 if it has none any more."""
    rows, index = load(handle + known.handle_rows), load(handle + known.handle_index)
    generation = load(handle + known.handle_generation)
    if rows == 0 or index == 0 or generation == 0 or load(rows + TYPE) != known.Rows:
        return -1
    row, generations = PyLong_AsSsize_t(index), load(rows + known.rows_generations)
    if not 0 <= row < PyList_Size(generations):
        return -1
    return row if PyLong_AsSsize_t(PyList_GetItem(generations, row)) == PyLong_AsSsize_t(generation) else -1
