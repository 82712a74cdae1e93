"""Graph colouring: constraints of one colour share no movable body, so that WIDTH of them are solved at a time.

Greedy, in the order of the links: first constraints between two movable bodies, then, in later colours, those with an immovable
body, so that an iteration ends at the ground. In a batch of small islands (`together`), colours are levels: a constraint comes
after all earlier ones with a body of its own, so that their order is that of the links, in which towers converge faster. Within
a colour, manifolds are sorted by their number of points. Colours depend on the island alone, so results are bit-identical for
any number of threads.
"""

from __future__ import annotations

from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.plan.layout import (
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
    if island.batch != 0:
        count = _assign_levels(items, plan[ITEMS + kind], masks, floats)
    else:
        first = _colour(items, plan[ITEMS + kind], masks, floats, 0, True)
        count = _colour(items, plan[ITEMS + kind], masks, floats, first, False)
    _group(tables, island, kind, count)


@kernel
def _bodies(item, floats):
    """Both bodies of an item, and whether they are movable."""
    a, b = item[BODY_A], item[BODY_B]
    return a, b, floats[BODY * a + INVERSE_MASS] > 0.0, floats[BODY * b + INVERSE_MASS] > 0.0


@kernel
def _assign_levels(items, count, levels, floats):
    """Colours that keep the order of the links. Returns the number of colours."""
    colours = 0
    for k in range(count):
        own = vector(items, ITEM, k)
        a, b, near, far = _bodies(own, floats)
        level = max(levels[a] if near else 0, levels[b] if far else 0)
        if level == MAX_COLOURS:
            own[COLOUR] = -1
            continue
        own[COLOUR] = level
        colours = max(colours, level + 1)
        if near:
            levels[a] = level + 1
        if far:
            levels[b] = level + 1
    return colours


@kernel
def _colour(items, count, masks, floats, first, both):
    """Assign colours from `first` to constraints between two movable bodies, or to the rest. Returns the number of colours."""
    colours = first
    for k in range(count):
        own = vector(items, ITEM, k)
        a, b, near, far = _bodies(own, floats)
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
def _group(tables, island, kind, count):
    """Fill the lanes of groups, colour by colour, of `count` colours, manifolds with most points first."""
    plan, own = INTEGERS.rows(tables), coloured_of(tables, island, kind)
    heads = piece(own.masks, island.bodies + 1, MAX_COLOURS * MANY)
    _list_by_colour(own.items, plan[ITEMS + kind], heads, count)
    groups = blocks = 0
    for number in range(count):
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
    own.first[groups] = blocks
    for number in range(count, MAX_COLOURS + 1):
        own.colours[number] = groups
    plan[GROUPS + kind], plan[BLOCKS + kind] = groups, blocks


@kernel
def _list_by_colour(items, count, heads, colours):
    for k in range(MANY * colours):
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
