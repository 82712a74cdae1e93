"""Jobs over joints in lanes: balls (`ball_lanes`), hinges and universal joints (`axis_lanes`). `sharing` has their order."""

from __future__ import annotations

from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.constrain.look_ahead import AHEAD, look_ahead
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.axis_lanes import (
    MOST,
    begin_axes,
    draft_axis,
    fill_axes,
    solve_axes,
    write_axis_forces,
)
from opendynamics.core.solve.soft.ball_lanes import begin_balls, draft_ball, fill_balls, solve_balls
from opendynamics.core.solve.soft.iterations import JOINT_IMPULSE_SCALE
from opendynamics.core.solve.soft.manifolds import link_of, write_lane_forces
from opendynamics.core.solve.soft.plan.layout import (
    AXIS,
    AXIS_DRAFT,
    AXIS_IMPULSES,
    BALL,
    BALL_DRAFT,
    BALLS,
    COLOUR,
    IMPULSES,
    ITEM,
    ITEMS,
    LANE,
    PLACE_OF,
    WIDTH,
    coloured_of,
    draft_of_ball,
    lanes_of,
    scratch_of,
)
from opendynamics.core.solve.warm_starting import attempt_to_solve, start_link

W = WIDTH


@kernel
def draft_joints(tables, island, kind, first, end, h, substeps):
    """Write drafts of the joints of items from `first` up to `end`, in the order of the links: see `manifolds`."""
    own, lanes, attempt = coloured_of(tables, island, kind), lanes_of(tables, island), attempt_to_solve(tables, island)
    count = INTEGERS.rows(tables)[ITEMS + kind]
    for k in range(first, end):
        if k + AHEAD < count:
            look_ahead(tables, island, vector(own.items, ITEM, k + AHEAD)[PLACE_OF])
        item = vector(own.items, ITEM, k)
        if item[COLOUR] < 0:
            continue
        link = link_of(tables, island, item[PLACE_OF])
        start_link(tables, link, 1.0, attempt)
        if kind == BALLS:
            draft_ball(tables, link, piece(lanes.drafts, draft_of_ball(lanes, k, count), BALL_DRAFT), h, substeps)
        else:
            draft_axis(tables, link, vector(lanes.axis_drafts, AXIS_DRAFT, k), h, substeps)


@kernel
def fill_joints(tables, island, kind, first, end):
    """Fill the lanes of groups from their drafts."""
    own, lanes = coloured_of(tables, island, kind), lanes_of(tables, island)
    count = INTEGERS.rows(tables)[ITEMS + BALLS]
    drafts = piece(lanes.drafts, draft_of_ball(lanes, 0, count), BALL_DRAFT * count)
    for g in range(first, end):
        here, (c, f, near, far) = piece(own.lanes, W * g, W), _group_of(own, lanes, kind, g)
        if kind == BALLS:
            fill_balls(c, f, drafts, lanes.tensors, here, near, far)
        else:
            fill_axes(c, f, lanes.axis_drafts, lanes.tensors, here, near, far)


@kernel
def iterate_joints(tables, island, kind, first, end, biased, member):
    """One iteration over the groups from `first` up to `end`, of one colour, by a thread of the team."""
    own, lanes, bodies = coloured_of(tables, island, kind), lanes_of(tables, island), scratch_of(tables, island).floats
    changes = piece(lanes.changes, 2 * W * member, 2 * W)
    bias, yields, summed = (1.0, JOINT_IMPULSE_SCALE, 0.0) if biased else (0.0, 0.0, 1.0)
    for g in range(first, end):
        c, f, near, far = _group_of(own, lanes, kind, g)
        if kind == BALLS:
            solve_balls(c, f, changes, bodies, near, far, bias, yields, summed)
        else:
            solve_axes(c, f, changes, bodies, near, far, bias, yields, summed)


@kernel
def begin_joints(tables, island, kind, first, end):
    """Begin a sub-step of groups of one colour: update what depends on the poses, and apply the impulses (warm starting)."""
    own, lanes, bodies = coloured_of(tables, island, kind), lanes_of(tables, island), scratch_of(tables, island).floats
    for g in range(first, end):
        c, f, near, far = _group_of(own, lanes, kind, g)
        if kind == BALLS:
            begin_balls(c, f, bodies, near, far)
        else:
            begin_axes(c, f, bodies, near, far)


@kernel
def write_joint_forces(tables, island, kind, first, end, h):
    """The forces of items, as means over the step, in the order of the links."""
    if kind == BALLS:
        write_lane_forces(tables, island, kind, lanes_of(tables, island).ball_impulses, first, end, h)
        return
    own, impulses = coloured_of(tables, island, kind), lanes_of(tables, island).axis_impulses
    for n in range(first, end):
        record = vector(own.items, ITEM, n)
        if record[COLOUR] >= 0:
            at = W * (AXIS_IMPULSES * (record[LANE] // W) + MOST) + record[LANE] % W
            write_axis_forces(tables, link_of(tables, island, record[PLACE_OF]), impulses, at, h)


@kernel
def _group_of(own, lanes, kind, g):
    """Joints and impulses of a group, and the indices of its bodies."""
    if kind == BALLS:
        c, f = piece(lanes.balls, BALL * W * g, BALL * W), piece(lanes.ball_impulses, IMPULSES * W * g, IMPULSES * W)
    else:
        c = piece(lanes.axes, AXIS * W * g, AXIS * W)
        f = piece(lanes.axis_impulses, AXIS_IMPULSES * W * g, AXIS_IMPULSES * W)
    return c, f, piece(own.near, W * g, W), piece(own.far, W * g, W)
