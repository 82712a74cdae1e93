"""Inverse and forward dynamics: forces from accelerations, and accelerations from forces.

    f_i = I_i a_i + v_i x* I_i v_i - f_i^ext,   tau_k = S_k . sum_i moves[i, k] f_i,   a_i taken relative to -g,

the recursive Newton-Euler algorithm of Featherstone, "Rigid Body Dynamics Algorithms", 2008, section 5.3, with the
recursions written as sums over the tree. Of a link: momentum m (v + w x c), moment of momentum I_c w + c x momentum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_function
from opendynamics.robot.dynamics.mass_matrix import mass_matrix, mass_matrix_of
from opendynamics.robot.kinematics.forward import Kinematics, cross
from opendynamics.robot.state import State, require_state

Array = npt.NDArray[np.float64]

STANDARD_GRAVITY = (0.0, 0.0, -9.80665)


@explain_function
def inverse_dynamics(
    state: State,
    acceleration: Any = None,
    *,
    gravity: Any = STANDARD_GRAVITY,
    external: Any = None,
    rotors: bool = True,
) -> Array:
    """Generalised forces that result in an acceleration.

    Args:
        state: configuration and velocities.
        acceleration: generalised, shape (6 f + n,); that of the state unless given.
        gravity: m/s², shape (3,).
        external: external forces on the links, and torques about their origins, in world axes, shape (l, 6).
        rotors: whether to include the reflected inertias of rotors.

    Returns:
        Force on the origin and torque of each floating base, then efforts of the joints, N and N m, (6 f + n,).
    """
    require_state(state)
    tree = state.model.tree
    given = state.acceleration if acceleration is None else checks.array("the acceleration", acceleration)
    if given.shape != (tree.freedom,):
        raise ValueError(
            f"the acceleration of {state.model.name} must have the shape {(tree.freedom,)}, not {given.shape}"
        )
    return forces_of(Kinematics(state), given, gravity, external, rotors)


def forces_of(kinematics: Kinematics, given: Array, gravity: Any, external: Any = None, rotors: bool = True) -> Array:
    """`inverse_dynamics` for given kinematics, and a generalised acceleration of the right shape."""
    tree = kinematics.model.tree
    accelerations = kinematics.spatial_accelerations(given)
    accelerations[:, 3:] -= checks.vector("gravity", gravity)
    wrenches = _wrenches(kinematics, accelerations)
    if external is not None:
        wrenches -= _about_reference(kinematics, external)
    result: Array = np.einsum("ki,ki->k", kinematics.subspace, tree.moves.T @ wrenches)
    if rotors:
        split = 6 * tree.floating
        result[split:] += tree.reflected_inertias * given[split:]
    return result


def _wrenches(kinematics: Kinematics, accelerations: Array) -> Array:
    """I a + v x* I v of the links: moment about o, then force, shape (l, 6)."""
    masses, centers = kinematics.model.tree.masses[:, None], kinematics.centers_of_mass - kinematics.origin
    w, v = kinematics.spatial_velocities[:, :3], kinematics.spatial_velocities[:, 3:]
    dw, a = accelerations[:, :3], accelerations[:, 3:]
    momentum = masses * (v + cross(w, centers))
    spin = np.einsum("lij,lj->li", kinematics.inertias, w) + cross(centers, momentum)
    push = masses * (a + cross(dw, centers))
    turn = np.einsum("lij,lj->li", kinematics.inertias, dw) + cross(centers, push)
    force = push + cross(w, momentum)
    moment = turn + cross(w, spin) + cross(v, momentum)
    return np.concatenate([moment, force], axis=1)


def _about_reference(kinematics: Kinematics, external: Any) -> Array:
    """Forces and torques about the links' origins as (moment about o, force)."""
    given = checks.array("the external forces", external)
    if given.shape != (len(kinematics.positions), 6):
        raise ValueError(f"the external forces must have the shape {(len(kinematics.positions), 6)}, not {given.shape}")
    force, torque = given[:, :3], given[:, 3:]
    return np.concatenate([torque + cross(kinematics.positions - kinematics.origin, force), force], axis=1)


@explain_function
def bias_forces(state: State, *, gravity: Any = STANDARD_GRAVITY, external: Any = None) -> Array:
    """Generalised forces of Coriolis and centrifugal terms and gravity: those that result in zero acceleration, (6 f + n,)."""
    require_state(state)
    return inverse_dynamics(state, np.zeros(state.model.tree.freedom), gravity=gravity, external=external)


@explain_function
def gravity_forces(state: State, *, gravity: Any = STANDARD_GRAVITY) -> Array:
    """Generalised forces that hold the model at rest against gravity, for any velocities of the state, (6 f + n,)."""
    require_state(state)
    still = state.copy()
    still.velocity = np.zeros(state.model.tree.freedom)
    return bias_forces(still, gravity=gravity)


@explain_function
def forward_dynamics(
    state: State, *, gravity: Any = STANDARD_GRAVITY, external: Any = None, rotors: bool = True
) -> Array:
    """Generalised acceleration under the efforts `state.u` and no other force on bases, shape (6 f + n,).

    Contacts, joint limits, extra joints, and damping and friction of joints are not included: a Robot in a World has these.
    """
    require_state(state)
    tree = state.model.tree
    forces = np.concatenate([np.zeros(6 * tree.floating), state.u])
    kinematics = Kinematics(state)
    matrix = mass_matrix_of(kinematics, rotors)
    try:
        bias = forces_of(kinematics, np.zeros(tree.freedom), gravity, external)
        return np.asarray(np.linalg.solve(matrix, forces - bias))
    except np.linalg.LinAlgError:
        raise ValueError(f"the mass matrix of {state.model.name} is singular: a link that moves has no mass") from None


@explain_function
def kinetic_energy(state: State, *, rotors: bool = True) -> float:
    """Kinetic energy, ½ v·M v, J; `rotors`: see `mass_matrix`."""
    require_state(state)
    v = state.velocity
    return float(0.5 * v @ mass_matrix(state, rotors=rotors) @ v)


@explain_function
def potential_energy(state: State, *, gravity: Any = STANDARD_GRAVITY) -> float:
    """Potential energy, -Σ m g·c, J; zero at the world's origin."""
    g = np.array(checks.vector("gravity", gravity))
    centers = Kinematics(state).centers_of_mass
    return -float(state.model.tree.masses @ (centers @ g))
