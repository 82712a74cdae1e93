"""Two more ways to make a kernel: with sums that may be reordered, and out of a function that comes in versions."""

from __future__ import annotations

from typing import Any

import numba
from numba import types

from opendynamics.core.kernels import _KernelCompiler, kernel

# Sums may be reordered, divisions become products; inf and nan stay what they are.
REORDERED = {"reassoc", "contract", "nsz", "arcp"}


def fast_kernel(function: Any) -> Any:
    """A `kernel` whose sums may be reordered. The order is fixed when it is compiled, so that reruns agree."""
    dispatcher = numba.njit(
        error_model="numpy",
        fastmath=REORDERED,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        pipeline_class=_KernelCompiler,
    )(function)
    call_template = dispatcher.get_call_template

    def without_literals(arguments: Any, keywords: Any) -> Any:
        return call_template(tuple(map(types.unliteral, arguments)), keywords)

    dispatcher.get_call_template = without_literals
    return dispatcher


def version_kernel(function: Any, version: Any) -> Any:
    """A kernel of a function inside a function, of which there is one for each kernel `version`.

    Machine code from the cache finds its parts by name. Numba tells versions apart by a number that depends on what the
    process compiled before, so that the parts of one entry could be taken for those of another.
    """
    name = version.py_func.__name__
    function.__name__ += f"_{name}"
    function.__qualname__ += f"_{name}"
    return kernel(function)
