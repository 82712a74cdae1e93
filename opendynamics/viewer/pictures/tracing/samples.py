"""Where samples lie: in pixels, on the sun's disk, on the sky. All of it repeats exactly.

In a pixel they are Hammersley's points. On a disk they are a spiral of golden angles with equal areas (Vogel, A better
way to construct the sunflower head, 1979), turned from pixel to pixel by interleaved gradient noise (Jimenez, Next
generation post processing in Call of Duty, 2014), which neighbours share out evenly.
"""

from __future__ import annotations

from math import cos, floor, pi, sin, sqrt

import numpy as np
import numpy.typing as npt

from opendynamics.core.kernels import kernel

GOLDEN = pi * (3.0 - sqrt(5.0))
UNKNOWN = (0.0, 0.0)  # in place of a turn that is not worked out yet


@kernel
def in_pixel(k, n):
    """Place of sample `k` of `n` in a unit square."""
    bits, rest, place = 0.0, k, 0.5
    while rest > 0:
        bits += place * (rest & 1)
        rest >>= 1
        place *= 0.5
    # The middle of a cell of the coarsest grid that has n cells: half of 1 / n in x, of the smallest step in y.
    steps = 1
    while steps < n:
        steps <<= 1
    return (k + 0.5) / n, bits + 0.5 / steps


@kernel
def known(turn):
    """The turn of a pixel, given with the pixel; of one sample, most need none."""
    return turn_of(turn[0][0], turn[0][1]) if turn[1] == UNKNOWN else turn[1]


@kernel
def turn_of(x, y):
    """Cosine and sine of an angle for a pixel."""
    noise = 52.9829189 * _fraction(0.06711056 * x + 0.00583715 * y)
    angle = 2.0 * pi * _fraction(noise)
    return cos(angle), sin(angle)


def on_disk(n: int) -> npt.NDArray[np.float64]:
    """`n` points on the unit disk, shape (n, 2)."""
    k = np.arange(n)
    return np.sqrt((k + 0.5) / max(n, 1))[:, None] * np.stack([np.cos(k * GOLDEN), np.sin(k * GOLDEN)], axis=1)


@kernel
def turned(point, turn):
    """A point on the disk, turned about its middle."""
    return turn[0] * point[0] - turn[1] * point[1], turn[0] * point[1] + turn[1] * point[0]


@kernel
def _fraction(x):
    return x - floor(x)
