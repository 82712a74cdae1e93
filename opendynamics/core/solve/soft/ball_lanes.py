"""Hard ball joints, WIDTH side by side: three impulses along the world's axes, solved for together.

Of a joint (float32; arithmetic, bodies and impulses are float64):

    0, 3 arms at the beginning of the step   6 the way from anchor 0 to anchor 1 then   9, 15 inverse inertia of both
    21 error reduction, 1/s   22 softness (CFM over the sub-step)
    of the sub-step   23, 26 arms   29 velocity that mends the error   32 (J M⁻¹ Jᵀ + s)⁻¹ (xx xy xz yy yz zz)

Arms turn with the bodies: r + a θ x r + b θ x (θ x r) with a = sin |θ| / |θ|, b = (1 - cos |θ|) / |θ|² of the displacement θ.
What `passes` says of hard rows holds here. J M⁻¹ Jᵀ = (m0 + m1) 1 + Σ Sᵀ I S, the columns of S being r x e.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.constrain.look_ahead import look_ahead
from opendynamics.core.constrain.parts.ball import anchor_gap
from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.contact_lanes import gather, push, scatter
from opendynamics.core.solve.soft.layout import (
    BALL,
    BALLS,
    BODY,
    GROUPS,
    IMPULSES,
    ITEM,
    PLACE_OF,
    SUM,
    WIDTH,
    coloured_of,
    lanes_of,
    scratch_of,
)
from opendynamics.core.solve.soft.manifolds import link_of
from opendynamics.core.solve.warm_starting import attempt_to_solve, start_link

W = WIDTH
F = np.float64


@kernel
def begin_balls(tables, island, h, substeps):
    """Fill in all lanes."""
    own, lanes, attempt = coloured_of(tables, island, BALLS), lanes_of(tables, island), attempt_to_solve(tables, island)
    groups = INTEGERS.rows(tables)[GROUPS + BALLS]
    for g in range(groups):
        c, f = piece(lanes.balls, BALL * W * g, BALL * W), piece(lanes.pulls, IMPULSES * W * g, IMPULSES * W)
        for k in range(BALL * W):
            c[k] = 0.0
        for k in range(IMPULSES * W):
            f[k] = 0.0
        for i in range(W):
            if g + 1 < groups and own.lanes[W * (g + 1) + i] >= 0:
                look_ahead(tables, island, vector(own.items, ITEM, own.lanes[W * (g + 1) + i])[PLACE_OF])
            if own.lanes[W * g + i] >= 0:
                record = vector(own.items, ITEM, own.lanes[W * g + i])
                link = link_of(tables, island, record[PLACE_OF])
                start_link(tables, link, 1.0, attempt)
                _begin_ball(tables, link, c, f, i, h, substeps)


@kernel
def _begin_ball(tables, link, c, f, i, h, substeps):
    joint = JOINTS.rows(tables)[link.index]
    r0, r1, gap = anchor_gap(tables, joint)
    for k in range(3):
        c[W * k + i], c[W * (3 + k) + i], c[W * (6 + k) + i] = r0[k], r1[k], gap[k]
        f[W * k + i] = FORCES.rows(tables)[link.first_row + k] * (h / substeps)
    for side in range(2):
        body = link.body1 if side else link.body0
        tensor = INERTIAS.rows(tables)[body].world_inverse
        if MOTIONS.rows(tables)[body].inverse_mass > 0.0:
            at = W * (9 + 6 * side) + i
            c[at], c[at + W], c[at + 2 * W] = tensor[0], tensor[1], tensor[2]
            c[at + 3 * W], c[at + 4 * W], c[at + 5 * W] = tensor[4], tensor[5], tensor[8]
    c[W * 21 + i] = joint.erp * substeps / h
    c[W * 22 + i] = joint.cfm * substeps / h


@kernel
def place_balls(tables, island):
    """What depends on where the bodies are: once in every sub-step."""
    own, lanes, bodies = coloured_of(tables, island, BALLS), lanes_of(tables, island), scratch_of(tables, island).floats
    a, b = piece(lanes.buffer, 0, BODY * W), piece(lanes.buffer, BODY * W, BODY * W)
    for g in range(INTEGERS.rows(tables)[GROUPS + BALLS]):
        gather(bodies, own.near, own.far, W * g, a, b)
        c = piece(lanes.balls, BALL * W * g, BALL * W)
        _turn(piece(c, 0, 3 * W), piece(c, 23 * W, 3 * W), a)
        _turn(piece(c, 3 * W, 3 * W), piece(c, 26 * W, 3 * W), b)
        _place(c, a, b)


@fast_kernel
def _turn(arm, turned, a):
    """Turn an arm with its body."""
    for i in range(W):
        x, y, z = F(arm[i]), F(arm[W + i]), F(arm[2 * W + i])
        u, v, w, p, q = a[9 * W + i], a[10 * W + i], a[11 * W + i], a[13 * W + i], a[14 * W + i]
        fx, fy, fz = v * z - w * y, w * x - u * z, u * y - v * x
        turned[i] = x + p * fx + q * (v * fz - w * fy)
        turned[W + i] = y + p * fy + q * (w * fx - u * fz)
        turned[2 * W + i] = z + p * fz + q * (u * fy - v * fx)


@fast_kernel
def _place(c, a, b):
    """The bias velocity, and the inverse of J M⁻¹ Jᵀ."""
    for i in range(W):
        rate = F(c[21 * W + i])
        for k in range(3):
            turned = F(c[W * (26 + k) + i]) - F(c[W * (3 + k) + i]) - F(c[W * (23 + k) + i]) + F(c[W * k + i])
            c[W * (29 + k) + i] = rate * (F(c[W * (6 + k) + i]) + b[W * (6 + k) + i] - a[W * (6 + k) + i] + turned)
        m = a[12 * W + i] + b[12 * W + i] + F(c[22 * W + i])
        xx, xy, xz, yy, yz, zz = m, F(0.0), F(0.0), m, F(0.0), m
        for side in range(2):
            at, of = 23 + 3 * side, 9 + 6 * side
            x, y, z = F(c[W * at + i]), F(c[W * (at + 1) + i]), F(c[W * (at + 2) + i])
            ixx, ixy, ixz = F(c[W * of + i]), F(c[W * (of + 1) + i]), F(c[W * (of + 2) + i])
            iyy, iyz, izz = F(c[W * (of + 3) + i]), F(c[W * (of + 4) + i]), F(c[W * (of + 5) + i])
            xx += z * z * iyy - F(2.0) * y * z * iyz + y * y * izz
            xy += z * y * ixz - z * z * ixy - y * x * izz + x * z * iyz
            xz += z * y * ixy - z * x * iyy - y * y * ixz + y * x * iyz
            yy += z * z * ixx - F(2.0) * x * z * ixz + x * x * izz
            yz += z * x * ixy - z * y * ixx - x * x * iyz + x * y * ixz
            zz += y * y * ixx - F(2.0) * x * y * ixy + x * x * iyy
        p, q, r = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
        determinant = xx * p + xy * q + xz * r
        over = F(1.0) / determinant if determinant > F(0.0) else F(0.0)
        c[32 * W + i], c[33 * W + i], c[34 * W + i] = p * over, q * over, r * over
        c[35 * W + i], c[36 * W + i] = (xx * zz - xz * xz) * over, (xy * xz - xx * yz) * over
        c[37 * W + i] = (xx * yy - xy * xy) * over


@kernel
def iterate_balls(tables, island, bias, yields, summed):
    """One pass over all joints, colour by colour, with a part of the bias velocity and of the impulses' loss."""
    own, lanes, bodies = coloured_of(tables, island, BALLS), lanes_of(tables, island), scratch_of(tables, island).floats
    a, b = piece(lanes.buffer, 0, BODY * W), piece(lanes.buffer, BODY * W, BODY * W)
    for g in range(INTEGERS.rows(tables)[GROUPS + BALLS]):
        gather(bodies, own.near, own.far, W * g, a, b)
        c, f = piece(lanes.balls, BALL * W * g, BALL * W), piece(lanes.pulls, IMPULSES * W * g, IMPULSES * W)
        _solve(c, f, a, b, lanes.changes, lanes.pushed, bias, yields, summed)
        push(piece(c, 9 * W, 12 * W), piece(c, 23 * W, 6 * W), a, b, lanes.pushed)
        scatter(bodies, own.near, own.far, W * g, a, b)


@fast_kernel
def _solve(c, f, a, b, changes, pushed, bias, yields, summed):
    for i in range(W):
        px, py, pz = F(c[23 * W + i]), F(c[24 * W + i]), F(c[25 * W + i])
        qx, qy, qz = F(c[26 * W + i]), F(c[27 * W + i]), F(c[28 * W + i])
        vx = a[i] - b[i] + a[4 * W + i] * pz - a[5 * W + i] * py - b[4 * W + i] * qz + b[5 * W + i] * qy
        vy = a[W + i] - b[W + i] + a[5 * W + i] * px - a[3 * W + i] * pz - b[5 * W + i] * qx + b[3 * W + i] * qz
        vz = a[2 * W + i] - b[2 * W + i] + a[3 * W + i] * py - a[4 * W + i] * px - b[3 * W + i] * qy + b[4 * W + i] * qx
        softness = F(c[22 * W + i])
        l0, l1, l2 = f[i], f[W + i], f[2 * W + i]
        ex = bias * F(c[29 * W + i]) - vx - softness * l0
        ey = bias * F(c[30 * W + i]) - vy - softness * l1
        ez = bias * F(c[31 * W + i]) - vz - softness * l2
        xx, xy, xz = F(c[32 * W + i]), F(c[33 * W + i]), F(c[34 * W + i])
        yy, yz, zz = F(c[35 * W + i]), F(c[36 * W + i]), F(c[37 * W + i])
        keeps = F(1.0) - yields
        x = keeps * (xx * ex + xy * ey + xz * ez) - yields * l0
        y = keeps * (xy * ex + yy * ey + yz * ez) - yields * l1
        z = keeps * (xz * ex + yz * ey + zz * ez) - yields * l2
        changes[i] = max(changes[i], max(abs(x), max(abs(y), abs(z))))
        changes[W + i] = max(changes[W + i], max(abs(l0 + x), max(abs(l1 + y), abs(l2 + z))))
        f[i], f[W + i], f[2 * W + i] = l0 + x, l1 + y, l2 + z
        f[3 * W + i] += summed * (l0 + x)
        f[4 * W + i] += summed * (l1 + y)
        f[5 * W + i] += summed * (l2 + z)
        pushed[i], pushed[W + i], pushed[2 * W + i] = x, y, z


@kernel
def apply_balls(tables, island):
    """Warm starting: give the bodies the impulses that the joints have."""
    own, lanes, bodies = coloured_of(tables, island, BALLS), lanes_of(tables, island), scratch_of(tables, island).floats
    a, b = piece(lanes.buffer, 0, BODY * W), piece(lanes.buffer, BODY * W, BODY * W)
    for g in range(INTEGERS.rows(tables)[GROUPS + BALLS]):
        gather(bodies, own.near, own.far, W * g, a, b)
        c = piece(lanes.balls, BALL * W * g, BALL * W)
        push(piece(c, 9 * W, 12 * W), piece(c, 23 * W, 6 * W), a, b, piece(lanes.pulls, IMPULSES * W * g, 3 * W))
        scatter(bodies, own.near, own.far, W * g, a, b)


@kernel
def write_ball_forces(tables, island, h):
    """The joints' forces, as means over the step."""
    own, lanes = coloured_of(tables, island, BALLS), lanes_of(tables, island)
    for g in range(INTEGERS.rows(tables)[GROUPS + BALLS]):
        for i in range(W):
            if own.lanes[W * g + i] >= 0:
                record = vector(own.items, ITEM, own.lanes[W * g + i])
                link = link_of(tables, island, record[PLACE_OF])
                for r in range(3):
                    FORCES.rows(tables)[link.first_row + r] = lanes.pulls[W * (IMPULSES * g + SUM + r) + i] / h
