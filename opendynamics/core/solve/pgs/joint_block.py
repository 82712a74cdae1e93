"""Block of a joint: its rows without bounds are solved together, exactly but for over-relaxation.

    λ <- λ + w (J M⁻¹ Jᵀ + cfm)⁻¹ (rhs - J q - cfm λ)

for the n rows of one joint, with the inverse made once a step. A row with bounds is a block of its own.
"""

from __future__ import annotations

from opendynamics.core.kernels import fast_kernel, kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.pgs.simd import joint_relaxer, lanes, push_row, row_product
from opendynamics.core.solve.prepared import effective_mass, inverse_mass_here, projected, response

# Most rows of a block. Its record, with L numbers (`width`) for n rows: 12 columns of J, right-hand sides, CFM and n
# columns of the inverse, L each; then n rows of M⁻¹ Jᵀ, 16 each, laid out as the two bodies are.
MOST = 6

# Record of a row alone: Jacobian and M⁻¹ Jᵀ (16 each), right-hand side, CFM, effective mass times w, bounds.
RESPONSE, RHS, CFM, EFFECTIVE_MASS, LO, HI, SINGLE = 16, 32, 33, 34, 35, 36, 40

# A pivot smaller than this fraction of its diagonal means that the row is redundant.
TINY = 1e-13

width = kernel(lanes)

relax_1, relax_2, relax_3 = joint_relaxer(1), joint_relaxer(2), joint_relaxer(3)
relax_4, relax_5, relax_6 = joint_relaxer(4), joint_relaxer(5), joint_relaxer(6)


@kernel
def joint_size(n):
    """Numbers of the record of n rows."""
    return (14 + n) * width(n) + 16 * n


@kernel
def _load_response(tables, body, j, out):
    """M⁻¹ Jᵀ of one body: the eight numbers of `out`. Returns J M⁻¹ Jᵀ."""
    linear, angular = response(inverse_mass_here(tables, body), j)
    for k in range(3):
        out[k], out[4 + k] = linear[k], angular[k]
    out[3] = out[7] = 0.0
    return projected(j, linear, angular)


@kernel
def fill_single(tables, own, link, row, relaxation):
    """Record of one row with bounds."""
    diagonal = row.cfm + _load_response(tables, link.body0, row.j0, piece(own, RESPONSE, 8))
    diagonal += _load_response(tables, link.body1, row.j1, piece(own, RESPONSE + 8, 8))
    for k in range(16):
        own[k] = 0.0
    for k in range(3):
        own[k], own[4 + k], own[8 + k], own[12 + k] = row.j0[k], row.j0[3 + k], row.j1[k], row.j1[3 + k]
    own[RHS], own[CFM], own[LO], own[HI] = row.rhs, row.cfm, row.lo, row.hi
    own[EFFECTIVE_MASS] = effective_mass(diagonal, relaxation)


@kernel
def fill_joint_row(tables, own, link, row, i, n):
    """Row i of n into a record that was zero."""
    size = width(n)
    for k in range(6):
        own[size * k + i], own[size * (6 + k) + i] = row.j0[k], row.j1[k]
    own[12 * size + i], own[13 * size + i] = row.rhs, row.cfm
    at = (14 + n) * size + 16 * i
    _load_response(tables, link.body0, row.j0, piece(own, at, 8))
    _load_response(tables, link.body1, row.j1, piece(own, at + 8, 8))


@kernel
def set_inverse(own, n, relaxation):
    """w (J M⁻¹ Jᵀ + cfm)⁻¹, when all rows are there."""
    size = width(n)
    inverse = piece(own, 14 * size, n * size)
    responses = piece(own, (14 + n) * size, 16 * n)
    for i in range(n):
        for j in range(i + 1):
            inverse[size * j + i] = inverse[size * i + j] = _element(own, responses, size, i, j)
    for k in range(n):
        _sweep(inverse, n, size, k, TINY * _element(own, responses, size, k, k))
    for k in range(n * size):
        inverse[k] *= relaxation


@kernel
def _element(own, responses, size, i, j):
    """Of J M⁻¹ Jᵀ + cfm."""
    total = own[13 * size + i] if i == j else 0.0
    for k in range(3):
        total += own[size * k + i] * responses[16 * j + k] + own[size * (3 + k) + i] * responses[16 * j + 4 + k]
        total += own[size * (6 + k) + i] * responses[16 * j + 8 + k]
        total += own[size * (9 + k) + i] * responses[16 * j + 12 + k]
    return total


@kernel
def _sweep(a, n, size, k, least):
    """Sweep row k of the symmetric a in, in place; after all of them a is inverted. A redundant row gets no force.

    `least`: a pivot that is lost in the rounding of its diagonal. Rows of forces and of torques have no common scale.
    """
    pivot = a[size * k + k]
    if not pivot > least:
        for j in range(n):
            a[size * k + j] = a[size * j + k] = 0.0
        return
    for j in range(n):
        a[size * k + j] /= pivot
    for i in range(n):
        if i != k:
            factor = a[size * i + k]
            for j in range(n):
                if j != k:
                    a[size * i + j] -= factor * a[size * k + j]
            a[size * i + k] = -factor / pivot
    a[size * k + k] = 1.0 / pivot


@kernel
def push_joint(own, forces, a, b, n):
    """Change the bodies' accelerations by the forces of a joint."""
    for i in range(n):
        push_row(piece(own, (14 + n) * width(n) + 16 * i, 16), a, b, forces[i])


@kernel
def relax_joint(own, forces, a, b, n):
    """Improve the forces of a joint's n rows."""
    if n == 3:
        relax_3(own, forces, a, b)
    elif n == 5:
        relax_5(own, forces, a, b)
    elif n == 4:
        relax_4(own, forces, a, b)
    elif n == 6:
        relax_6(own, forces, a, b)
    elif n == 2:
        relax_2(own, forces, a, b)
    else:
        relax_1(own, forces, a, b)


@fast_kernel
def relax_single(own, forces, a, b, normal):
    """Improve the force of a row alone; `normal` is the force that its bounds follow, negative: none."""
    lo, hi = own[LO], own[HI]
    if normal >= 0.0:
        hi = hi * normal if normal > 0.0 else 0.0
        lo = -hi
    residual = own[RHS] - own[CFM] * forces[0] - row_product(own, a, b)
    new = min(max(forces[0] + own[EFFECTIVE_MASS] * residual, lo), hi)
    change = new - forces[0]
    forces[0] = new
    push_row(piece(own, RESPONSE, 16), a, b, change)


@kernel
def joint_jump(own, forces, a, b, n):
    """How far a joint's forces would jump if it was solved by itself, and the largest of them."""
    size = width(n)
    jump = largest = 0.0
    for i in range(n):
        change = 0.0
        for j in range(n):
            residual = own[12 * size + j] - own[13 * size + j] * forces[j]
            for k in range(3):
                residual -= own[size * k + j] * a[k] + own[size * (3 + k) + j] * a[4 + k]
                residual -= own[size * (6 + k) + j] * b[k] + own[size * (9 + k) + j] * b[4 + k]
            change += own[14 * size + size * j + i] * residual
        jump, largest = max(jump, abs(change)), max(largest, abs(forces[i]))
    return jump, largest


@fast_kernel
def single_jump(own, forces, a, b, normal):
    """The same for a row alone."""
    lo, hi = own[LO], own[HI]
    if normal >= 0.0:
        hi = hi * normal if normal > 0.0 else 0.0
        lo = -hi
    residual = own[RHS] - own[CFM] * forces[0] - row_product(own, a, b)
    new = min(max(forces[0] + own[EFFECTIVE_MASS] * residual, lo), hi)
    return abs(new - forces[0]), abs(forces[0])
