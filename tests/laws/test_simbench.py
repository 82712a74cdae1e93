"""SimBenchmark's accuracy tests, shortened; `python -m benchmarks.accuracy` measures them in full."""

import numpy as np
import pytest

from benchmarks import simbench


@pytest.mark.parametrize("direction", ["y", "xy"])
def test_a_slab_slips_under_rolling_balls(direction):
    assert simbench.rolling(direction, duration=0.5) <= 1e-9


def test_the_pyramid_holds_the_slab_in_the_direction_between_its_axes():
    # 75 N and 130 N are less than 137 N each: nothing moves, and the error is the square of what would.
    steps = np.arange(1, 501) * 1e-3
    nothing = float((steps**2).mean()) * (0.21098**2 + (3.5 * 0.21098) ** 2)
    assert simbench.rolling("xy", cone="pyramid", duration=0.5) == pytest.approx(nothing, rel=1e-2)


def test_a_robot_hit_by_a_ball_keeps_the_momentum():
    assert simbench.momentum(duration=1.0) <= 1e-24


def test_a_heap_of_balls_hardly_overlaps():
    """4³ of the benchmark's 6³, with their part of its error."""
    assert simbench.balls(count=4, duration=3.0) <= 1.6e-4 * 4**3 / 6**3


def test_penetrations_are_counted_once():
    centres = np.array([[0, 0, 0.5], [0, 0, 0.55], [5, 0, 0.08], [5, 0.21, 0.1]])
    assert simbench.squared_penetrations(centres, 0.1) == pytest.approx(0.15**2 + 0.02**2, rel=1e-12)


def test_falling_balls_lose_what_semi_implicit_euler_loses():
    # m g² h t / 2, until they land after 1.009 s; what the bounces add is in the benchmark.
    error = simbench.bouncing(h=1e-3, duration=1.0)
    steps = np.arange(1, 1001) * 1e-3
    assert error == pytest.approx(float(((49 * 10 * 9.81**2 * 1e-3 * steps / 2) ** 2).mean()), rel=1e-2)
