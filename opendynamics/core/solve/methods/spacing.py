"""Blocks in an order in which neighbours seldom share a body.

A processor works on several blocks at a time, unless each waits for the accelerations that the one before leaves behind.
The points of one pair of bodies stand next to each other by nature. So the next block is the first of the next WINDOW in
the natural order whose bodies have not been in the last GAP blocks; if there is none, that whose bodies rested longest.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel

WINDOW, GAP = 16, 1


@kernel
def space_blocks(blocks, count, size, spaced, bodies, last, scratch):
    """Write `count` blocks of `size` integers to `spaced` in the new order; 2 and 3 of each say where its bodies are.

    What is not below `bodies` is a place that no other block has. `last` has room for an integer more than that,
    `scratch` for WINDOW.
    """
    for k in range(bodies + 1):
        last[k] = -GAP - 1
    waiting = entered = 0
    for out in range(count):
        while waiting < WINDOW and entered < count:
            scratch[waiting] = entered
            waiting += 1
            entered += 1
        chosen, rested = 0, -1
        for w in range(waiting):
            at = size * scratch[w]
            rest = out - 1 - max(last[min(blocks[at + 2], bodies)], last[min(blocks[at + 3], bodies)])
            if rest > rested:
                chosen, rested = w, rest
            if rest >= GAP:
                break
        at = size * scratch[chosen]
        for k in range(size):
            spaced[size * out + k] = blocks[at + k]
        last[min(blocks[at + 2], bodies)] = last[min(blocks[at + 3], bodies)] = out
        last[bodies] = -GAP - 1
        for w in range(chosen + 1, waiting):
            scratch[w - 1] = scratch[w]
        waiting -= 1
