"""Block of a contact: normal and two tangents, improved together.

One scalar Gauss-Seidel pass over the three forces needs the residuals rhs - J q - cfm λ only once, if they are updated by
the couplings A_jk = J_j M⁻¹ J_kᵀ; the bodies then take up the change of all three at once. Row by row, a contact would
read and write its bodies three times.

Friction first, bounded by the normal force of the iteration before; the normal last, so that no approach remains. On a
cone, both tangents take the same effective mass and are projected onto the circle.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core.algebra.vec3 import add, cross, get3, negate, set3, subtract
from opendynamics.core.arrays.contacts import CONTACTS, SPECULATIVE
from opendynamics.core.arrays.islands import LINKS
from opendynamics.core.arrays.rows import ROWS, UNBOUNDED
from opendynamics.core.constrain.parts.contact import apart_of
from opendynamics.core.constrain.parts.frame import centre
from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.pgs.simd import (
    CFM,
    MASSES,
    PUSHES,
    RHS,
    TURNS0,
    TURNS1,
    contact_residuals,
    push_contact,
)
from opendynamics.core.solve.prepared import effective_mass, inverse_mass_here, response

# Of the record, behind what `simd` reads: effective masses times w 3; couplings normal-1, normal-2, 1-2; friction bounds:
# coefficients of the normal force, and fixed; the effective mass that both tangents of a cone take, 0: no cone.
EFFECTIVE_MASS, COUPLING, MU, LIMIT, CONE, CONTACT = 82, 85, 88, 90, 92, 96


@kernel
def fill_contact(tables, own, first, end, relaxation):
    """Fill in a contact's record from rows `first` to `end`; returns how many it took: rolling rows remain."""
    rows = ROWS.rows(tables)
    link = LINKS.rows(tables)[rows[first].link]
    contact = CONTACTS.rows(tables)[link.index]
    point = get3(contact.point.position)
    for k in range(CONTACT):
        own[k] = 0.0
    r0, r1 = subtract(point, centre(tables, link.body0)), (0.0, 0.0, 0.0)
    if contact.flags & SPECULATIVE:
        point = add(point, apart_of(tables, contact))
    if link.body1 != 0:
        r1 = subtract(point, centre(tables, link.body1))
    inverse0, inverse1 = inverse_mass_here(tables, link.body0), inverse_mass_here(tables, link.body1)
    own[MASSES], own[MASSES + 1] = inverse0[0], -inverse1[0]
    count = 0
    for r in range(first, min(first + 3, end)):
        row = rows[r]
        u = row.j0[0], row.j0[1], row.j0[2]
        if u[0] == 0.0 and u[1] == 0.0 and u[2] == 0.0:
            break
        about0, about1 = cross(r0, u), negate(cross(r1, u))
        set3(piece(own, PUSHES + 4 * count, 3), u)
        _, turn0 = response(inverse0, (u[0], u[1], u[2], about0[0], about0[1], about0[2]))
        _, turn1 = response(inverse1, (u[0], u[1], u[2], about1[0], about1[1], about1[2]))
        set3(piece(own, TURNS0 + 4 * count, 3), turn0)
        set3(piece(own, TURNS1 + 4 * count, 3), turn1)
        for k in range(3):
            own[4 * k + count], own[12 + 4 * k + count], own[24 + 4 * k + count] = u[k], about0[k], about1[k]
        own[RHS + count], own[CFM + count] = row.rhs, row.cfm
        if count > 0:
            own[(MU if row.normal >= 0 else LIMIT) + count - 1] = min(row.hi, UNBOUNDED)
        count += 1
    _set_effective_masses(own, count, relaxation)
    if count == 3 and rows[first + 1].pair > 0:
        _set_cone(own, relaxation)
    return count


@kernel
def _set_effective_masses(own, count, relaxation):
    """Effective masses and couplings."""
    mass = own[MASSES] - own[MASSES + 1]
    for i in range(count):
        for j in range(i, count):
            product = 0.0
            for k in range(3):
                product += mass * own[4 * k + i] * own[PUSHES + 4 * j + k]
                product += own[12 + 4 * k + i] * own[TURNS0 + 4 * j + k] + own[24 + 4 * k + i] * own[TURNS1 + 4 * j + k]
            if i == j:
                own[EFFECTIVE_MASS + i] = effective_mass(product + own[CFM + i], relaxation)
            else:
                own[COUPLING + i + j - 1] = product


@kernel
def _set_cone(own, relaxation):
    """The effective mass that both tangents can take: by the larger eigenvalue of their two equations."""
    one, two = 1.0 / own[EFFECTIVE_MASS + 1], 1.0 / own[EFFECTIVE_MASS + 2]
    middle, apart, coupling = 0.5 * (one + two), 0.5 * (one - two), own[COUPLING + 2] / relaxation
    own[CONE] = 1.0 / (middle + sqrt(apart * apart + coupling * coupling))


@fast_kernel
def relax_contact(own, forces, a, b):
    """Improve a contact's `forces`; `a` and `b` are its bodies' accelerations."""
    residual, residual1, residual2 = contact_residuals(own, forces, a, b)
    normal, one, two = forces[0], forces[1], forces[2]
    held = max(normal, 0.0)
    bound1, bound2 = own[LIMIT] + own[MU] * held, own[LIMIT + 1] + own[MU + 1] * held
    if own[CONE] == 0.0:
        new1 = min(max(one + own[EFFECTIVE_MASS + 1] * residual1, -bound1), bound1)
        change1 = new1 - one
        new2 = min(max(two + own[EFFECTIVE_MASS + 2] * (residual2 - own[COUPLING + 2] * change1), -bound2), bound2)
    else:
        new1, new2 = one + own[CONE] * residual1, two + own[CONE] * residual2
        length = sqrt(new1 * new1 + new2 * new2)
        if length > bound1:
            new1, new2 = new1 * (bound1 / length), new2 * (bound1 / length)
        change1 = new1 - one
    change2 = new2 - two
    residual -= own[COUPLING] * change1 + own[COUPLING + 1] * change2
    new = max(normal + own[EFFECTIVE_MASS] * residual, 0.0)
    forces[0], forces[1], forces[2] = new, new1, new2
    push_contact(own, a, b, new - normal, change1, change2)


@fast_kernel
def contact_jump(own, forces, a, b):
    """How far a contact's forces would jump if each was improved by itself, and the largest of them."""
    residual, residual1, residual2 = contact_residuals(own, forces, a, b)
    normal, one, two = forces[0], forces[1], forces[2]
    held = max(normal, 0.0)
    bound1, bound2 = own[LIMIT] + own[MU] * held, own[LIMIT + 1] + own[MU + 1] * held
    if own[CONE] == 0.0:
        new1 = min(max(one + own[EFFECTIVE_MASS + 1] * residual1, -bound1), bound1)
        new2 = min(max(two + own[EFFECTIVE_MASS + 2] * residual2, -bound2), bound2)
    else:
        new1, new2 = one + own[CONE] * residual1, two + own[CONE] * residual2
        length = sqrt(new1 * new1 + new2 * new2)
        if length > bound1:
            new1, new2 = new1 * (bound1 / length), new2 * (bound1 / length)
    jump = abs(max(normal + own[EFFECTIVE_MASS] * residual, 0.0) - normal)
    return max(jump, abs(new1 - one), abs(new2 - two)), max(abs(normal), abs(one), abs(two))
