"""Shortcuts through Numba give the same machine code, and leave Numba as it was."""

import itertools
import operator
from collections import defaultdict

import numba
import numpy as np
import pytest
from numba.core import event, ir, types
from numba.core.compiler import run_frontend
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.np.numpy_support import from_dtype

from opendynamics.core import numba_shortcuts
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.kernels import ENTRIES, entry, kernel
from opendynamics.core.step import step
from tests.kernel_cache.copies import PACKAGE, run
from tests.kernel_cache.tiny import SIGNATURE, fresh


def replaced():
    """What is replaced in Numba."""
    return ir.Inst._rec_list_vars, event.start_event, event.end_event, types.Function.get_call_type


def nothing_of_the_kind(x):
    return x + "1"


def test_numba_is_as_before_after_a_compilation(monkeypatch):
    monkeypatch.setattr(event, "_registered", defaultdict(list))  # other tests may listen
    before = replaced()
    with numba_shortcuts.shortcuts():
        with numba_shortcuts.shortcuts():
            assert all(now is not then for now, then in zip(replaced(), before, strict=True))
        assert all(now is not then for now, then in zip(replaced(), before, strict=True))
    assert replaced() == before
    fresh().compile()
    assert replaced() == before


def test_numba_is_as_before_after_an_error():
    before = replaced()
    broken = entry(SIGNATURE)(nothing_of_the_kind)
    ENTRIES.remove(broken)
    with pytest.raises(NumbaError, match="unicode_type"):
        broken.compile()
    assert replaced() == before
    with pytest.raises(KeyboardInterrupt), numba_shortcuts.shortcuts():
        raise KeyboardInterrupt
    assert replaced() == before


def test_functions_of_users_that_call_kernels_are_compiled_by_numba_itself():
    twice = kernel(lambda x: 2.0 * x)
    tripled = kernel(lambda x: twice(x) + x)

    @numba.njit
    def called(x):
        return tripled(x) + twice(x)

    assert called(1.5) == 7.5 and called.nopython_signatures


def test_listeners_are_told_what_is_compiled():
    with event.install_recorder("numba:compile") as heard:
        fresh().compile()
    assert len(heard.buffer) == 2


def test_remembered_signatures_are_those_that_numba_finds():
    typing = cpu_target.typing_context
    row = from_dtype(ROWS.dtype)
    operands = [
        types.int64,
        types.int32,
        types.float64,
        types.boolean,
        types.literal(1),
        types.UniTuple(types.float64, 3),
        types.Array(row, 1, "C"),
        types.Array(types.float64, 2, "C"),
        row,
    ]
    binary = [operator.add, operator.mul, operator.truediv, operator.floordiv, operator.iadd, operator.lt, operator.eq]
    binary += [operator.and_, operator.getitem, min]
    calls = [*itertools.product(binary, itertools.product(operands, repeat=2))]
    calls += itertools.product([abs, bool, range, operator.neg], itertools.product(operands))

    def found(resolve, function, arguments):
        type_ = typing._lookup_global(function)
        try:
            signature = resolve(type_, typing, arguments, {})
        except (
            Exception
        ) as error:  # not only of typing, as Numba's rules for lists and arrays expect what they are meant for
            return type(error)
        implementation = type_._impl_keys[signature.args]
        return signature, signature.args, signature.return_type, signature.pysig, str(implementation)

    numba_shortcuts._resolved.clear()
    for call in calls:
        expected = found(types.Function.get_call_type, *call)
        for _ in range(2):
            assert found(numba_shortcuts._get_call_type, *call) == expected, call
    assert len(numba_shortcuts._resolved) > 100


def test_overloads_are_resolved_for_every_caller():
    """Numba compiles them for the flags of the caller."""
    typing = cpu_target.typing_context
    numba_shortcuts._resolved.clear()
    smallest = typing._lookup_global(min)
    assert numba_shortcuts._get_call_type(smallest, typing, (types.float64, types.float64), {}) is not None
    assert not numba_shortcuts._resolved


def test_variables_of_instructions_are_those_that_numba_finds():
    def function(x, y, *rest):
        found = {"a": x, "b": (y, [x, y])}
        for k in range(len(rest)):
            if rest[k]:
                x[k, y] = rest[k](x, key=y)
                del found["a"]
            else:
                x.field = found[1:y]
                raise ValueError(x, y)
        return f"{x}"

    for made in (step.py_func, function):
        statements = [each for block in run_frontend(made).blocks.values() for each in block.body]
        expected = [each.list_vars() for each in statements]
        with numba_shortcuts.shortcuts():
            assert [each.list_vars() for each in statements] == expected
        assert sum(map(len, expected)) > 30


CODE = """
import hashlib
from contextlib import nullcontext
from numba.core.codegen import JITCodeLibrary
from opendynamics import api
from opendynamics.core import jit
from opendynamics.core.collide.narrowphase.planes.sphere_plane import collide
if {plain}:
    jit.shortcuts, jit.shorten, jit._NEEDLESS = nullcontext, lambda target: None, ()
    jit.passes_without = lambda manager, needless: manager
    for name in ("_optimize_functions", "_get_module_for_linking"):
        setattr(jit._KernelLibrary, name, getattr(JITCodeLibrary, name))
print(hashlib.sha256(collide.compile().code).hexdigest())
"""


def test_machine_code_is_that_without_shortcuts(tmp_path):
    settings = {"OPENDYNAMICS_CACHE_DIR": str(tmp_path), "PYTHONHASHSEED": "0"}
    assert run(PACKAGE, CODE.format(plain=True), **settings) == run(PACKAGE, CODE.format(plain=False), **settings)


def test_sizes_and_accesses_of_arrays_are_remembered():
    target = cpu_target.target_context.subtarget()
    numba_shortcuts.shorten(target)
    array = types.Array(types.float64, 1, "C")
    for made in (target.get_value_type(array), target.get_data_type(from_dtype(np.dtype("f8,i2")))):
        assert target.get_abi_sizeof(made) == cpu_target.target_context.get_abi_sizeof(made)
        assert target.get_abi_sizeof(made) == made.get_abi_size(target.target_data)
    signature = array(array)
    for _ in range(2):
        with pytest.raises(NotImplementedError):
            target.get_function("__array__", signature)
    assert type(cpu_target.target_context).__mro__[0].__module__.startswith("numba.")
