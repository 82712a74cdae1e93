"""Constraint ordering: neighbours that seldom share a body.

A processor works on several blocks at a time, unless each waits for the accelerations that the one before leaves behind.
The contacts of one pair of bodies follow each other in the island's order. So the next block is the first of the next WINDOW in
the island's order whose bodies have not been in the last GAP blocks; if there is none, that whose bodies were last used
longest ago.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel

WINDOW, GAP = 16, 1


@kernel
def order_by_bodies(blocks, count, size, places, ordered, bodies, last, scratch):
    """Write `count` blocks of `size` integers to `ordered` in the new order; `places` in each are where its bodies are.

    What is not below `bodies` is a place that no other block has. `last` has room for an integer more than that,
    `scratch` for WINDOW.
    """
    body0, body1 = places
    for k in range(bodies + 1):
        last[k] = -GAP - 1
    waiting = entered = 0
    for out in range(count):
        while waiting < WINDOW and entered < count:
            scratch[waiting] = entered
            waiting += 1
            entered += 1
        chosen, longest = 0, -1
        for w in range(waiting):
            at = size * scratch[w]
            unused = out - 1 - max(last[min(blocks[at + body0], bodies)], last[min(blocks[at + body1], bodies)])
            if unused > longest:
                chosen, longest = w, unused
            if unused >= GAP:
                break
        at = size * scratch[chosen]
        for k in range(size):
            ordered[size * out + k] = blocks[at + k]
        last[min(blocks[at + body0], bodies)] = last[min(blocks[at + body1], bodies)] = out
        last[bodies] = -GAP - 1
        for w in range(chosen + 1, waiting):
            scratch[w - 1] = scratch[w]
        waiting -= 1
