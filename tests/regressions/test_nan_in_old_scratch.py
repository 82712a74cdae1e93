"""A NaN left in scratch memory by one island made the interior point method of another fail.

The first right side multiplies directions of an earlier use of the memory by zero, which NaN survives: the island fell
through to 2,000 iterations of the PGS fallback and ended with a residual of 1e-3. The directions are zeroed now.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.report import FLOATS
from opendynamics.scenes import SCENES


def test_the_walker_is_solved_whatever_scratch_holds():
    scene = SCENES["walker"].build()
    world = scene.world
    world.solver = "exact"
    iterations = 0
    for _ in range(16):
        world._store[FLOATS][:] = np.nan
        world.advance(scene.h)
        assert world.statistics.residual < 1e-12
        iterations = max(iterations, world.statistics.iterations)
    assert iterations > 8  # the interior point method had a part in it
