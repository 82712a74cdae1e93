"""Box-box SAT: along which of fifteen axes two boxes overlap least.

Two boxes are apart if and only if their projections are apart on a face normal of either or on the cross product of an edge
of each (Gottschalk, Lin, Manocha 1996). All is in the frame of box A: p is B's centre, r turns B's vectors, a and
b are half lengths; but s is the way from A's centre to B's in the frame of B. On a unit axis L the projections overlap by
sum a_i |L_i| + sum b_j |L·r_j| - |L·p|, and a gap is a negative overlap.
"""

from __future__ import annotations

from math import inf, sqrt

from opendynamics.core.algebra.mat3 import row0, row1, row2
from opendynamics.core.algebra.vec3 import magnitudes
from opendynamics.core.kernels import kernel

# Codes of axes: faces of A from 0, faces of B from 3, edge i of A with edge j of B at 6 + 3 i + j.
APART = -1
FACES_OF_B = 3
EDGES = 6

# Squared sine below which edges count as parallel. Their cross product then adds nothing to the faces.
PARALLEL = 1.0e-12


@kernel
def box_box_sat(p, s, r, a, b, favour, slack, near):
    """The largest gap (at most 0 if the boxes meet) and its axis' code, APART if it is above `near`; up to there it counts as 0.

    Axes come in the order of their codes, and a later one must be strictly better, an edge axis by the factor `favour` and by
    what rounding may make of `slack` m, divided by the sine between the edges.
    Reaches are added up before the distance is taken off, so that two faces that lie on each other exactly tie, and the first
    is chosen. They are added up in ODE's order: which of two faces that tie but for rounding is chosen shows in the contacts.
    """
    r0, r1, r2 = row0(r), row1(r), row2(r)
    q0, q1, q2 = magnitudes(r0), magnitudes(r1), magnitudes(r2)
    gap, code = abs(p[0]) - (a[0] + b[0] * q0[0] + b[1] * q0[1] + b[2] * q0[2]), 0
    gap, code = better_face(gap, code, abs(p[1]) - (a[1] + b[0] * q1[0] + b[1] * q1[1] + b[2] * q1[2]), 1)
    gap, code = better_face(gap, code, abs(p[2]) - (a[2] + b[0] * q2[0] + b[1] * q2[1] + b[2] * q2[2]), 2)
    if gap > near:
        return gap, APART
    gap, code = better_face(gap, code, abs(s[0]) - (q0[0] * a[0] + q1[0] * a[1] + q2[0] * a[2] + b[0]), 3)
    gap, code = better_face(gap, code, abs(s[1]) - (q0[1] * a[0] + q1[1] * a[1] + q2[1] * a[2] + b[1]), 4)
    gap, code = better_face(gap, code, abs(s[2]) - (q0[2] * a[0] + q1[2] * a[1] + q2[2] * a[2] + b[2]), 5)
    if gap > near:
        return gap, APART
    x, xx = edge_gaps(p[1], p[2], a[1], a[2], r1, r2, q0, q1, q2, b)
    y, yy = edge_gaps(p[2], p[0], a[2], a[0], r2, r0, q1, q2, q0, b)
    z, zz = edge_gaps(p[0], p[1], a[0], a[1], r0, r1, q2, q0, q1, b)
    widest = max(max(x[0], max(x[1], x[2])), max(max(y[0], max(y[1], y[2])), max(z[0], max(z[1], z[2]))))
    if widest > near:
        return widest, APART
    gap = min(gap, 0.0)
    best, favour = gap * gap, favour * favour
    best, code = better_edge(best, code, x[0], xx[0], 6, favour, slack)
    best, code = better_edge(best, code, x[1], xx[1], 7, favour, slack)
    best, code = better_edge(best, code, x[2], xx[2], 8, favour, slack)
    best, code = better_edge(best, code, y[0], yy[0], 9, favour, slack)
    best, code = better_edge(best, code, y[1], yy[1], 10, favour, slack)
    best, code = better_edge(best, code, y[2], yy[2], 11, favour, slack)
    best, code = better_edge(best, code, z[0], zz[0], 12, favour, slack)
    best, code = better_edge(best, code, z[1], zz[1], 13, favour, slack)
    best, code = better_edge(best, code, z[2], zz[2], 14, favour, slack)
    return -sqrt(best), code


@kernel
def better_face(gap, code, this_gap, this_code):
    if this_gap > gap:
        return this_gap, this_code
    return gap, code


@kernel
def edge_gaps(p1, p2, a1, a2, r1, r2, q0, q1, q2, b):
    """Edge i of A against the three of B; numbers 1 and 2 belong to the axes i + 1 and i + 2.

    The axis e_i x r_j has the components (0, -r2_j, r1_j). Gaps are those times its length, whose square comes with
    them; a gap on an axis of hardly any length counts as far below all others.
    """
    x = abs(p2 * r1[0] - p1 * r2[0]) - (a1 * q2[0] + a2 * q1[0] + b[1] * q0[2] + b[2] * q0[1])
    y = abs(p2 * r1[1] - p1 * r2[1]) - (a1 * q2[1] + a2 * q1[1] + b[2] * q0[0] + b[0] * q0[2])
    z = abs(p2 * r1[2] - p1 * r2[2]) - (a1 * q2[2] + a2 * q1[2] + b[0] * q0[1] + b[1] * q0[0])
    xx = r1[0] * r1[0] + r2[0] * r2[0]
    yy = r1[1] * r1[1] + r2[1] * r2[1]
    zz = r1[2] * r1[2] + r2[2] * r2[2]
    x = x if xx > PARALLEL else -inf
    y = y if yy > PARALLEL else -inf
    z = z if zz > PARALLEL else -inf
    return (x, y, z), (xx, yy, zz)


@kernel
def better_edge(best, code, gap, square, this_code, favour, slack):
    """`best` is the square of the largest gap so far, 0 if the boxes are apart; divisions and roots are deferred."""
    less, gap = min(gap - slack, 0.0), min(gap, 0.0)
    if favour * less * less < best * square:
        return gap * gap / square, this_code
    return best, code
