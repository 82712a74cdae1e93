"""Layout of an island's data in scratch memory.

Each body has a record that is gathered in every iteration; data that a step needs only a few times is stored separately. Rows of
links that are solved one after another (`rows`, `iterations`) have their own records. Constraints solved WIDTH at a time are in
groups: contact manifolds (`contact_lanes`), ball joints (`ball_lanes`), hinges and universal joints (`axis_lanes`), with stride
WIDTH between the numbers of a lane.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.algebra.lanes import lane_kernel as lane_kernel_of
from opendynamics.core.arrays.joints import JOINT_ORDER
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.table import array_of
from opendynamics.core.arrays.team.jobs import MAX_MEMBERS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import LINE, at_line, piece

# Lanes of a group: constraints of one colour that are solved at a time. Wider groups have more empty lanes in small islands.
WIDTH = LANES

# Decorator for kernels over the lanes of a group; these arguments are of the island.
lane_kernel = lane_kernel_of(("bodies", "tensors", "items", "drafts"))

# Of a body, each linear 3 and angular 3: velocity, displacement since the step began. Then its inverse mass, and of the rotation
# by its displacement θ the factors a, b of r + a θ x r + b θ x (θ x r).
VELOCITY, MOVED, INVERSE_MASS, TURN = 0, 6, 12, 13
BODY = 16

# In place of the velocity, before that is loaded: whether a body is too slender for lanes.
IS_SLENDER = VELOCITY

# Of a body, data that is rarely used: what a sub-step without constraints adds to the velocity; the velocity at the beginning of
# the step, and of the sub-step; by how much the angular velocity of free rotation at the beginning exceeds its mean.
FREE, START, BEFORE, SHIFT = 0, 6, 12, 18
COLD = 21

# State of a body to be restored after the sub-steps: position 3, quaternion 4, rotation 9, velocities 6.
SAVED = 22

# Of a row: J0 and J1 (6 each), M⁻¹ J0ᵀ and M⁻¹ J1ᵀ (6 each), 1 / (J M⁻¹ Jᵀ + cfm), CFM over the sub-step,
# velocities that it aims at with bias and in relaxation, bounds, impulse of the sub-step, sum of impulses; of a normal row the
# bias rate, 1/s, mass scale and impulse scale of the soft constraint (see `iterations`), and the separation at the beginning; of
# a joint's row the velocity that a motor asks for. Finally the velocity of restitution, and its impulse.
RESPONSE, EFFECTIVE_MASS, CFM, TARGET, REST, LO, HI, IMPULSE, TOTAL = 12, 24, 25, 26, 27, 28, 29, 30, 31
RATE, MASS_SCALE, IMPULSE_SCALE, SEPARATION = 32, 33, 34, 35
DRIVE = 32
REBOUND, RESTORED = 36, 37
# Of a friction row: J M⁻¹ Jᵀ with the normal row, and of the second one with the first.
COUPLING, COUPLING1 = 38, 39
ROW = 40

# Numbers of its bodies (that of the static world is the last) and of its normal row (-1: none), `row.pair`, and which of the
# world's rows it is.
BODY0, BODY1, NORMAL, PAIR, SOURCE = range(5)
PLACE = 5

# Of a link that is solved by itself: its place among the island's, its first row here, the world's row that it begins with, its
# number of rows, how many of the first are hard and solved as a block, and where that block begins in the floats, ALONE or
# TOGETHER for contacts; whether a joint's rows were filled in at the current poses; whether a cached force was found for it; the
# row of the motor whose rows follow a joint's own, -1: none (see `motors`); the states of its limits, and of the motor's.
NUMBER, FIRST, FIRST_ROW, COUNT, HARD, AT, FILLED, STARTED, MOTOR, STATES, MOTOR_STATES = range(11)
LINK = 11

# Whether the rows of a contact are solved one by one, or at once, as those of a normal and two directions of friction are.
ALONE, TOGETHER = -1, -2

# Most rows of a block, most other rows that are coupled with it, and its numbers: see `blocks`. A block begins at a cache line.
# Behind it, a joint's `numbers` as the step began, to be restored after the sub-steps.
MAX_HARD, MAX_COUPLED = 6, 3
NUMBERS, NUMBERS_OF_JOINT = 280, 24
JOINT = NUMBERS + NUMBERS_OF_JOINT

# Of an item to be coloured (a manifold or a joint): index of its first link in the island, number of links, bodies, colour (-1 if
# there are too many), and the next item of its colour while groups are filled; afterwards its lane.
PLACE_OF, POINTS, BODY_A, BODY_B, COLOUR, NEXT = range(6)
LANE = NEXT
ITEM = 6

# Maximum number of colours: remaining constraints are solved one by one. A body's colours are the bits of one integer.
MAX_COLOURS = 60

# The plan, at the beginning of the integers: the island's numbers of links, rows and so on, from which all offsets follow.
LINKS_HERE, ROWS_HERE, JOINTS_HERE, ITEMS, GROUPS, BLOCKS = 0, 1, 2, 3, 6, 9
# BOUNCES: whether any contact bounces. ORDER: see `links`. GUESSED: whether FORCES has a first guess, see `solve/load_paths`.
# REQUIRED: the sub-steps that its height requires, see `parameters`.
BOUNCES, ORDER, GUESSED, REQUIRED = 12, 13, 14, 15
PLAN = 16

# Kinds of items that are coloured, and then further kinds that jobs are over.
CONTACTS, BALLS, AXES, BODIES, LINKS = range(5)
KINDS = BODIES

# Manifolds with this number of points or more are sorted as one size.
MANY = 12

# In groups, of a lane, float32. Of a manifold, then of each of its points: see `contact_lanes`. Of a joint: see `ball_lanes` and
# `axis_lanes`.
MANIFOLD, POINT, BALL, AXIS = 30, 11, 38, 98

# Impulses of a point or ball joint, float32: three of the sub-step, their sums. Of a hinge or universal joint: seven, and sums.
SUM = 3
IMPULSES = 6
AXIS_IMPULSES = 14

# Drafts, float32, in the order of the links: data of a manifold, its points and a joint before its lane is filled in.
# See `manifolds`, `ball_lanes` and `axis_lanes`.
MANIFOLD_DRAFT, POINT_DRAFT, BALL_DRAFT, AXIS_DRAFT = 16, 8, 16, 48

# Of a body, float32: its inverse inertia in the world (xx xy xz yy yz zz), its inverse mass.
TENSOR = 8

# Numbers that an iteration depends on, in a cache line: 1/h' of the sub-step, time since the step began, CFM over the sub-step,
# and the largest bias velocity of a contact.
INVERSE_STEP, ELAPSED, SUBSTEP_CFM, MAX_BIAS = range(4)
SETTINGS = LINE

singles = array_of(np.float32)


@kernel
def most_items(tables, island, kind):
    """Upper bound of the items of a kind."""
    return island.links if kind == CONTACTS else min(island.links, JOINT_ORDER.used(tables))


@kernel
def max_groups(items):
    """Upper bound of the groups of so many items: each colour may leave one group partly empty."""
    return items // WIDTH + MAX_COLOURS + 1


@kernel
def coloured_size(items):
    """Integers of so many items of a kind."""
    return ITEM * items + (1 + 3 * WIDTH) * max_groups(items) + 1 + MAX_COLOURS + 1


@kernel
def integers_needed(tables, island):
    """Upper bound, from the island's size alone."""
    coloured = 0
    for kind in range(KINDS):
        coloured += coloured_size(most_items(tables, island, kind))
    return PLAN + LINK * island.links + PLACE * island.rows + island.bodies + 1 + MAX_COLOURS * MANY + coloured


class Scratch(NamedTuple):
    """Bodies, and the constraints that are solved row by row."""

    floats: Any  # begin with the bodies' records
    cold: Any
    saved: Any
    rows: Any
    places: Any
    links: Any


@kernel
def scratch_of(tables, island):
    """Scratch memory of an island."""
    floats, integers, plan = FLOATS.rows(tables), INTEGERS.rows(tables), INTEGERS.rows(tables)
    cold = BODY * (island.bodies + 1)
    saved = cold + COLD * island.bodies
    return Scratch(
        floats,
        piece(floats, cold, COLD * island.bodies),
        piece(floats, saved, SAVED * island.bodies),
        piece(floats, first_row(island), ROW * plan[ROWS_HERE]),
        piece(integers, PLAN + LINK * island.links, PLACE * island.rows),
        piece(integers, PLAN, LINK * island.links),
    )


@kernel
def first_row(island):
    """Offset of the first row's record in the floats."""
    return BODY * (island.bodies + 1) + (COLD + SAVED) * island.bodies


@kernel
def first_joint(tables, island):
    """Offset of the first joint's block in the floats."""
    return at_line(first_row(island) + ROW * INTEGERS.rows(tables)[ROWS_HERE])


@kernel
def _first_change(tables, island):
    """Offset of `Lanes.changes` in the floats: where a cache line begins, so that no two threads write to the same line."""
    return first_joint(tables, island) + JOINT * INTEGERS.rows(tables)[JOINTS_HERE]


class Coloured(NamedTuple):
    """The items of one kind to be coloured, and their groups."""

    items: Any
    first: Any  # block of each group, and one more
    colours: Any  # first group of each colour, and one more
    lanes: Any  # item in each lane, -1: none
    near: Any  # body in each lane
    far: Any
    masks: Any  # colours of each body, as bits; behind them the first item of each colour and number of points


@kernel
def coloured_of(tables, island, kind):
    integers, items = INTEGERS.rows(tables), most_items(tables, island, kind)
    groups = max_groups(items)
    masks, heads = PLAN + LINK * island.links + PLACE * island.rows, island.bodies + 1 + MAX_COLOURS * MANY
    at = masks + heads
    for before in range(kind):
        at += coloured_size(most_items(tables, island, before))
    ends = at + ITEM * items
    colours = ends + groups + 1
    lanes = colours + MAX_COLOURS + 1
    return Coloured(
        piece(integers, at, ITEM * items),
        piece(integers, ends, groups + 1),
        piece(integers, colours, MAX_COLOURS + 1),
        piece(integers, lanes, WIDTH * groups),
        piece(integers, lanes + WIDTH * groups, WIDTH * groups),
        piece(integers, lanes + 2 * WIDTH * groups, WIDTH * groups),
        piece(integers, masks, heads),
    )


class Lanes(NamedTuple):
    """Records of groups."""

    manifolds: Any
    points: Any
    impulses: Any  # of points
    balls: Any
    ball_impulses: Any
    axes: Any
    axis_impulses: Any
    tensors: Any  # of bodies; zeros where none moves
    drafts: Any
    axis_drafts: Any
    changes: (
        Any  # for each thread, the largest change of an impulse of each lane in an iteration, and the largest impulse
    )
    settings: Any  # of an iteration: INVERSE_STEP and so on


@kernel
def lanes_of(tables, island):
    plan, floats = INTEGERS.rows(tables), FLOATS.rows(tables)
    changes = _first_change(tables, island)
    groups, blocks = WIDTH * plan[GROUPS], WIDTH * plan[BLOCKS]
    balls, axes = WIDTH * plan[GROUPS + BALLS], WIDTH * plan[GROUPS + AXES]
    settings = changes + 2 * WIDTH * MAX_MEMBERS
    here = FLOATS.address(tables, settings + SETTINGS)
    points = here + 4 * MANIFOLD * groups
    impulses = points + 4 * POINT * blocks
    joints = impulses + 4 * IMPULSES * blocks
    ball_impulses = joints + 4 * BALL * balls
    hinged = ball_impulses + 4 * IMPULSES * balls
    turns = hinged + 4 * AXIS * axes
    tensors = turns + 4 * AXIS_IMPULSES * axes
    drafts = tensors + 4 * TENSOR * (island.bodies + 1)
    return Lanes(
        singles(here, MANIFOLD * groups),
        singles(points, POINT * blocks),
        singles(impulses, IMPULSES * blocks),
        singles(joints, BALL * balls),
        singles(ball_impulses, IMPULSES * balls),
        singles(hinged, AXIS * axes),
        singles(turns, AXIS_IMPULSES * axes),
        singles(tensors, TENSOR * (island.bodies + 1)),
        singles(drafts, drafts_needed(tables, island)),
        singles(drafts + 4 * drafts_needed(tables, island), AXIS_DRAFT * plan[ITEMS + AXES]),
        piece(floats, changes, 2 * WIDTH * MAX_MEMBERS),
        piece(floats, settings, SETTINGS),
    )


@kernel
def floats_needed(tables, island):
    """Size in floats, once everything is counted and coloured."""
    plan = INTEGERS.rows(tables)
    lanes = MANIFOLD * plan[GROUPS] + (POINT + IMPULSES) * plan[BLOCKS]
    lanes += (BALL + IMPULSES) * plan[GROUPS + BALLS] + (AXIS + AXIS_IMPULSES) * plan[GROUPS + AXES]
    drafts = drafts_needed(tables, island) + AXIS_DRAFT * plan[ITEMS + AXES]
    singles = WIDTH * lanes + TENSOR * (island.bodies + 1) + drafts
    return _first_change(tables, island) + 2 * WIDTH * MAX_MEMBERS + SETTINGS + singles // 2 + 1


@kernel
def drafts_needed(tables, island):
    """Size of the drafts: manifolds, one point per link, and ball joints; `floats_needed` adds hinges and universal joints."""
    plan = INTEGERS.rows(tables)
    points = POINT_DRAFT * island.links if plan[ITEMS + CONTACTS] > 0 else 0
    return MANIFOLD_DRAFT * plan[ITEMS + CONTACTS] + points + BALL_DRAFT * plan[ITEMS + BALLS]


@kernel
def draft_of_manifold(item, k):
    """Offset of the draft of manifold k, `item`; those of its points follow."""
    return MANIFOLD_DRAFT * k + POINT_DRAFT * item[PLACE_OF]


@kernel
def draft_of_ball(lanes, k, count):
    """Offset of the draft of ball joint k of `count`: at the end."""
    return len(lanes.drafts) - BALL_DRAFT * (count - k)
