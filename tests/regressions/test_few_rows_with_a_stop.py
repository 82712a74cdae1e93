"""Of two rows, one of them at a stop, the stop was ignored.

The product of a square matrix with the forces read whole vectors of eight: behind the forces of very few rows stood their
infinite bounds, and zero times infinity is NaN. What stands there is finite now.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.report import FLOATS


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("rods", [1, 2, 3])
def test_stops_act_beside_rods(rods, axes):
    world = od.World(like="ode")
    one, other = world.add_body(), world.add_body(position=(1, 0.2, 0.3))
    for k in range(rods):
        world.add_dball(one, other, anchor1=0.3 * np.eye(3)[k], anchor2=(1, 0, 0))
    motor = world.add_amotor(one, other, axes=np.eye(3)[:axes])
    for limit in motor.limit_motors[:axes]:
        limit.stops = 0.5, np.inf
    for _ in range(2):
        world.step(0.01)
        assert world.statistics.residual < 1e-12
        # The error is corrected at the rate ERP / h.
        assert (one.angular_velocity - other.angular_velocity)[0] == pytest.approx(0.2 * 0.5 / 0.01, rel=0.02)
        world._store[FLOATS][:] = np.nan
