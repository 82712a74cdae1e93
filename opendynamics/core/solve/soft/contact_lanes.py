"""Contact manifolds, WIDTH side by side: a lane is a pair of bodies, whose points are solved in turn.

Of a manifold (float32, as all coefficients; arithmetic, bodies and impulses are float64):

    0 normal n, into body a   3 first tangent t (the second is n x t)   6, 12 inverse inertia of both (xx xy xz yy yz zz)
    18, 19 friction coefficients   20 1 for a friction cone   21 rate at which overlap is mended, 22, 23 what is left of the
    effective mass and what is lost of the impulse meanwhile (soft constraint)   24 motion of the surface along n, 25 t, 26 n x t

and of a point:

    0, 3 arms   6 separation at the beginning   7 effective masses along n, t, n x t   10 couplings n t, n (n x t), t (n x t)
    13 velocity of restitution, or NEVER

Points that a lane lacks, beside others that have more, have no effective mass. Jacobians are those of the beginning of the
step. What `passes` says of rows holds for the points. Gather, solve and scatter are loops of their own: only so does LLVM make
vector instructions of them. A group's bodies are all different, but for those that cannot move, whose velocities no impulse
changes.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from opendynamics.core.algebra.vec3 import cross, dot
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.soft.layout import (
    BODY,
    CONTACTS,
    GROUPS,
    IMPULSES,
    MANIFOLD,
    POINT,
    WIDTH,
    coloured_of,
    lanes_of,
    scratch_of,
)

W = WIDTH
F = np.float64

# Velocity of restitution of what does not bounce.
NEVER = -1e30


@kernel
def gather(bodies, near, far, first, a, b):
    """The bodies of a group: number k of lane i at a[W k + i] and b[W k + i]."""
    for i in range(W):
        p, q = BODY * near[first + i], BODY * far[first + i]
        for k in range(BODY):
            a[W * k + i] = bodies[p + k]
            b[W * k + i] = bodies[q + k]


@kernel
def scatter(bodies, near, far, first, a, b):
    """Put the velocities back."""
    for i in range(W):
        p, q = BODY * near[first + i], BODY * far[first + i]
        for k in range(6):
            bodies[p + k] = a[W * k + i]
            bodies[q + k] = b[W * k + i]


@fast_kernel
def push(c, r, a, b, pushed):
    """Give the impulses `pushed` to the bodies of all lanes, at the ends of their arms r; c: inverse inertias."""
    for i in range(W):
        x, y, z = pushed[i], pushed[W + i], pushed[2 * W + i]
        px, py, pz = F(r[i]), F(r[W + i]), F(r[2 * W + i])
        qx, qy, qz = F(r[3 * W + i]), F(r[4 * W + i]), F(r[5 * W + i])
        m, k = a[12 * W + i], b[12 * W + i]
        a[i] += m * x
        a[W + i] += m * y
        a[2 * W + i] += m * z
        b[i] -= k * x
        b[W + i] -= k * y
        b[2 * W + i] -= k * z
        ux, uy, uz = py * z - pz * y, pz * x - px * z, px * y - py * x
        a[3 * W + i] += F(c[i]) * ux + F(c[W + i]) * uy + F(c[2 * W + i]) * uz
        a[4 * W + i] += F(c[W + i]) * ux + F(c[3 * W + i]) * uy + F(c[4 * W + i]) * uz
        a[5 * W + i] += F(c[2 * W + i]) * ux + F(c[4 * W + i]) * uy + F(c[5 * W + i]) * uz
        ux, uy, uz = qy * z - qz * y, qz * x - qx * z, qx * y - qy * x
        b[3 * W + i] -= F(c[6 * W + i]) * ux + F(c[7 * W + i]) * uy + F(c[8 * W + i]) * uz
        b[4 * W + i] -= F(c[7 * W + i]) * ux + F(c[9 * W + i]) * uy + F(c[10 * W + i]) * uz
        b[5 * W + i] -= F(c[8 * W + i]) * ux + F(c[10 * W + i]) * uy + F(c[11 * W + i]) * uz


@fast_kernel
def prepare_points(c, p, mobility, softness):
    """Effective masses and couplings of one point of each lane, by J M⁻¹ Jᵀ; 7 is 1 before, 0 if the lane has no such point.

    `mobility`: the sums of both inverse masses.
    """
    for i in range(W):
        n, t = _at(c, i, 0), _at(c, i, 3)
        b = cross(n, t)
        r, q = _at(p, i, 0), _at(p, i, 3)
        rn, rt, rb, qn, qt, qb = cross(r, n), cross(r, t), cross(r, b), cross(q, n), cross(q, t), cross(q, b)
        un, ut, ub, vn, vt, vb = (
            _turned(c, i, 6, rn),
            _turned(c, i, 6, rt),
            _turned(c, i, 6, rb),
            _turned(c, i, 12, qn),
            _turned(c, i, 12, qt),
            _turned(c, i, 12, qb),
        )
        there, m = F(p[7 * W + i]), mobility[i]
        along_n = there * _inverse(m + dot(rn, un) + dot(qn, vn))
        along_t = there * _inverse(m + dot(rt, ut) + dot(qt, vt) + softness)
        along_b = there * _inverse(m + dot(rb, ub) + dot(qb, vb) + softness)
        cone, less = (
            F(c[20 * W + i]) > F(0.0),
            min(along_t, along_b),
        )  # both are projected on a circle: one step for both
        p[7 * W + i] = along_n
        p[8 * W + i], p[9 * W + i] = less if cone else along_t, less if cone else along_b
        p[10 * W + i] = dot(rt, un) + dot(qt, vn)
        p[11 * W + i] = dot(rb, un) + dot(qb, vn)
        p[12 * W + i] = F(0.0) if cone else dot(rb, ut) + dot(qb, vt)


@fast_kernel
def _at(c, i, k):
    """Numbers k to k + 2 of lane i."""
    return F(c[W * k + i]), F(c[W * (k + 1) + i]), F(c[W * (k + 2) + i])


@fast_kernel
def _turned(c, i, k, x):
    """A symmetric matrix (xx xy xz yy yz zz), from number k on, times x."""
    xx, xy, xz = _at(c, i, k)
    yy, yz, zz = _at(c, i, k + 3)
    return (
        xx * x[0] + xy * x[1] + xz * x[2],
        xy * x[0] + yy * x[1] + yz * x[2],
        xz * x[0] + yz * x[1] + zz * x[2],
    )


@fast_kernel
def _inverse(diagonal):
    return F(1.0) / diagonal if diagonal > F(0.0) else F(0.0)


@kernel
def iterate_contacts(tables, island, h, elapsed, softness, most, biased):
    """One pass over all manifolds, colour by colour."""
    own, lanes, bodies = (
        coloured_of(tables, island, CONTACTS),
        lanes_of(tables, island),
        scratch_of(tables, island).floats,
    )
    a, b = piece(lanes.buffer, 0, BODY * W), piece(lanes.buffer, BODY * W, BODY * W)
    for g in range(INTEGERS.rows(tables)[GROUPS + CONTACTS]):
        gather(bodies, own.near, own.far, W * g, a, b)
        manifold = piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W)
        inertia = piece(manifold, 6 * W, 12 * W)
        for n in range(own.first[g], own.first[g + 1]):
            point, impulse = (
                piece(lanes.points, POINT * W * n, POINT * W),
                piece(lanes.impulses, IMPULSES * W * n, IMPULSES * W),
            )
            _find_separations(manifold, point, a, b, elapsed, piece(lanes.changes, 2 * W, W))
            if biased:
                _solve_points(manifold, point, impulse, a, b, lanes.changes, lanes.pushed, h, softness, most, 1.0, 0.0)
            else:
                _solve_points(manifold, point, impulse, a, b, lanes.changes, lanes.pushed, h, softness, 0.0, 0.0, 1.0)
            push(inertia, point, a, b, lanes.pushed)
        scatter(bodies, own.near, own.far, W * g, a, b)


@fast_kernel
def _find_separations(c, p, a, b, elapsed, separations):
    """Of one point of each lane, where the bodies are now."""
    for i in range(W):
        px, py, pz = F(p[i]), F(p[W + i]), F(p[2 * W + i])
        qx, qy, qz = F(p[3 * W + i]), F(p[4 * W + i]), F(p[5 * W + i])
        x = (
            a[6 * W + i]
            - b[6 * W + i]
            + a[10 * W + i] * pz
            - a[11 * W + i] * py
            - b[10 * W + i] * qz
            + b[11 * W + i] * qy
        )
        y = (
            a[7 * W + i]
            - b[7 * W + i]
            + a[11 * W + i] * px
            - a[9 * W + i] * pz
            - b[11 * W + i] * qx
            + b[9 * W + i] * qz
        )
        z = (
            a[8 * W + i]
            - b[8 * W + i]
            + a[9 * W + i] * py
            - a[10 * W + i] * px
            - b[9 * W + i] * qy
            + b[10 * W + i] * qx
        )
        moved = F(c[i]) * x + F(c[W + i]) * y + F(c[2 * W + i]) * z
        separations[i] = F(p[6 * W + i]) + moved - F(c[24 * W + i]) * elapsed


@fast_kernel
def _solve_points(c, p, f, a, b, changes, pushed, h, softness, most, biased, summed):
    """One point of each lane: normal, then friction. Without bias, overlap is no reason to move."""
    rate = F(1.0) / h
    for i in range(W):
        nx, ny, nz = F(c[i]), F(c[W + i]), F(c[2 * W + i])
        tx, ty, tz = F(c[3 * W + i]), F(c[4 * W + i]), F(c[5 * W + i])
        px, py, pz = F(p[i]), F(p[W + i]), F(p[2 * W + i])
        qx, qy, qz = F(p[3 * W + i]), F(p[4 * W + i]), F(p[5 * W + i])
        bx, by, bz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
        vx = a[i] - b[i] + a[4 * W + i] * pz - a[5 * W + i] * py - b[4 * W + i] * qz + b[5 * W + i] * qy
        vy = a[W + i] - b[W + i] + a[5 * W + i] * px - a[3 * W + i] * pz - b[5 * W + i] * qx + b[3 * W + i] * qz
        vz = a[2 * W + i] - b[2 * W + i] + a[3 * W + i] * py - a[4 * W + i] * px - b[3 * W + i] * qy + b[4 * W + i] * qx
        s = changes[2 * W + i]
        apart = s > F(0.0)
        soft = F(0.0) if apart else biased
        mend = -s * rate if apart else biased * min(-F(c[21 * W + i]) * s, most)
        keeps = F(1.0) + soft * (F(c[22 * W + i]) - F(1.0))
        l0, l1, l2 = f[i], f[W + i], f[2 * W + i]
        wrong = F(c[24 * W + i]) + mend - (nx * vx + ny * vy + nz * vz)
        n0 = max(l0 + F(p[7 * W + i]) * keeps * wrong - soft * F(c[23 * W + i]) * l0, F(0.0))
        d0 = n0 - l0
        e1 = F(c[25 * W + i]) - (tx * vx + ty * vy + tz * vz) - F(p[10 * W + i]) * d0 - softness * l1
        n1 = l1 + F(p[8 * W + i]) * e1
        most1, most2, cone = F(c[18 * W + i]) * n0, F(c[19 * W + i]) * n0, F(c[20 * W + i]) > F(0.0)
        n1 = n1 if cone else min(max(n1, -most1), most1)
        e2 = F(c[26 * W + i]) - (bx * vx + by * vy + bz * vz) - F(p[11 * W + i]) * d0 - softness * l2
        n2 = l2 + F(p[9 * W + i]) * (e2 - F(p[12 * W + i]) * (n1 - l1))
        length = sqrt(n1 * n1 + n2 * n2)
        part = most1 / length if cone and length > most1 else F(1.0)
        n1, n2 = n1 * part, n2 * part
        n2 = n2 if cone else min(max(n2, -most2), most2)
        d1, d2 = n1 - l1, n2 - l2
        changes[i] = max(changes[i], max(abs(d0), max(abs(d1), abs(d2))))
        changes[W + i] = max(changes[W + i], n0)
        f[i], f[W + i], f[2 * W + i] = n0, n1, n2
        f[3 * W + i] += summed * n0
        f[4 * W + i] += summed * n1
        f[5 * W + i] += summed * n2
        pushed[i], pushed[W + i], pushed[2 * W + i] = (
            nx * d0 + tx * d1 + bx * d2,
            ny * d0 + ty * d1 + by * d2,
            nz * d0 + tz * d1 + bz * d2,
        )


@kernel
def restore_contacts(tables, island):
    """Restitution: points that met faster than their threshold, and carried something, leave as Newton's rule says."""
    own, lanes, bodies = (
        coloured_of(tables, island, CONTACTS),
        lanes_of(tables, island),
        scratch_of(tables, island).floats,
    )
    a, b = piece(lanes.buffer, 0, BODY * W), piece(lanes.buffer, BODY * W, BODY * W)
    for g in range(INTEGERS.rows(tables)[GROUPS + CONTACTS]):
        gather(bodies, own.near, own.far, W * g, a, b)
        manifold = piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W)
        for n in range(own.first[g], own.first[g + 1]):
            point, impulse = (
                piece(lanes.points, POINT * W * n, POINT * W),
                piece(lanes.impulses, IMPULSES * W * n, IMPULSES * W),
            )
            _restore(manifold, point, impulse, a, b, lanes.pushed)
            push(piece(manifold, 6 * W, 12 * W), point, a, b, lanes.pushed)
        scatter(bodies, own.near, own.far, W * g, a, b)


@fast_kernel
def _restore(c, p, f, a, b, pushed):
    """The impulses stand where the separations were, which nothing asks for any longer."""
    for i in range(W):
        nx, ny, nz = F(c[i]), F(c[W + i]), F(c[2 * W + i])
        px, py, pz = F(p[i]), F(p[W + i]), F(p[2 * W + i])
        qx, qy, qz = F(p[3 * W + i]), F(p[4 * W + i]), F(p[5 * W + i])
        vx = a[i] - b[i] + a[4 * W + i] * pz - a[5 * W + i] * py - b[4 * W + i] * qz + b[5 * W + i] * qy
        vy = a[W + i] - b[W + i] + a[5 * W + i] * px - a[3 * W + i] * pz - b[5 * W + i] * qx + b[3 * W + i] * qz
        vz = a[2 * W + i] - b[2 * W + i] + a[3 * W + i] * py - a[4 * W + i] * px - b[3 * W + i] * qy + b[4 * W + i] * qx
        rebound = F(p[13 * W + i])
        bounces = rebound > F(NEVER) and f[3 * W + i] > F(0.0)
        wrong = rebound - (nx * vx + ny * vy + nz * vz) if bounces else F(0.0)
        d = max(F(p[7 * W + i]) * wrong, -f[i])
        p[6 * W + i] = d
        pushed[i], pushed[W + i], pushed[2 * W + i] = nx * d, ny * d, nz * d


@kernel
def apply_contacts(tables, island):
    """Warm starting: give the bodies the impulses that the points have."""
    own, lanes, bodies = (
        coloured_of(tables, island, CONTACTS),
        lanes_of(tables, island),
        scratch_of(tables, island).floats,
    )
    a, b = piece(lanes.buffer, 0, BODY * W), piece(lanes.buffer, BODY * W, BODY * W)
    for g in range(INTEGERS.rows(tables)[GROUPS + CONTACTS]):
        gather(bodies, own.near, own.far, W * g, a, b)
        manifold = piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W)
        inertia = piece(manifold, 6 * W, 12 * W)
        for n in range(own.first[g], own.first[g + 1]):
            point, impulse = (
                piece(lanes.points, POINT * W * n, POINT * W),
                piece(lanes.impulses, IMPULSES * W * n, IMPULSES * W),
            )
            _find_impulses(manifold, impulse, lanes.pushed)
            push(inertia, point, a, b, lanes.pushed)
        scatter(bodies, own.near, own.far, W * g, a, b)


@fast_kernel
def _find_impulses(c, f, pushed):
    """The impulses that the points have."""
    for i in range(W):
        nx, ny, nz = F(c[i]), F(c[W + i]), F(c[2 * W + i])
        tx, ty, tz = F(c[3 * W + i]), F(c[4 * W + i]), F(c[5 * W + i])
        bx, by, bz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
        l0, l1, l2 = f[i], f[W + i], f[2 * W + i]
        x, y, z = nx * l0 + tx * l1 + bx * l2, ny * l0 + ty * l1 + by * l2, nz * l0 + tz * l1 + bz * l2
        pushed[i], pushed[W + i], pushed[2 * W + i] = x, y, z
