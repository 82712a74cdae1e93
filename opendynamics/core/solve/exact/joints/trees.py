"""Elimination of joints that form trees, in time proportional to their number (Featherstone 1983; Baraff 1996).

A joint connects a body c, the child, to its parent p. Its rows are J_c and J_p. Joints are eliminated from leaves to roots.
R is the inverse mass (6 x 6) of a body with the subtrees that joints eliminated so far attach to it:

    W = J_p R_p,  S = J_c R_c J_cᵀ + W J_pᵀ + cfm,  X = S⁻¹ W,  R_p ← R_p - Wᵀ X

With right-hand sides b, and accelerations v of the bodies by other forces, the joints' forces λ follow from

    u = S⁻¹ (b - J_c v_c - J_p v_p),  v_p ← v_p + Wᵀ u        from the leaves to the roots
    λ = u - X f_p,  f_p ← f_p + J_pᵀ λ,                        from the roots to the leaves
    f_c = J_cᵀ λ,  v_c ← v_c + R_c f_c

where f is the force of joints already visited; v becomes the acceleration by all forces. The matrix of the bounded rows that
remain is J v + cfm, with v by their own forces and b = 0: eight of them at a time, each in a lane, and only for the bodies that
they act on and those between.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opendynamics.core.arrays.islands import ISLAND_BODIES
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.kernels import kernel
from opendynamics.core.solve._body_space.row_blocks import regularised
from opendynamics.core.solve.dense import LINE, ZERO6, add6, dot6, put6, put8, vector
from opendynamics.core.solve.exact.joints.forest import ACTIVE, CHILD, COUNT, FIRST, JOINT, PARENT, SIDE
from opendynamics.core.solve.exact.joints.trees_simd import (
    ZEROS,
    add_rows,
    add_six,
    add_to_six,
    invert,
    subtract_from_six,
    subtract_six,
    transpose,
)
from opendynamics.core.solve.prepared import inverse_mass_of, projected, response

# Matrices of six vectors of eight numbers, and single vectors. Of a body: R; v and f; these by bounded rows in lanes.
INVERSE_MASS, MOTION, FORCE, MOTIONS, FORCES = 0, 48, 56, 64, 112
BODY = 160

# Of a joint: columns of J_c and J_p, S⁻¹, W, columns of X, and u or λ; these by bounded rows in lanes.
OWN_COLUMNS, PARENT_COLUMNS, INVERSE, COUPLING, SOLVED_COLUMNS, SOLUTION, SOLUTIONS = 0, 48, 96, 144, 192, 240, 248
TREE_JOINT = 296

# For J_c R_c, or what remains of a right-hand side.
SCRATCH = 48

# Numbers of a row's Jacobians.
ROW = 12

# Where no forces are wanted.
NOWHERE = -1


class Trees(NamedTuple):
    """An island's joints, and where their numbers are in the floats."""

    numbers: Any  # the floats
    scratch: Any
    bodies: Any  # the first of the bodies
    joints: Any  # the first of the joints
    jacobian: Any  # the first of the rows' Jacobians, twelve numbers each
    responses: Any  # the first of the rows' M⁻¹ Jᵀ likewise, for bounded ones
    forest: Any  # of each joint, see `forest`
    count: Any  # number of joints
    slots: Any  # two bodies a row
    moved: Any  # of each body, whether bounded rows in the lanes accelerate it
    watched: Any  # whether bounded rows act on its subtree
    pushed: Any  # whether joints push it


@kernel
def floats_of_forest(bodies, joints):
    """Size of all matrices."""
    return LINE + SCRATCH + BODY * bodies + TREE_JOINT * joints


@kernel
def load_jacobians(tables, record, order, slots, jacobian, responses, diagonal, cfm):
    """Copy the Jacobians in their new order, zeros for what does not move.

    `responses`: M⁻¹ Jᵀ of bounded rows, twelve numbers each. `cfm`: of each row, regularised; `diagonal`: of J M⁻¹ Jᵀ + cfm.
    """
    rows, row0, body_of = ROWS.rows(tables), record.first_row, ISLAND_BODIES.rows(tables)
    for i in range(record.rows):
        row, own = rows[row0 + order[i]], 0.0
        for side in range(2):
            slot = slots[2 * i + side]
            j = row.j0 if side == 0 else row.j1
            if slot < 0:
                put6(jacobian, ROW * i + 6 * side, ZERO6)
                continue
            put6(jacobian, ROW * i + 6 * side, (j[0], j[1], j[2], j[3], j[4], j[5]))
            linear, angular = response(inverse_mass_of(tables, body_of[record.first_body + slot]), j)
            own += projected(j, linear, angular)
            if i >= record.rows - record.bounded_rows:
                (x, y, z), (a, b, c) = linear, angular
                put6(responses, ROW * i + 6 * side, (x, y, z, a, b, c))
        cfm[i] = regularised(row.cfm, own)
        diagonal[i] = own + cfm[i]


@kernel
def _load_masses(tables, record, trees):
    """Set R of the bodies to M⁻¹."""
    for slot in range(record.bodies):
        m, inertia = inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[record.first_body + slot])
        place = trees.bodies + BODY * slot + INVERSE_MASS
        put8(trees.numbers, place, (m, 0.0, 0.0, 0.0, 0.0, 0.0))
        put8(trees.numbers, place + 8, (0.0, m, 0.0, 0.0, 0.0, 0.0))
        put8(trees.numbers, place + 16, (0.0, 0.0, m, 0.0, 0.0, 0.0))
        for k in range(3):
            x, y, z = inertia[3 * k], inertia[3 * k + 1], inertia[3 * k + 2]
            put8(trees.numbers, place + 24 + 8 * k, (0.0, 0.0, 0.0, x, y, z))


@kernel
def _use(trees, k):
    """Of a joint: its entry of the forest, and where its numbers, its two Jacobians and its two bodies are."""
    joint = vector(trees.forest, JOINT, k)
    rows, side = trees.jacobian + ROW * joint[FIRST], 6 * joint[SIDE]
    child, parent = trees.bodies + BODY * joint[CHILD], trees.bodies + BODY * joint[PARENT]
    return joint, trees.joints + TREE_JOINT * k, rows + side, rows + 6 - side, child, parent


@kernel
def eliminate_joints(tables, record, trees, cfm):
    """Eliminate the joints; `cfm`: of each row, regularised. Returns the least relative pivot, or NaN."""
    _load_masses(tables, record, trees)
    numbers, scratch, worst = trees.numbers, trees.scratch, 1.0
    for k in range(trees.count):
        joint, own, mine, theirs, child, parent = _use(trees, k)
        d, inverse, w = joint[COUNT], own + INVERSE, own + COUPLING
        transpose(numbers, mine, ROW, d, own + OWN_COLUMNS)
        add_six(numbers, scratch, d, ZEROS, mine, ROW, 1, child + INVERSE_MASS, 8, 6)
        add_six(numbers, inverse, d, ZEROS, scratch, 8, 1, own + OWN_COLUMNS, 8, 6)
        if joint[PARENT] >= 0:
            transpose(numbers, theirs, ROW, d, own + PARENT_COLUMNS)
            add_six(numbers, w, d, ZEROS, theirs, ROW, 1, parent + INVERSE_MASS, 8, 6)
            add_six(numbers, inverse, d, inverse, w, 8, 1, own + PARENT_COLUMNS, 8, 6)
        for r in range(d):
            numbers[inverse + 9 * r] += cfm[joint[FIRST] + r]
        pivot = invert(numbers, inverse, d)
        if not pivot >= worst:
            worst = pivot
        if joint[PARENT] >= 0:
            mass = parent + INVERSE_MASS
            add_to_six(numbers, own + SOLVED_COLUMNS, 6, ZEROS, w, 1, 8, inverse, 8, d)
            subtract_from_six(numbers, mass, 6, mass, own + SOLVED_COLUMNS, 8, 1, w, 8, d)
    return worst


@kernel
def set_motions(trees, first, end, x):
    """Set the accelerations of the bodies to those by forces `x` of the bounded rows from `first` to `end`."""
    for slot in range(len(trees.moved)):
        put8(trees.numbers, trees.bodies + BODY * slot + MOTION, ZERO6)
    for i in range(first, end):
        for side in range(2):
            slot = trees.slots[2 * i + side]
            if slot >= 0:
                place = trees.bodies + BODY * slot + MOTION
                add6(trees.numbers, place, x[i], trees.numbers, trees.responses + ROW * i + 6 * side)


@kernel
def acceleration_along(trees, i):
    """J v of a row."""
    total = 0.0
    for side in range(2):
        slot = trees.slots[2 * i + side]
        if slot >= 0:
            motion = trees.bodies + BODY * slot + MOTION
            total += dot6(trees.numbers, trees.jacobian + ROW * i + 6 * side, trees.numbers, motion)
    return total


@kernel
def solve_joints(trees, right, x):
    """Compute the joints' forces and complete the bodies' accelerations.

    `right`, `x`: where the rows' right-hand sides and forces are; these may be the same, or `x` NOWHERE.
    """
    numbers, scratch = trees.numbers, trees.scratch
    for slot in range(len(trees.moved)):
        put8(numbers, trees.bodies + BODY * slot + FORCE, ZERO6)
    for k in range(trees.count):
        joint, own, _, _, child, parent = _use(trees, k)
        d, motion = joint[COUNT], parent + MOTION
        subtract_six(numbers, scratch, 1, right + joint[FIRST], child + MOTION, 0, 1, own + OWN_COLUMNS, 8, 6)
        if joint[PARENT] >= 0:
            subtract_six(numbers, scratch, 1, scratch, motion, 0, 1, own + PARENT_COLUMNS, 8, 6)
        add_rows(numbers, own + SOLUTION, 1, ZEROS, scratch, 0, 1, own + INVERSE, 8, d)
        if joint[PARENT] >= 0:
            add_rows(numbers, motion, 1, motion, own + SOLUTION, 0, 1, own + COUPLING, 8, d)
    for k in range(trees.count - 1, -1, -1):
        joint, own, mine, theirs, child, parent = _use(trees, k)
        d, solution, force = joint[COUNT], own + SOLUTION, parent + FORCE
        if joint[PARENT] >= 0:
            subtract_six(numbers, solution, 1, solution, force, 0, 1, own + SOLVED_COLUMNS, 8, 6)
            add_rows(numbers, force, 1, force, solution, 0, 1, theirs, ROW, d)
        add_rows(numbers, child + FORCE, 1, ZEROS, solution, 0, 1, mine, ROW, d)
        add_six(numbers, child + MOTION, 1, child + MOTION, child + FORCE, 0, 1, child + INVERSE_MASS, 8, 6)
        if x != NOWHERE:
            for r in range(d):
                numbers[x + joint[FIRST] + r] = numbers[solution + r]


@kernel
def fill_border(trees, e, n, origin, values):
    """Write the matrix of the bounded rows from `e` to `n` without their cfm, eight columns at a time.

    Element (i, j) is at values + origin[i] + j in the floats.
    """
    _mark_watched(trees, e, n)
    for column in range(e, n, 8):
        _load_lanes(trees, column, min(column + 8, n))
        _solve_lanes(trees)
        _spread_lanes(trees)
        for i in range(e, n):
            base, place = ZEROS, values + origin[i] + column
            for side in range(2):
                slot = trees.slots[2 * i + side]
                if slot >= 0 and trees.moved[slot]:
                    motions = trees.bodies + BODY * slot + MOTIONS
                    add_six(trees.numbers, place, 1, base, trees.jacobian + ROW * i + 6 * side, 0, 1, motions, 8, 6)
                    base = place
            if base == ZEROS:
                for k in range(column, column + 8):
                    trees.numbers[values + origin[i] + k] = 0.0


@kernel
def _mark_watched(trees, e, n):
    for slot in range(len(trees.watched)):
        trees.watched[slot] = 0
    for i in range(2 * e, 2 * n):
        if trees.slots[i] >= 0:
            trees.watched[trees.slots[i]] = 1
    for k in range(trees.count):
        joint = vector(trees.forest, JOINT, k)
        if joint[PARENT] >= 0:
            trees.watched[joint[PARENT]] |= trees.watched[joint[CHILD]]


@kernel
def _load_lanes(trees, first, end):
    """Set the accelerations by the rows from `first` to `end`, a row in each lane, and mark the bodies that they act on."""
    for slot in range(len(trees.moved)):
        trees.moved[slot] = trees.pushed[slot] = 0
    for i in range(first, end):
        for side in range(2):
            slot = trees.slots[2 * i + side]
            if slot >= 0:
                motions = trees.bodies + BODY * slot + MOTIONS
                if not trees.moved[slot]:
                    trees.moved[slot] = 1
                    for k in range(6):
                        put8(trees.numbers, motions + 8 * k, ZERO6)
                for k in range(6):
                    trees.numbers[motions + 8 * k + i - first] = trees.numbers[trees.responses + ROW * i + 6 * side + k]


@kernel
def _solve_lanes(trees):
    """Compute u of the joints of bodies that move, and v, from the leaves to the roots."""
    numbers, scratch, moved = trees.numbers, trees.scratch, trees.moved
    for k in range(trees.count):
        joint, own, mine, theirs, child, parent = _use(trees, k)
        d, base = joint[COUNT], ZEROS
        if moved[joint[CHILD]]:
            subtract_six(numbers, scratch, d, ZEROS, mine, ROW, 1, child + MOTIONS, 8, 6)
            base = scratch
        if joint[PARENT] >= 0 and moved[joint[PARENT]]:
            subtract_six(numbers, scratch, d, base, theirs, ROW, 1, parent + MOTIONS, 8, 6)
            base = scratch
        joint[ACTIVE] = base != ZEROS
        if joint[ACTIVE]:
            add_rows(numbers, own + SOLUTIONS, d, ZEROS, own + INVERSE, 8, 1, scratch, 8, d)
            if joint[PARENT] >= 0:
                motions = parent + MOTIONS
                base = motions if moved[joint[PARENT]] else ZEROS
                add_to_six(numbers, motions, 6, base, own + COUPLING, 1, 8, own + SOLUTIONS, 8, d)
                moved[joint[PARENT]] = 1


@kernel
def _spread_lanes(trees):
    """Compute λ of the joints, and v of watched bodies, from the roots to the leaves."""
    numbers, moved, watched, pushed = trees.numbers, trees.moved, trees.watched, trees.pushed
    for k in range(trees.count - 1, -1, -1):
        joint, own, mine, theirs, child, parent = _use(trees, k)
        d, solutions, forces, active = joint[COUNT], own + SOLUTIONS, parent + FORCES, joint[ACTIVE]
        on_the_way = joint[PARENT] >= 0 and watched[joint[PARENT]]  # a parent is watched if its child is
        is_child_watched = watched[joint[CHILD]]
        if on_the_way and pushed[joint[PARENT]]:
            subtract_six(
                numbers, solutions, d, solutions if active else ZEROS, own + SOLVED_COLUMNS, 1, 8, forces, 8, 6
            )
            active = 1
        if not active:
            continue
        if on_the_way:
            base = forces if pushed[joint[PARENT]] else ZEROS
            add_to_six(numbers, forces, 6, base, theirs, 1, ROW, solutions, 8, d)
            pushed[joint[PARENT]] = 1
        if is_child_watched:
            base = child + MOTIONS if moved[joint[CHILD]] else ZEROS
            add_to_six(numbers, child + FORCES, 6, ZEROS, mine, 1, ROW, solutions, 8, d)
            add_six(numbers, child + MOTIONS, 6, base, child + INVERSE_MASS, 8, 1, child + FORCES, 8, 6)
            moved[joint[CHILD]] = pushed[joint[CHILD]] = 1
