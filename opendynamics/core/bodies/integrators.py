"""Values of WORLD.integrator: how a step of h s gets from forces to velocities and poses.

M is the mass matrix, f all forces but the rows', D the motion without forces: x + h v, and free rotation.

    EULER            v' = v + h M⁻¹ (f + gyroscopic torque + Jᵀλ), x' = x + h v': semi-implicit, of first order. The torque is
                     implicit and damps; ODE's.
    ENERGY_MOMENTUM  v' = v + h M⁻¹ (f + Jᵀλ), then D(h): the same with exact free rotation (`free_rotation.py`). Bodies that
                     joints hold are stepped by EULER: D(h) would leave them with a velocity that no joint allows.
    VERLET           D(h/2), then v' = v + h M⁻¹ (f + Jᵀλ) with all forces in the middle of the step, then D(h/2): position
                     Verlet, symmetric and so of second order (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
                     Integration, 2006, II.5).
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import HELD, MOTIONS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel

EULER, ENERGY_MOMENTUM, VERLET = range(3)


@kernel
def integrator_of(tables, body):
    """What steps a body: the world's integrator, or EULER beneath it."""
    integrator = WORLDS.rows(tables)[0].integrator
    if integrator == ENERGY_MOMENTUM and MOTIONS.rows(tables)[body].flags & HELD:
        return EULER
    return integrator
