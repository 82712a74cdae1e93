"""Hinges and universal joints, with their stops and motors, WIDTH at a time: up to five impulses, solved as a block, then up to
two with bounds.

Three impulses act along the world's axes at the anchors, as those of ball joints do. With axes a of body 0 and b of body 1, one
or two more act about directions u (float32, of a joint, impulses too; arithmetic and bodies are float64):

    hinge        u: two directions perpendicular to a, which turn with body 0     error (a x b)·u
    universal    u = a x b at length one                                          error -a·b

    0, 3    arms at the beginning of the step
    6       displacement from anchor 0 to anchor 1 at the beginning
    9, 12   a, b
    15      the first u of a hinge
    18      error reduction, 1/s
    19      CFM over the sub-step
    20      whether it is a hinge
    21, 27  rows about a and b: bounds of the impulse 2, error reduction, error at the beginning, velocity of a motor, CFM over
            the sub-step
    33      whether there are any rows about a and b
    34, 40  inverse inertia of both bodies
    46, 49  arms in the sub-step
    52      velocities that correct the errors, of all rows, in the sub-step
    59, 62  u in the sub-step
    65, 68  a, b in the sub-step
    71      S⁻¹ (xx xy xz yy yz zz), of the inverse of the block
    77      A⁻¹ (xx xy yy), of it
    80, 83  G by columns, of it
    86      effective masses of the rows about a and b
    88, 93  the block's impulses that accompany those of these rows: see `blocks`

With the block (P B; Bᵀ A), P of the anchors and A of the axes, S = P - B A⁻¹ Bᵀ and G = B A⁻¹: impulses for velocities p and o
are x = S⁻¹ (p - G o) at the anchors and A⁻¹ o - Gᵀ x about the axes. Arms and axes turn as `ball_lanes` says. The error of a stop
is that of the beginning plus a·(θ0 - θ1), with the displacements θ; relaxation aims at the motor's velocity alone.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.lanes import Memory, Numbers, cross, dot, in_any_lane, minus, plus, symmetric_inverse
from opendynamics.core.algebra.vec3 import put3_at
from opendynamics.core.arrays.joints import FREE, JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.joints.hinge import KIND as HINGE_JOINT
from opendynamics.core.constrain.joints.universal import KIND as UNIVERSAL_JOINT
from opendynamics.core.constrain.parts.ball import anchor_gap
from opendynamics.core.constrain.parts.frame import across, turned_by, world_of
from opendynamics.core.constrain.parts.hard_row import SPRING
from opendynamics.core.constrain.parts.limit_motor import needs_row
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.soft.ball_lanes import response_of, turned_arm, turned_arms
from opendynamics.core.solve.soft.lane_bodies import Pair, drafts_in, symmetric_times, tensors_of, turned
from opendynamics.core.solve.soft.parameters import stop_correction
from opendynamics.core.solve.soft.plan.layout import (
    AXIS_DRAFT,
    AXIS_IMPULSES,
    INVERSE_MASS,
    MOVED,
    WIDTH,
    lane_kernel,
)

W = WIDTH

# Impulses of a joint; their sums follow.
MOST = AXIS_IMPULSES // 2

# Rows of the block, and those with bounds.
HARD, BOUNDED = 5, 2

# Numbers of a joint, and of a row with bounds. Those before INERTIA are first in its draft, too; then come the impulses.
ARM, ARM1, GAP, A, B, ACROSS, RATE, CFM, HINGE, ROWS_ABOUT, ANY, INERTIA = 0, 3, 6, 9, 12, 15, 18, 19, 20, 21, 33, 34
TURNED, BIAS, U, NOW, INVERSE, AXIS_INVERSE, COUPLING, MASS, HELD = 46, 52, 59, 65, 71, 77, 80, 86, 88
LO, HI, ROW_RATE, ERROR, DRIVE, ROW_CFM = range(6)
ROW_ABOUT = 6

# Fraction of a row's J M⁻¹ Jᵀ, in float32: if the block leaves less, that is rounding, and the row is redundant.
REDUNDANT = 1e-5


@kernel
def draft_axis(tables, link, draft, h, substeps):
    """Write the draft of a joint: see `manifolds`."""
    joint = JOINTS.rows(tables)[link.index]
    r0, r1, gap = anchor_gap(tables, joint)
    a, is_hinge = turned_by(tables, joint.body0, joint.axis0), joint.kind == HINGE_JOINT
    u, _ = across(tables, joint, joint.axis0, a)
    put3_at(draft, ARM, r0)
    put3_at(draft, ARM1, r1)
    put3_at(draft, GAP, gap)
    put3_at(draft, A, a)
    put3_at(draft, B, turned_by(tables, joint.body1, joint.axis1))
    put3_at(draft, ACROSS, u)
    draft[RATE] = world_of(tables, joint.body0).erp * substeps / h
    draft[CFM] = WORLDS.rows(tables)[0].cfm * substeps / h
    draft[HINGE], hard = (1.0, HARD) if is_hinge else (0.0, HARD - 1)
    draft[ANY] = 1.0 if link.row_count > hard else 0.0
    for r in range(HARD):
        force = FORCES.rows(tables)[link.first_row + r] if r < hard else 0.0
        draft[INERTIA + r] = force * (h / substeps)
    at = link.first_row + hard
    for k in range(BOUNDED):
        at += _draft_row(tables, joint, k, at, draft, h, substeps)


@kernel
def _draft_row(tables, joint, k, at, draft, h, substeps):
    """Row k with bounds, which is number `at` of the table: 1, or 0 if there is none."""
    limit, own = joint.limits[k], piece(draft, ROWS_ABOUT + ROW_ABOUT * k, ROW_ABOUT)
    for n in range(ROW_ABOUT):
        own[n] = 0.0
    draft[INERTIA + HARD + k] = 0.0
    if not has_row(joint, k):
        return 0
    row, step = ROWS.rows(tables)[at], h / substeps
    own[LO], own[HI], own[ROW_CFM] = row.lo * step, row.hi * step, row.cfm * h / step
    if limit.state == FREE:
        own[DRIVE] = limit.velocity
    else:
        own[ROW_RATE], own[ERROR] = limit.stop_erp * stop_correction(substeps) / step, limit.error
    draft[INERTIA + HARD + k] = FORCES.rows(tables)[at] * step
    return 1


@kernel
def has_row(joint, k):
    """Whether there is a row about axis k."""
    return (k == 0 or joint.kind == UNIVERSAL_JOINT) and needs_row(joint.limits[k])


@kernel
def fits(tables, link):
    """Whether a joint is of this kind and hard, and its rows about axes are hard and bounded, and stay the same in the sub-steps.

    At a stop that bounces, or that a motor drives off, they do not.
    """
    joint, softest = JOINTS.rows(tables)[link.index], SPRING * (1.0 / REPORTS.rows(tables)[0].h)
    if (joint.kind != HINGE_JOINT and joint.kind != UNIVERSAL_JOINT) or WORLDS.rows(tables)[0].cfm > SPRING:
        return False
    at = link.first_row + (HARD if joint.kind == HINGE_JOINT else HARD - 1)
    for k in range(BOUNDED):
        if has_row(joint, k):
            row, limit = ROWS.rows(tables)[at], joint.limits[k]
            if not is_bounded(row) or row.cfm > softest:
                return False
            if limit.state != FREE and (limit.bounce > 0.0 or limit.max_force > 0.0):
                return False
            at += 1
    return True


@lane_kernel
def fill_axes(builder, c, f, drafts, tensors, lanes, near, far):  # type: ignore[no-untyped-def]
    """A group's joints, and the impulses to start from; zeros in lanes that are empty."""
    draft = drafts_in(builder, drafts, lanes, AXIS_DRAFT)
    one, other = tensors_of(builder, tensors, near), tensors_of(builder, tensors, far)
    for k, each in enumerate([*draft[:INERTIA], *one[:6], *other[:6]]):
        c[k] = each
    for k, each in enumerate(draft[INERTIA : INERTIA + MOST]):
        f[k], f[MOST + k] = each, each.broadcast(0.0)


@lane_kernel
def begin_axes(builder, c, f, bodies, near, far):  # type: ignore[no-untyped-def]
    """Rotated arms and axes, the bias velocities, and the inverse of J M⁻¹ Jᵀ at the current poses; then apply the impulses."""
    pair = Pair(builder, bodies, near, far)
    one, other = pair.one.numbers, pair.other.numbers
    r, q, gap = turned_arms(c, one, other)
    u, w, errors = _directions(c, one, other)
    for k in range(3):
        c[TURNED + k], c[TURNED + 3 + k], c[BIAS + k] = r[k], q[k], c[RATE] * gap[k]
        c[U + k], c[U + 3 + k] = u[k], w[k]
    c[BIAS + 3], c[BIAS + 4] = c[RATE] * errors[0], c[RATE] * errors[1]
    _invert(c, r, q, u, w, one[INVERSE_MASS] + other[INVERSE_MASS])
    with builder.if_then(in_any_lane(builder, c[ANY] > 0.5)):
        _place_rows(c, one, other)
    _push(pair, c, f)
    pair.store()


def _push(pair: Pair, c: Memory, f: Memory) -> None:
    """Apply the impulses of the joints to the bodies."""
    impulses = [f[k] for k in range(MOST)]
    torque = _torque(c.three(U), c.three(U + 3), impulses)
    with c.builder.if_then(in_any_lane(c.builder, c[ANY] > 0.5)):
        about = [c[NOW + k] * impulses[HARD] + c[NOW + 3 + k] * impulses[HARD + 1] for k in range(3)]
        pair.turn(c, INERTIA, about)
    pair.push(c, INERTIA, c.three(TURNED), c.three(TURNED + 3), impulses[:3], torque)


def _place_rows(c: Memory, one: list[Numbers], other: list[Numbers]) -> None:
    """Axes, velocities aimed at, effective masses, and couplings with the block, of the rows with bounds."""
    near, far = [c[INERTIA + k] for k in range(6)], [c[INERTIA + 6 + k] for k in range(6)]
    r, q, u, w = c.three(TURNED), c.three(TURNED + 3), c.three(U), c.three(U + 3)
    turn = minus(one[MOVED + 3 : MOVED + 6], other[MOVED + 3 : MOVED + 6])
    for k, axis in enumerate((turned_arm(c.three(A), one), turned_arm(c.three(B), other))):
        at = ROWS_ABOUT + ROW_ABOUT * k
        error = c[at + ERROR] + dot(axis, turn)
        c[BIAS + HARD + k] = c[at + DRIVE] - c[at + ROW_RATE] * error
        spin, spin1 = symmetric_times(near, axis), symmetric_times(far, axis)
        both = plus(spin, spin1)
        coupling = [*plus(cross(spin, r), cross(spin1, q)), dot(u, both), dot(w, both)]
        held = _solved(c, coupling)
        diagonal = dot(axis, both) + c[at + ROW_CFM]
        free = diagonal - (dot(coupling, held) + coupling[3] * held[3] + coupling[4] * held[4])
        zero, is_free = diagonal.broadcast(0.0), free > diagonal * REDUNDANT
        mass = free.where(is_free, diagonal)
        c[MASS + k] = (1.0 / mass).where(mass > 0.0, zero)
        for i in range(3):
            c[NOW + 3 * k + i] = axis[i]
        for i in range(HARD):
            c[HELD + HARD * k + i] = held[i].where(is_free, zero)


def _directions(c: Memory, one: list[Numbers], other: list[Numbers]) -> tuple[Any, Any, tuple[Numbers, Numbers]]:
    """Both directions u and the errors about them; the second ones of universal joints are zero."""
    a, b, p = turned_arm(c.three(A), one), turned_arm(c.three(B), other), turned_arm(c.three(ACROSS), one)
    normal, is_hinge = cross(a, b), c[HINGE] > 0.5
    square = dot(normal, normal)
    zero = square.broadcast(0.0)
    over = (1.0 / square.sqrt()).where(square > 0.0, zero)
    second = cross(a, p)
    u = [p[k].where(is_hinge, normal[k] * over) for k in range(3)]
    w = [second[k].where(is_hinge, zero) for k in range(3)]
    error = dot(normal, p).where(is_hinge, -dot(a, b))
    return u, w, (error, dot(normal, w))


def _invert(c: Memory, r: Any, q: Any, u: Any, w: Any, mass: Numbers) -> None:
    """S⁻¹, A⁻¹ and G, zero where a block is singular."""
    near, far = [c[INERTIA + k] for k in range(6)], [c[INERTIA + 6 + k] for k in range(6)]
    about = []  # relative angular velocity of unit impulses about u, and the velocity with which the anchors part
    for direction in (u, w):
        spin, spin1 = symmetric_times(near, direction), symmetric_times(far, direction)
        about.append((plus(spin, spin1), plus(cross(spin, r), cross(spin1, q))))
    (turn, b0), (turn1, b1) = about
    cfm, zero = c[CFM], mass.broadcast(0.0)
    xx, xy, yy = dot(u, turn) + cfm, dot(u, turn1), dot(w, turn1) + cfm
    yy = yy.where(c[HINGE] > 0.5, zero + 1.0)
    determinant = xx * yy - xy * xy
    over = (1.0 / determinant).where(determinant > 0.0, zero)
    xx, xy, yy = yy * over, -xy * over, xx * over
    g, g1 = ([b0[k] * x + b1[k] * y for k in range(3)] for x, y in ((xx, xy), (xy, yy)))
    for k in range(3):
        c[COUPLING + k], c[COUPLING + 3 + k] = g[k], g1[k]
    c[AXIS_INVERSE], c[AXIS_INVERSE + 1], c[AXIS_INVERSE + 2] = xx, xy, yy
    one, other = response_of(near, r), response_of(far, q)
    m = mass + cfm
    s = [one[k] + other[k] for k in range(6)]
    for k, (i, j) in enumerate(((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))):
        s[k] = (s[k] + m if i == j else s[k]) - (g[i] * b0[j] + g1[i] * b1[j])
    for k, each in enumerate(symmetric_inverse(s)):
        c[INVERSE + k] = each


@lane_kernel
def solve_axes(builder, c, f, changes, bodies, near, far, bias, impulse_scale, summed):  # type: ignore[no-untyped-def]
    """Solve for the impulses of each joint of a group."""
    pair, r, q, old = (
        Pair(builder, bodies, near, far),
        c.three(TURNED),
        c.three(TURNED + 3),
        [f[k] for k in range(HARD)],
    )
    u, w, spin, cfm, mass_scale = c.three(U), c.three(U + 3), pair.spin(), c[CFM], -impulse_scale + 1.0
    velocities = [*pair.velocity(r, q), dot(u, spin), dot(w, spin)]
    residual = [bias * c[BIAS + k] - velocities[k] - cfm * old[k] for k in range(HARD)]
    steps = [mass_scale * each - impulse_scale * before for each, before in zip(_solved(c, residual), old, strict=True)]
    largest, most = changes[0], changes[1]
    for k in range(HARD):
        new = old[k] + steps[k]
        f[k], f[MOST + k] = new, f[MOST + k] + summed * new
        largest, most = largest.maximum(abs(steps[k])), most.maximum(abs(new))
    changes[0], changes[1] = largest, most
    pair.push(c, INERTIA, r, q, steps[:3], _torque(u, w, steps))
    with builder.if_then(in_any_lane(builder, c[ANY] > 0.5)):
        for k in range(BOUNDED):
            _solve_row(pair, c, f, changes, k, bias, impulse_scale, summed)
    pair.store()


def _solve_row(
    pair: Pair, c: Memory, f: Memory, changes: Memory, k: int, bias: Numbers, impulse_scale: Numbers, summed: Numbers
) -> None:
    """Solve for the impulse of row k with bounds. Those of stops yield as hard rows do."""
    at, axis, old = ROWS_ABOUT + ROW_ABOUT * k, c.three(NOW + 3 * k), f[HARD + k]
    aim = c[at + DRIVE] + bias * (c[BIAS + HARD + k] - c[at + DRIVE])
    new = old + c[MASS + k] * (aim - dot(axis, pair.spin()) - c[at + ROW_CFM] * old)
    new = new - (impulse_scale * new).where(c[at + ROW_RATE] > 0.0, new.broadcast(0.0))
    new = new.clip(c[at + LO], c[at + HI])
    step = new - old
    f[HARD + k], f[MOST + HARD + k] = new, f[MOST + HARD + k] + summed * new
    changes[0], changes[1] = changes[0].maximum(abs(step)), changes[1].maximum(abs(new))
    held = [-c[HELD + HARD * k + i] * step for i in range(HARD)]
    for i in range(HARD):
        f[i], f[MOST + i] = f[i] + held[i], f[MOST + i] + summed * held[i]
    torque = plus(_torque(c.three(U), c.three(U + 3), held), [each * step for each in axis])
    pair.push(c, INERTIA, c.three(TURNED), c.three(TURNED + 3), held[:3], torque)


def _solved(c: Memory, residual: list[Numbers]) -> list[Numbers]:
    """The block's impulses for these changes of the velocities."""
    g, g1, (o, o1) = c.three(COUPLING), c.three(COUPLING + 3), residual[3:]
    x = turned(c, INVERSE, [residual[k] - (g[k] * o + g1[k] * o1) for k in range(3)])
    xx, xy, yy = c.three(AXIS_INVERSE)
    return [*x, xx * o + xy * o1 - dot(g, x), xy * o + yy * o1 - dot(g1, x)]


def _torque(u: Any, w: Any, impulses: Any) -> list[Numbers]:
    return [u[k] * impulses[3] + w[k] * impulses[4] for k in range(3)]


@kernel
def write_axis_forces(tables, link, impulses, at, h):
    """Write a joint's forces, as means over the step; the sum of its first impulse is number `at`."""
    joint, row = JOINTS.rows(tables)[link.index], link.first_row
    for r in range(HARD + BOUNDED):
        if r < HARD - 1 or (joint.kind == HINGE_JOINT if r == HARD - 1 else has_row(joint, r - HARD)):
            FORCES.rows(tables)[row] = impulses[at + W * r] / h
            row += 1
