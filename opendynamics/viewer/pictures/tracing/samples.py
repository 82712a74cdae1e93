"""Where samples lie: in pixels, on the sun's disk, on the sky. All of it repeats exactly.

In a pixel they are Hammersley's points. On a disk they are a spiral of golden angles with equal areas (Vogel, A better
way to construct the sunflower head, 1979), turned from pixel to pixel by interleaved gradient noise (Jimenez, Next
generation post processing in Call of Duty, 2014), which neighbours share out evenly.
"""

from __future__ import annotations

from math import cos, floor, pi, sin, sqrt

from opendynamics.core.kernels import kernel

GOLDEN = pi * (3.0 - sqrt(5.0))


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
def turn_of(x, y):
    """An angle for a pixel."""
    noise = 52.9829189 * _fraction(0.06711056 * x + 0.00583715 * y)
    return 2.0 * pi * _fraction(noise)


@kernel
def on_disk(k, n, turn):
    """Point `k` of `n` on the unit disk."""
    r, angle = sqrt((k + 0.5) / n), k * GOLDEN + turn
    return r * cos(angle), r * sin(angle)


@kernel
def _fraction(x):
    return x - floor(x)
