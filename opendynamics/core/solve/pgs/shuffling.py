"""ODE's generator of pseudo-random numbers, and the shuffles of QuickStep's rows.

A 32-bit linear congruence, s <- A s + C. It can be set ahead by any number of draws in few operations, so that an
island need not wait for the islands before it: n draws are s <- Aⁿ s + C (Aⁿ⁻¹ + ... + A + 1), composed of doublings
(F. B. Brown, Random number generation with arbitrary strides, 1994).
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel

FACTOR, INCREMENT, BITS = 1664525, 1013904223, 0xFFFFFFFF


@kernel
def drawn_ahead(state, draws):
    """The generator's state after `draws` draws."""
    factor, increment = FACTOR, INCREMENT
    while draws > 0:
        if draws & 1:
            state = (state * factor + increment) & BITS
        increment = (increment * (factor + 1)) & BITS
        factor = (factor * factor) & BITS
        draws >>= 1
    return state


@kernel
def shuffle(order, n, state):
    """Shuffle the first `n` numbers of `order` with n - 1 draws; returns the generator's state."""
    for k in range(1, n):
        state = (state * FACTOR + INCREMENT) & BITS
        other = _below(state, k + 1)
        order[k], order[other] = order[other], order[k]
    return state


@kernel
def _below(state, n):
    """ODE's dRandInt: the state's high bits folded down, then scaled to [0, n)."""
    if n > 0x10000:
        return (state * n) >> 32
    state ^= state >> 16
    if n > 0x100:
        return ((state & 0xFFFF) * n) >> 16
    state ^= state >> 8
    if n > 0x10:
        return ((state & 0xFF) * n) >> 8
    state ^= state >> 4
    if n > 4:
        return ((state & 0xF) * n) >> 4
    state ^= state >> 2
    if n > 2:
        return ((state & 3) * n) >> 2
    state ^= state >> 1
    return state & (n >> 1)
