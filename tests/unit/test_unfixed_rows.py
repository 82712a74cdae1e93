"""The problem without fixed rows against the whole one in NumPy: Jacobian, right-hand side, and what is copied back."""

from __future__ import annotations

import numpy as np
import pytest

from opendynamics.core.solve._body_space.box_lcp import Box
from opendynamics.core.solve._body_space.system import GROUP, System, rows_times, take_columns
from opendynamics.core.solve._body_space.unfixed_rows import count_unfixed, return_unfixed_rows, take_unfixed_rows
from opendynamics.core.solve._lcp.active_set import AT_HI, FIXED, FREE
from opendynamics.core.solve._lcp.interior_point import VECTORS

numba = pytest.importorskip("numba")

# First row of each block, the bodies of each, and the rows that are not fixed: none of the last block.
BLOCK, PLACES, MEMBERS = [0, 6, 15, 18, 21], [(0, 1), (1, 2), (2, -1), (-1, 0)], [0, 3, 6, 7, 9, 10, 11, 16]
ROWS, BODIES = BLOCK[-1], 3


NUMBA = {"error_model": "numpy", "_nrt": False}  # as kernels are compiled: they count no references


@numba.njit(**NUMBA)
def take_and_return(system, box, vectors, spare, y, taken, products):
    """Copy what is taken to `taken` and `products`; then return forces 1, 2, 3 ... and a state."""
    part, own = take_unfixed_rows(system, box, len(products), vectors, spare)
    rows_times(part.blocks, part.block, part.positions, part.columns, y, products)
    for i in range(len(products)):
        taken[i, 0], taken[i, 1], taken[i, 2], taken[i, 3], taken[i, 4] = (
            own.b[i],
            own.cfm[i],
            own.diagonal[i],
            own.lo[i],
            own.hi[i],
        )
        for c in range(12):
            taken[i, 5 + c] = part.scaled[12 * i + c]
        own.x[i] = i + 1.0
    own.state[2] = AT_HI
    return_unfixed_rows(system, box, own)


@numba.njit(**NUMBA)
def columns_of(block, scaled, columns):
    take_columns(len(block) - 1, block, scaled, columns)


@numba.njit(**NUMBA)
def count(box):
    return count_unfixed(box)


def problem(seed):
    """A system of ROWS rows, its box, and A without CFM; two fixed rows have forces."""
    random = np.random.default_rng(seed)
    scaled, jacobian = random.normal(size=(ROWS, 12)), np.zeros((ROWS, 6 * BODIES))
    for k, places in enumerate(PLACES):
        for side, place in enumerate(places):
            here = slice(BLOCK[k], BLOCK[k + 1]), slice(6 * side, 6 * side + 6)
            if place < 0:
                scaled[here] = 0.0
            else:
                jacobian[here[0], 6 * place : 6 * place + 6] = scaled[here]
    block, columns = np.array(BLOCK), np.zeros(12 * ROWS + GROUP)
    columns_of(block, scaled.ravel(), columns)
    nothing, none = np.zeros(1), np.zeros(1, np.int64)
    positions = np.array(PLACES).ravel()
    system = System(
        len(PLACES),
        block,
        positions,
        none,
        scaled.ravel(),
        columns,
        BODIES,
        none,
        none,
        none,
        none,
        none,
        none,
        nothing,
        nothing,
    )
    state = np.full(ROWS, FIXED)
    state[MEMBERS] = FREE
    lo = np.where(state == FIXED, 0.0, -random.uniform(1.0, 2.0, ROWS))
    lo[1], lo[17] = 3.0, -2.0
    hi = np.where(state == FIXED, lo, random.uniform(1.0, 2.0, ROWS))
    b, cfm, own = random.normal(size=(3, ROWS))
    box = Box(b, cfm, own, lo, hi, np.full(ROWS, 9.0), state, np.zeros(ROWS), np.zeros(6 * BODIES))
    return system, box, jacobian @ jacobian.T


def test_rows_that_are_not_fixed_are_a_problem_of_their_own():
    system, box, matrix = problem(1)
    size = len(MEMBERS)
    assert count(box) == size
    spare, y, taken, products = np.zeros(2 * ROWS, np.int64), np.arange(18.0), np.zeros((size, 17)), np.zeros(size)
    take_and_return(system, box, np.zeros(VECTORS * ROWS), spare, y, taken, products)
    assert spare[: len(BLOCK)].tolist() == [0, 2, 7, 8, 8]
    held = np.where(box.lo == box.hi, box.lo, 0.0)
    expected = [
        box.b - matrix @ held - box.cfm * held,
        box.cfm,
        box.diagonal,
        box.lo,
        box.hi,
        *system.scaled.reshape(-1, 12).T,
    ]
    assert taken == pytest.approx(np.array(expected).T[MEMBERS], rel=1e-12, abs=1e-12)
    places = [PLACES[np.searchsorted(BLOCK, row, side="right") - 1] for row in MEMBERS]
    sides = y.reshape(3, 6)[np.array(places)].reshape(size, 12)  # a side without a body is zero in the Jacobian
    assert products == pytest.approx((taken[:, 5:] * sides).sum(axis=1), rel=1e-12)
    forces = held.copy()
    forces[MEMBERS] = np.arange(size) + 1.0
    assert box.x.tolist() == forces.tolist()
    assert box.state[MEMBERS].tolist() == [FREE, FREE, AT_HI, *[FREE] * (size - 3)]
    assert box.residuals == pytest.approx(box.b - matrix @ forces - box.cfm * forces, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("fixed", "counted"), [(0, ROWS), (ROWS, ROWS), (ROWS - 1, 1), (10, ROWS)])
def test_only_a_few_rows_are_worth_a_problem_of_their_own(fixed, counted):
    _, box, _ = problem(2)
    box.state[:] = FREE
    box.state[:fixed] = FIXED
    assert count(box) == counted
