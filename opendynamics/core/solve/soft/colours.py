"""Graph colouring: constraints of one colour share no movable body, so that WIDTH of them are solved at a time.

Greedy, in the order of the links: first constraints between two movable bodies, then, in later colours, those with an immovable
body, so that an iteration ends at the ground. Within a colour, manifolds are sorted by their number of points. Colours depend on
the island alone, so results are bit-identical for any number of threads.
"""

from __future__ import annotations

from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.layout import (
    BLOCKS,
    BODY,
    BODY_A,
    BODY_B,
    COLOUR,
    GROUPS,
    INVERSE_MASS,
    ITEM,
    ITEMS,
    LANE,
    MANY,
    MAX_COLOURS,
    NEXT,
    POINTS,
    WIDTH,
    coloured_of,
)


@kernel
def colour(tables, island, floats, kind):
    """Colour the items of a kind, -1 above the limit of colours, and assign them to groups."""
    plan = INTEGERS.rows(tables)
    own = coloured_of(tables, island, kind)
    items, masks = own.items, own.masks
    for k in range(island.bodies + 1):
        masks[k] = 0
    first = _colour(items, plan[ITEMS + kind], masks, floats, 0, True)
    _colour(items, plan[ITEMS + kind], masks, floats, first, False)
    _group(tables, island, kind)


@kernel
def _colour(items, count, masks, floats, first, both):
    """Assign colours from `first` to constraints between two movable bodies, or to the rest. Returns the number of colours."""
    colours = first
    for k in range(count):
        own = vector(items, ITEM, k)
        a, b = own[BODY_A], own[BODY_B]
        near, far = floats[BODY * a + INVERSE_MASS] > 0.0, floats[BODY * b + INVERSE_MASS] > 0.0
        if (near and far) != both:
            continue
        taken = (masks[a] if near else 0) | (masks[b] if far else 0)
        number = first
        while number < MAX_COLOURS and (taken >> number) & 1:
            number += 1
        if number == MAX_COLOURS:
            own[COLOUR] = -1
            continue
        own[COLOUR] = number
        colours = max(colours, number + 1)
        if near:
            masks[a] |= 1 << number
        if far:
            masks[b] |= 1 << number
    return colours


@kernel
def _group(tables, island, kind):
    """Fill the lanes of groups, colour by colour, manifolds with most points first."""
    plan, own = INTEGERS.rows(tables), coloured_of(tables, island, kind)
    heads = piece(own.masks, island.bodies + 1, MAX_COLOURS * MANY)
    _list_by_colour(own.items, plan[ITEMS + kind], heads)
    groups = blocks = 0
    for number in range(MAX_COLOURS):
        lane, own.colours[number] = WIDTH, groups
        for points in range(MANY - 1, -1, -1):
            k = heads[MANY * number + points]
            while k >= 0:
                item = vector(own.items, ITEM, k)
                if lane == WIDTH:
                    _open_group(own, groups, blocks, island.bodies)
                    groups, lane, most = groups + 1, 0, 0
                at = WIDTH * (groups - 1) + lane
                own.lanes[at], own.near[at], own.far[at] = k, item[BODY_A], item[BODY_B]
                if item[POINTS] > most:
                    blocks += item[POINTS] - most
                    most = item[POINTS]
                lane += 1
                k, item[LANE] = item[NEXT], at
    own.first[groups], own.colours[MAX_COLOURS] = blocks, groups
    plan[GROUPS + kind], plan[BLOCKS + kind] = groups, blocks


@kernel
def _list_by_colour(items, count, heads):
    for k in range(MAX_COLOURS * MANY):
        heads[k] = -1
    for k in range(count - 1, -1, -1):
        item = vector(items, ITEM, k)
        if item[COLOUR] >= 0:
            at = MANY * item[COLOUR] + min(item[POINTS], MANY) - 1
            item[NEXT] = heads[at]
            heads[at] = k


@kernel
def _open_group(own, number, block, static):
    """Start a group of empty lanes."""
    own.first[number] = block
    for at in range(WIDTH * number, WIDTH * number + WIDTH):
        own.lanes[at] = -1
        own.near[at] = own.far[at] = static
