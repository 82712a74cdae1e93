"""Hard ball joints, WIDTH at a time: three impulses along the world's axes, solved as a block.

Of a joint (float32, impulses too; arithmetic and bodies are float64):

    0, 3 arms at the beginning of the step   6 the displacement from anchor 0 to anchor 1 then   9, 15 inverse inertia of both
    21 error reduction, 1/s   22 CFM over the sub-step
    of the sub-step   23, 26 arms   29 velocity that corrects the error   32 (J M⁻¹ Jᵀ + s)⁻¹ (xx xy xz yy yz zz)

Arms turn with the bodies: r + a θ x r + b θ x (θ x r) with a = sin |θ| / |θ|, b = (1 - cos |θ|) / |θ|² of the displacement θ.
What `iterations` says of hard rows holds here. J M⁻¹ Jᵀ = (m0 + m1) 1 + Σ Sᵀ I S, the columns of S being r x e.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opendynamics.core.algebra.lanes import Memory, Numbers, cross, minus, plus, symmetric_inverse
from opendynamics.core.algebra.vec3 import put3_at
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.constrain.parts.ball import anchor_gap
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.soft.lane_bodies import Pair, drafts_in, tensors_of, turned
from opendynamics.core.solve.soft.plan.layout import (
    BALL_DRAFT,
    INVERSE_MASS,
    MOVED,
    SUM,
    TURN,
    WIDTH,
    lane_kernel,
)

W = WIDTH

# Numbers of a joint.
ARM, ARM1, GAP, INERTIA, RATE, CFM, TURNED, BIAS, INVERSE = 0, 3, 6, 9, 21, 22, 23, 29, 32


@kernel
def draft_ball(tables, link, draft, h, substeps):
    """Write the draft of a joint: see `manifolds`."""
    joint = JOINTS.rows(tables)[link.index]
    r0, r1, gap = anchor_gap(tables, joint)
    put3_at(draft, 0, r0)
    put3_at(draft, 3, r1)
    put3_at(draft, 6, gap)
    draft[9], draft[10] = joint.erp * substeps / h, joint.cfm * substeps / h
    for r in range(3):
        draft[11 + r] = FORCES.rows(tables)[link.first_row + r] * (h / substeps)


@lane_kernel
def fill_balls(builder, c, f, drafts, tensors, lanes, near, far):  # type: ignore[no-untyped-def]
    """A group's joints, and the impulses to start from; zeros in lanes that are empty."""
    draft = drafts_in(builder, drafts, lanes, BALL_DRAFT)
    one, other = tensors_of(builder, tensors, near), tensors_of(builder, tensors, far)
    for k, each in enumerate([*draft[:INERTIA], *one[:6], *other[:6], *draft[9:11]]):
        c[k] = each
    for k, each in enumerate(draft[11 : 11 + SUM]):
        f[k], f[SUM + k] = each, each.broadcast(0.0)


@lane_kernel
def begin_balls(builder, c, f, bodies, near, far):  # type: ignore[no-untyped-def]
    """Rotated arms, the bias velocity, and the inverse of J M⁻¹ Jᵀ at the current poses; then apply the impulses."""
    pair = Pair(builder, bodies, near, far)
    one, other = pair.one.numbers, pair.other.numbers
    r, q, gap = turned_arms(c, one, other)
    xx, xy, xz, yy, yz, zz = response_of([c[INERTIA + k] for k in range(6)], r)
    ux, uy, uz, vy, vz, wz = response_of([c[INERTIA + 6 + k] for k in range(6)], q)
    m = one[INVERSE_MASS] + other[INVERSE_MASS] + c[CFM]
    inverse = symmetric_inverse([xx + ux + m, xy + uy, xz + uz, yy + vy + m, yz + vz, zz + wz + m])
    for k in range(3):
        c[TURNED + k], c[TURNED + 3 + k], c[BIAS + k] = r[k], q[k], c[RATE] * gap[k]
    for k in range(6):
        c[INVERSE + k] = inverse[k]
    pair.push(c, INERTIA, c.three(TURNED), c.three(TURNED + 3), f.three(0))
    pair.store()


def turned_arms(c: Memory, one: list[Numbers], other: list[Numbers]) -> tuple[Any, Any, Any]:
    """Both arms, rotated, and the displacement from anchor 0 to anchor 1."""
    r, q = turned_arm(c.three(ARM), one), turned_arm(c.three(ARM1), other)
    moved, moved1 = plus(one[MOVED:], r), plus(other[MOVED:], q)
    return r, q, plus(c.three(GAP), minus(minus(moved1, c.three(ARM1)), minus(moved, c.three(ARM))))


def turned_arm(r: Any, body: list[Numbers]) -> tuple[Numbers, Numbers, Numbers]:
    """An arm rotated by its body's displacement θ."""
    angle = body[MOVED + 3 : INVERSE_MASS]
    once = cross(angle, r)
    twice = cross(angle, once)
    x, y, z = (r[k] + body[TURN] * once[k] + body[TURN + 1] * twice[k] for k in range(3))
    return x, y, z


def response_of(inertia: Sequence[Numbers], r: Any) -> tuple[Numbers, ...]:
    """Sᵀ I S (xx xy xz yy yz zz), with columns r x e of S and the inverse inertia I (xx xy xz yy yz zz)."""
    x, y, z = r
    ixx, ixy, ixz, iyy, iyz, izz = inertia
    return (
        z * z * iyy - y * z * iyz * 2.0 + y * y * izz,
        z * y * ixz - z * z * ixy - y * x * izz + x * z * iyz,
        z * y * ixy - z * x * iyy - y * y * ixz + y * x * iyz,
        z * z * ixx - x * z * ixz * 2.0 + x * x * izz,
        z * x * ixy - z * y * ixx - x * x * iyz + x * y * ixz,
        y * y * ixx - x * y * ixy * 2.0 + x * x * iyy,
    )


@lane_kernel
def solve_balls(builder, c, f, changes, bodies, near, far, bias, yields, summed):  # type: ignore[no-untyped-def]
    """Solve for the three impulses of each joint of a group."""
    pair, r, q, old = Pair(builder, bodies, near, far), c.three(TURNED), c.three(TURNED + 3), f.three(0)
    v, cfm, keeps = pair.velocity(r, q), c[CFM], -yields + 1.0
    wrong = [bias * c[BIAS + k] - v[k] - cfm * old[k] for k in range(3)]
    steps = [keeps * each - yields * before for each, before in zip(turned(c, INVERSE, wrong), old, strict=True)]
    largest, most = changes[0], changes[1]
    for k in range(3):
        new = old[k] + steps[k]
        f[k], f[SUM + k] = new, f[SUM + k] + summed * new
        largest, most = largest.maximum(abs(steps[k])), most.maximum(abs(new))
    changes[0], changes[1] = largest, most
    pair.push(c, INERTIA, r, q, steps)
    pair.store()
