"""How many leading rows of a joint have no bounds, as its link notes once its rows are filled in."""

from __future__ import annotations

import math

import pytest

import opendynamics as od
from opendynamics.core.arrays.islands import ISLANDS, LINKS
from opendynamics.core.profile import ISLANDS as FIND_ISLANDS
from opendynamics.core.profile import PREPARATION, run_stage

H = 0.01


@pytest.mark.parametrize(
    ("first", "second", "rows", "free"),
    [
        (0.0, 0.0, 4, 4),
        (5.0, 0.0, 5, 4),
        (5.0, 5.0, 6, 4),
        (math.inf, 5.0, 6, 5),  # a motor without a limit is a row without bounds
        (5.0, math.inf, 6, 4),
        (math.inf, math.inf, 6, 6),
    ],
)
def test_rows_before_the_first_bounded_one_are_free(first, second, rows, free):
    world = od.World(gravity=(0, 0, -9.81))
    body = world.add_body(od.Box((0.1, 0.2, 0.3)))
    joint = world.add_universal(body, None, anchor=(0, 0, 0), axis1=(1, 0, 0), axis2=(0, 1, 0))
    joint.motor1(0.1, max_torque=first)
    joint.motor2(0.1, max_torque=second)
    world.advance(H)
    store = world._store
    assert run_stage(store.tables, H, FIND_ISLANDS)
    assert run_stage(store.tables, H, PREPARATION)
    link, bounded = store[LINKS][0], sum(0.0 < limit < math.inf for limit in (first, second))
    assert (int(link["row_count"]), int(link["free_rows"])) == (rows, free)
    assert int(store[ISLANDS]["bounded_rows"][0]) == bounded
