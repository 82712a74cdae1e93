"""Values of WORLD.integrator: how a step of h s gets from forces to velocities and poses.

M is the mass matrix, f all forces but the rows', D the motion without forces: x + h v, and free rotation.

    EULER            v' = v + h M⁻¹ (f + gyroscopic torque + Jᵀλ), x' = x + h v': semi-implicit, of first order. The torque is
                     implicit and damps; ODE's.
    ENERGY_MOMENTUM  v' = v + h M⁻¹ (f + Jᵀλ), then D(h): the same with exact free rotation (`free_rotation.py`).
    DEFERRED         ENERGY_MOMENTUM of bodies that joints hold. Hard rows ask for the mean velocity of D(h), so that joints stay
                     closed. What D(h) does to angular velocities is left to the beginning of the next step: until then
                     bodies have the v' that motors ask for. Their angular momentum is I v' with the inertia I of before
                     D(h), whose inverse INERTIA.world_inverse keeps.
    VERLET           D(h/2), then v' = v + h M⁻¹ (f + Jᵀλ) with all forces in the middle of the step, then D(h/2): position
                     Verlet, symmetric and so of second order (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
                     Integration, 2006, II.5).
"""

from __future__ import annotations

from opendynamics.core.arrays.bodies import HELD, MOTIONS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import kernel

EULER, ENERGY_MOMENTUM, VERLET, DEFERRED = range(4)


@kernel
def integrator_of(tables, body):
    """The integrator of a body: the world's, or DEFERRED for it."""
    integrator = WORLDS.rows(tables)[0].integrator
    if integrator == ENERGY_MOMENTUM and MOTIONS.rows(tables)[body].flags & HELD:
        return DEFERRED
    return integrator
