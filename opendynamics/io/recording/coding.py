"""Numbers of bodies over time <-> small integers, which compress well.

Reads and writes tracks: the consecutive frames of one body. The first state of a track is a key, stored as it is; every later
frame is stored as its difference from the prediction of the frames before.

    vectors       X = round(x / step);  residual = fold(X - P),  P = 2 X₁ - X₂ (order 2) or X₁ (order 1), with X₁ and X₂
                  of the frames before
    orientations  Q = round(scale q), q of either sign; three of the four numbers are coded like a vector of order 2, the
                  fourth, number k, follows from the others: Q_k = round(sqrt(scale² - sum of the other squares)) >= 0

fold makes 2 n of n >= 0 and -2 n - 1 of the others.

k is the index of the largest number at the start of the track. If |Q_k| falls below SMALL scale, k is chosen again, which is
recorded as a switch. This keeps the root away from zero, and the error small: an angle is off by at most 2 (sqrt(3) / SMALL +
1) / 2 / scale. As predictions are computed from the rounded numbers, as in the reader, errors do not accumulate. All of it is
exact integer arithmetic, except for one correctly rounded root: every reader gets the same numbers.
"""

from __future__ import annotations

from math import floor, sqrt

from opendynamics.core import types
from opendynamics.core.kernels import entry, kernel

LIMIT = float(1 << 52)  # quanta; larger values are clamped
SMALL = 0.4
FLIPPED = 4  # bit of a switch: all signs are flipped

FLOATS = types.Array(types.float64, 2, "C")
INTEGERS = types.Array(types.int64, 2, "C")
INDICES = types.Array(types.int64, 1, "C")


@kernel
def _quantised(x):
    """The nearest integer, clamped; 0 for NaN."""
    if x != x:
        return 0
    return int(floor(min(max(x, -LIMIT), LIMIT) + 0.5))


@kernel
def _folded(n):
    """An integer as one from 0 on: small magnitudes remain small."""
    return (n << 1) ^ (n >> 63)


@kernel
def _unfolded(n):
    return (n >> 1) ^ -(n & 1)


@entry(
    types.void(FLOATS, types.int64, types.int64, INDICES, INDICES, types.float64, INTEGERS, INTEGERS, INTEGERS),
    nogil=True,
)
def encode_vectors(states, column, order, rows, starts, step, keys, residuals, work):
    """Encode some columns of `states` from `column` on, as many as `keys` has, track by track.

    Track t consists of states[rows[starts[t]:starts[t + 1]]]. Its key becomes keys[t], its residuals the columns from
    starts[t] - t on of `residuals`, a row for each number. A row of `states` is read once, as it is seldom in the
    cache. `work`: (2, columns).
    """
    rate = 1.0 / step
    last, before = work[0], work[1]
    for t in range(len(starts) - 1):
        for c in range(keys.shape[1]):
            keys[t, c] = last[c] = before[c] = _quantised(states[rows[starts[t]], column + c] * rate)
        for m in range(starts[t] + 1, starts[t + 1]):
            for c in range(keys.shape[1]):
                x = _quantised(states[rows[m], column + c] * rate)
                residuals[c, m - t - 1] = _folded(x - (2 * last[c] - before[c] if order == 2 else last[c]))
                before[c] = last[c]
                last[c] = x


@entry(types.void(INTEGERS, INTEGERS, types.int64, INDICES, types.float64, FLOATS, types.int64), nogil=True)
def decode_vectors(keys, residuals, order, starts, step, out, column):
    """The inverse of `encode_vectors`: the tracks' numbers, one track after another, in columns from `column` on."""
    for t in range(len(starts) - 1):
        for c in range(keys.shape[1]):
            last = keys[t, c]
            before = last
            out[starts[t], column + c] = last * step
            for m in range(starts[t] + 1, starts[t + 1]):
                x = _unfolded(residuals[c, m - t - 1]) + (2 * last - before if order == 2 else last)
                out[m, column + c] = x * step
                before = last
                last = x


@kernel
def _largest(q):
    """Index of the number with the largest magnitude among four, the first of several."""
    k = 0
    for c in range(1, 4):
        if abs(q[c]) > abs(q[k]):
            k = c
    return k


@kernel
def _fourth(q, k, scale):
    """Number k of a quaternion of length `scale` with the other three given."""
    rest = scale * scale
    for c in range(4):
        if c != k:
            rest -= float(q[c]) * float(q[c])
    return int(floor(sqrt(max(rest, 0.0)) + 0.5))


@kernel
def _turn_round(q):
    for c in range(4):
        q[c] = -q[c]


@entry(
    types.int64(FLOATS, types.int64, INDICES, INDICES, types.float64, INTEGERS, INTEGERS, INTEGERS, INTEGERS),
    nogil=True,
)
def encode_orientations(states, column, rows, starts, scale, keys, residuals, switches, work):
    """Encode the quaternions in four columns of `states`, track by track; returns the number of switches.

    `switches` has room for one per residual: the column of `residuals`, and the new k with FLIPPED. `work`: (3, 4).
    """
    count = 0
    now, last, before = work[0], work[1], work[2]
    for t in range(len(starts) - 1):
        for m in range(starts[t], starts[t + 1]):
            dot = 0.0
            for c in range(4):
                now[c] = _quantised(states[rows[m], column + c] * scale)
                dot += float(now[c]) * float(last[c])
            if m == starts[t]:
                k = _largest(now)
                if now[k] < 0:
                    _turn_round(now)
                for c in range(4):
                    keys[t, c] = last[c] = before[c] = now[c]
                continue
            if dot < 0.0:
                _turn_round(now)
            if now[k] < SMALL * scale:
                k = _largest(now)
                switches[count, 0] = m - t - 1
                switches[count, 1] = k
                if now[k] < 0:
                    _turn_round(now)
                    _turn_round(last)
                    _turn_round(before)
                    switches[count, 1] |= FLIPPED
                count += 1
            place = 0
            for c in range(4):
                if c != k:
                    residuals[place, m - t - 1] = _folded(now[c] - (2 * last[c] - before[c]))
                    place += 1
            now[k] = _fourth(now, k, scale)
            for c in range(4):
                before[c] = last[c]
                last[c] = now[c]
    return count


@entry(types.void(INTEGERS, INTEGERS, INTEGERS, INDICES, types.float64, INTEGERS, FLOATS, types.int64), nogil=True)
def decode_orientations(keys, residuals, switches, starts, scale, work, out, column):
    """The inverse of `encode_orientations`: unit quaternions, in columns from `column` on. `work`: (3, 4)."""
    at = 0
    now, last, before = work[0], work[1], work[2]
    for t in range(len(starts) - 1):
        for c in range(4):
            now[c] = last[c] = before[c] = keys[t, c]
        k = _largest(now)
        for m in range(starts[t], starts[t + 1]):
            if m > starts[t]:
                if at < len(switches) and switches[at, 0] == m - t - 1:
                    k = switches[at, 1] & 3
                    if switches[at, 1] & FLIPPED:
                        _turn_round(last)
                        _turn_round(before)
                    at += 1
                place = 0
                for c in range(4):
                    if c != k:
                        now[c] = _unfolded(residuals[place, m - t - 1]) + (2 * last[c] - before[c])
                        place += 1
                now[k] = _fourth(now, k, scale)
                for c in range(4):
                    before[c] = last[c]
                    last[c] = now[c]
            length = 0.0
            for c in range(4):
                length += float(now[c]) * float(now[c])
            length = max(sqrt(length), 1.0)
            for c in range(4):
                out[m, column + c] = now[c] / length
