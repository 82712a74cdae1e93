"""Values of WORLD.integrator: how a step of h s gets from forces to velocities and poses.

M is the mass matrix, f all forces but the rows', D the motion without forces: x + h v, and free rotation.

    EULER            v' = v + h M⁻¹ (f + gyroscopic torque + Jᵀλ), x' = x + h v': semi-implicit, of first order. The torque is
                     implicit and damps; ODE's.
    ENERGY_MOMENTUM  v' = v + h M⁻¹ (f + Jᵀλ), then D(h): the same with exact free rotation (`free_rotation.py`).
    VERLET           D(h/2), then v' = v + h M⁻¹ (f + Jᵀλ) with all forces in the middle of the step, then D(h/2): position
                     Verlet, symmetric and so of second order (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
                     Integration, 2006, II.5).
"""

EULER, ENERGY_MOMENTUM, VERLET = range(3)
