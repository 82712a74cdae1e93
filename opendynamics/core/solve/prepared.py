"""Prepared rows, the same in all solvers: M⁻¹ Jᵀ (the response), J M⁻¹ Jᵀ, and the effective mass.

`constrain.assemble` writes the right-hand side, `row.rhs`. Reads the bodies' inverse masses and world inverse inertias.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.lanes import LANES, Numbers
from opendynamics.core.algebra.mat3 import get9, times
from opendynamics.core.algebra.simd import broadcast
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import SLOTS
from opendynamics.core.kernels import kernel


@kernel
def inverse_mass_of(tables, body):
    """M⁻¹ of a body: inverse mass, and inverse inertia in the world frame."""
    return MOTIONS.rows(tables)[body].inverse_mass, get9(INERTIAS.rows(tables)[body].world_inverse)


@kernel
def inverse_mass_here(tables, body):
    """M⁻¹ of a body of a link; zeros for one that is in no island, as the static world and frozen bodies."""
    if SLOTS.rows(tables)[body] < 0:
        return 0.0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return inverse_mass_of(tables, body)


@kernel
def response(inverse_mass, j):
    """M⁻¹ Jᵀ of one body: linear and angular acceleration for the six numbers of a Jacobian, or of a sum Jᵀ λ."""
    linear, angular = inverse_mass
    return (linear * j[0], linear * j[1], linear * j[2]), times(angular, (j[3], j[4], j[5]))


def responses_of_lanes(builder: Any, columns: list[Numbers], mass: Any, inertia: Any) -> list[Numbers]:
    """The same for eight rows at a time, from the six columns of their Jacobians, where intrinsics are compiled."""
    m, t = broadcast(builder, mass, LANES), [builder.extract_value(inertia, k) for k in range(9)]
    t = [Numbers(builder, broadcast(builder, each, LANES)) for each in t]
    x, y, z = columns[3:]
    linear = [Numbers(builder, m) * column for column in columns[:3]]
    return linear + [t[3 * k] * x + t[3 * k + 1] * y + t[3 * k + 2] * z for k in range(3)]


@kernel
def projected(j, linear, angular):
    """J M⁻¹ Jᵀ of one body, from its response."""
    total = 0.0
    for k in range(3):
        total += j[k] * linear[k] + j[3 + k] * angular[k]
    return total


@kernel
def effective_mass(diagonal, relaxation):
    """1 / (J M⁻¹ Jᵀ + cfm), times over-relaxation; 0 for a row without movable bodies."""
    return relaxation / diagonal if diagonal > 0.0 else 0.0
