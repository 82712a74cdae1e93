"""Cached kernels are loaded and run without Numba, and give the same bits; others import it."""

from typing import NamedTuple

import numpy as np
import pytest

from opendynamics.core import types
from opendynamics.core.compile.loading import address_of
from opendynamics.core.kernels import ENTRIES, entry
from opendynamics.core.step import ADVANCE, step
from tests.checked_calls import fits
from tests.kernel_cache.copies import PACKAGE, run, start
from tests.kernel_cache.tiny import fresh

WITHOUT = """
import sys
import opendynamics as od
assert not [name for name in sys.modules if name.startswith(("numba", "llvmlite"))], "imported"
print(od.Sphere(1.0).point_depth((0, 0, 0.25)), "numba" in sys.modules)
"""

FALLING = """
import sys, threading
import opendynamics as od
if {first!r} == "numba":
    import numba
world = od.World(gravity=(0, 0, -9.81))
world.add_plane(normal=(0, 0, 1))
balls = [world.add_body(od.Sphere(0.1), position=(0.15 * k, 0.01 * k, 0.3 + 0.1 * k), density=1000) for k in range(5)]
world.advance(0.01, steps=50)
assert ("numba" in sys.modules) == ({first!r} == "numba")
print([float.hex(float(number)) for number in world.positions.ravel()])
"""


def test_importing_loads_no_compiler_and_kept_code_needs_none(tmp_path):
    cache = {"OPENDYNAMICS_CACHE_DIR": str(tmp_path / "kernels")}
    assert run(PACKAGE, WITHOUT, **cache) == "0.75 True"
    assert run(PACKAGE, WITHOUT, **cache) == "0.75 False"


def test_bits_are_those_with_numba_at_hand(monkeypatch):
    """With the machine code of the tests themselves, which is made first if it is not there."""
    folder = {"OPENDYNAMICS_CACHE_DIR": ""}
    start(PACKAGE, FALLING.format(first=""), **folder)
    assert run(PACKAGE, FALLING.format(first=""), **folder) == run(PACKAGE, FALLING.format(first="numba"), **folder)


def test_it_is_called_at_its_address_too():
    import ctypes

    made = fresh()
    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double)(made.address)
    result = ctypes.c_double()
    assert call(ctypes.addressof(result), None, 2.0) == 0 and result.value == made(2.0) == 6.0


def test_another_signature_is_refused():
    with pytest.raises(TypeError, match=r"declared as boolean\(.*, float64\), and called as .*int64\)"):
        address_of(step, ADVANCE)


def refuse(x):
    if x < 0.0:
        raise ValueError("x is negative")
    return x


refuse.__module__ = "opendynamics.core.algebra.vec3"


def test_exceptions_are_raised(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path))
    for kept in (False, True):
        made = entry(types.float64(types.float64))(refuse)
        ENTRIES.remove(made)
        assert made(1.0) == 1.0
        assert made.cache.was_kept is kept
        with pytest.raises(ValueError, match="x is negative"):
            made(-1.0)
        with pytest.raises(TypeError):
            made.cache.loaded().call(None)


def test_the_tests_check_what_entries_are_called_with():
    numbers = types.Array(types.float64, 1, "C")
    assert fits(np.zeros(3), numbers) and not fits(np.zeros(3, np.float32), numbers)
    assert not fits(np.zeros(6)[::2], numbers) and not fits(np.zeros((3, 1)), numbers)
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    assert not fits(fixed, numbers) and fits(fixed, types.Array(types.float64, 1, "C", readonly=True))
    made = fresh()
    with pytest.raises(AssertionError, match="called with 'x'"):
        made("x")
        made("x")


class Pair(NamedTuple):
    a: int
    b: float


class Range(NamedTuple):
    a: int
    b: float


def test_texts_of_types_differ():
    """They are what machine code is found by."""
    record = np.dtype([("a", "f8"), ("b", "i4")])
    padded = np.dtype([("a", "f8"), ("b", "i4")], align=True)
    made = [
        types.int64,
        types.float64,
        *(types.Array(dtype, 1, "C") for dtype in (types.int64, types.float64, record, padded)),
        types.Array(types.int64, 2, "C"),
        types.Array(types.int64, 1, "A"),
        types.Array(types.int64, 1, "C", readonly=True),
        types.UniTuple(types.float64, 3),
        types.UniTuple(types.float64, 4),
        types.Tuple((types.int64, types.float64)),
        types.NamedTuple((types.int64, types.float64), Pair),
        types.NamedTuple((types.int64, types.float64), Range),
        types.Record(record),
        types.Record(padded),
    ]
    assert len({str(one) for one in made}) == len(made) == len(set(made))
    assert types.UniTuple(types.float64, 2) == types.Tuple((types.float64, types.float64))
    assert types.void(types.int64) != types.int64(types.int64)
