"""Jacobians: how generalised velocities move a point of a link, and the centre of mass.

Column k of J is the velocity for one unit of velocity k: (S_v + S_w x r, S_w) if k moves the link, else zero
(Featherstone, "Rigid Body Dynamics Algorithms", 2008, section 4.6).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_function
from opendynamics.robot.kinematics.forward import Kinematics, cross
from opendynamics.robot.state import State

Array = npt.NDArray[np.float64]


@explain_function
def jacobian(state: State, link: str | int, point: Any = (0.0, 0.0, 0.0)) -> Array:
    """J of a point of a link: J @ state.velocity is its velocity (three rows), then the link's angular velocity.

    Args:
        state: the configuration.
        link: name or index.
        point: in the link's frame, m, shape (3,).

    Returns:
        In world axes, shape (6, 6 f + n).
    """
    return jacobian_of(Kinematics(state), link, point)


def jacobian_of(kinematics: Kinematics, link: str | int, point: Any) -> Array:
    """`jacobian` for given kinematics."""
    k = kinematics.model.link(link)
    local = np.array(checks.vector(f"the point of {k.name}", point))
    arm = kinematics.positions[k.index] + kinematics.rotations[k.index] @ local - kinematics.origin
    turns, slides = kinematics.subspace[:, :3], kinematics.subspace[:, 3:]
    columns = np.concatenate([slides + cross(turns, arm), turns], axis=1)
    return np.asarray((columns * kinematics.model.tree.moves[k.index][:, None]).T)


@explain_function
def center_of_mass_jacobian(state: State) -> Array:
    """J of the whole model's centre of mass, in world axes, shape (3, 6 f + n)."""
    kinematics, tree = Kinematics(state), state.model.tree
    total = tree.masses.sum()
    if not total > 0.0:
        raise ValueError(f"{state.model.name} has no mass, and so no centre of mass")
    carried = tree.masses @ tree.moves
    moments = (tree.masses[:, None] * (kinematics.centers_of_mass - kinematics.origin)).T @ tree.moves
    turns, slides = kinematics.subspace[:, :3], kinematics.subspace[:, 3:]
    return np.asarray((slides * carried[:, None] + cross(turns, moments.T)).T / total)
