"""Mass matrix: the composite rigid body algorithm, M_ij = S_i . (I^c_j S_j) for i that moves all that j moves.

Source: Featherstone, "Rigid Body Dynamics Algorithms", 2008, section 6.2, here with all spatial vectors in world axes
about one point, so that composite inertias are sums.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from opendynamics.api.suggestions import explain_function
from opendynamics.robot.kinematics.forward import Kinematics
from opendynamics.robot.state import State

Array = npt.NDArray[np.float64]


@explain_function
def mass_matrix(state: State, *, rotors: bool = True) -> Array:
    """M of the equation of motion M a + bias = forces, shape (6 f + n, 6 f + n), symmetric.

    Args:
        state: the configuration.
        rotors: whether to include the reflected inertias of rotors on the diagonal.
    """
    return mass_matrix_of(Kinematics(state), rotors)


def mass_matrix_of(kinematics: Kinematics, rotors: bool) -> Array:
    """`mass_matrix` for given kinematics."""
    tree = kinematics.model.tree
    composite = (tree.moves.T @ spatial_inertias(kinematics).reshape(-1, 36)).reshape(-1, 6, 6)
    wrenches = np.einsum("kij,kj->ki", composite, kinematics.subspace)
    products = kinematics.subspace @ wrenches.T
    result = np.where(tree.supports, products, np.where(tree.supports.T, products.T, 0.0))
    result = 0.5 * (result + result.T)
    if rotors:
        joints = np.arange(6 * tree.floating, tree.freedom)
        result[joints, joints] += tree.reflected_inertias
    return result


def spatial_inertias(kinematics: Kinematics) -> Array:
    """Inertias of the links about o in world axes, (angular, linear), shape (l, 6, 6); Featherstone (2.63)."""
    masses = kinematics.model.tree.masses
    skew = _skew(kinematics.centers_of_mass - kinematics.origin)
    result = np.zeros((len(masses), 6, 6))
    weighted = masses[:, None, None] * skew
    result[:, :3, :3] = kinematics.inertias - weighted @ skew
    result[:, :3, 3:] = weighted
    result[:, 3:, :3] = -weighted
    result[:, [3, 4, 5], [3, 4, 5]] = masses[:, None]
    return result


def _skew(v: Array) -> Array:
    """Matrices [v]x with [v]x w = v x w, shape (n, 3, 3)."""
    result = np.zeros((len(v), 3, 3))
    result[:, [2, 0, 1], [1, 2, 0]] = v
    result[:, [1, 2, 0], [2, 0, 1]] = -v
    return result
