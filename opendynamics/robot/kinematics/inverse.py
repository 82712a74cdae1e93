"""Inverse kinematics: displacements that bring points and orientations of links to their targets.

Levenberg-Marquardt steps on the pose error e, with the damping of Sugihara, "Solvability-unconcerned inverse kinematics
by the Levenberg-Marquardt method", IEEE Transactions on Robotics 27(5), 2011:

    dq = (JᵀWJ + (½ eᵀWe + w) 1)⁻¹ JᵀW e.

Steps are well defined where J is singular or the target is out of reach, and become Gauss-Newton steps near a solution.
Joints that a step would move beyond a limit stay at it, and the step is repeated with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api import rotation as turns
from opendynamics.api.suggestions import explain_calls, explain_function
from opendynamics.robot.kinematics.forward import Kinematics
from opendynamics.robot.kinematics.jacobians import jacobian_of
from opendynamics.robot.link import place_of
from opendynamics.robot.state import State, require_state

Array = npt.NDArray[np.float64]


@explain_calls
@dataclass(frozen=True, eq=False)
class Target:
    """Target of a link.

    Args:
        link: name or index.
        position: target of `point` in the world frame, m; None: any.
        rotation: orientation of the link, a matrix (3, 3); None: any.
        point: in the link's frame, m.
        weight: of its errors relative to those of other targets; one radian counts as much as one metre.
    """

    link: str | int
    position: Any = None
    rotation: Any = None
    point: Any = (0.0, 0.0, 0.0)
    weight: float = 1.0


@explain_calls
@dataclass(frozen=True, eq=False)
class Solution:
    """Result of `inverse_kinematics`: the state, the largest error, m or rad, and whether it is within the tolerance."""

    state: State
    error: float
    converged: bool
    iterations: int


@explain_function
def inverse_kinematics(
    state: State,
    targets: Target | Sequence[Target],
    *,
    joints: Sequence[str] | None = None,
    tolerance: float = 1e-9,
    iterations: int = 100,
    damping: float = 1e-6,
    limits: bool = True,
) -> Solution:
    """Displacements that bring links to their targets, or as close as possible. Bases do not move.

    Args:
        state: the starting point, which is not changed.
        targets: one or several.
        joints: names of the joints that may move; by default all.
        tolerance: of the largest error, m and rad.
        iterations: maximum number of iterations.
        damping: w above, m² or rad²; larger values are slower and more robust.
        limits: whether displacements stay within the limits of their joints.
    """
    require_state(state)
    wanted = [targets] if isinstance(targets, Target) else list(targets)
    if not wanted:
        raise ValueError("inverse_kinematics needs at least one target")
    for target in wanted:
        if not isinstance(target, Target):
            raise TypeError(f"inverse_kinematics takes a Target(link, position, ...) or several, not {target!r}")
    checked = [_checked(state, target) for target in wanted]
    model, split = state.model, 6 * state.model.tree.floating
    names = model.joints.names if joints is None else joints
    movable = np.array(sorted({place_of(model.joints[name]) for name in names}), np.int64)
    least = checks.positive("the damping", damping)
    bounds = _bounds(state, movable) if limits else None
    current, done = state.copy(), 0
    if bounds is not None:
        current.q[movable] = np.clip(current.q[movable], *bounds)
    error, rows, size = _linearised(current, checked, split + movable)
    for done in range(1, checks.count("iterations", iterations) + 1):
        if size <= tolerance or not len(movable):
            return Solution(current, size, size <= tolerance, done - 1)
        step = _step(error, rows, least, current.q[movable], bounds)
        current.q[movable] += step
        error, rows, size = _linearised(current, checked, split + movable)
        if np.abs(step).max() <= 1e-15 * (1.0 + np.abs(current.q).max()):
            break
    return Solution(current, size, size <= tolerance, done)


def _checked(state: State, target: Target) -> tuple[int, Array | None, Array | None, Array, float]:
    link = state.model.link(target.link)
    position = (
        None if target.position is None else np.array(checks.vector(f"the target of {link.name}", target.position))
    )
    matrix = None if target.rotation is None else checks.rotation(f"the target of {link.name}", target.rotation)
    if position is None and matrix is None:
        raise ValueError(f"the target of {link.name} must have a position, a rotation or both")
    point = np.array(checks.vector(f"the point of {link.name}", target.point))
    return link.index, position, matrix, point, checks.positive("the weight of a target", target.weight)


def _bounds(state: State, movable: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    joints = [state.model.joints[int(k)] for k in movable]
    return np.array([j.lower for j in joints], np.float64), np.array([j.upper for j in joints], np.float64)


def _linearised(state: State, targets: list[Any], columns: npt.NDArray[np.int64]) -> tuple[Array, Array, float]:
    """Weighted errors, their Jacobian, and the largest error without weights."""
    kinematics = Kinematics(state)
    errors, rows, size = [], [], 0.0
    for link, position, matrix, point, weight in targets:
        both = jacobian_of(kinematics, link, point)[:, columns]
        parts = []
        if position is not None:
            parts.append((position - kinematics.point(link, point), both[:3]))
        if matrix is not None:
            parts.append((_turn(matrix @ kinematics.rotations[link].T), both[3:]))
        for error, block in parts:
            size = max(size, float(np.linalg.norm(error)))
            errors.append(weight * error)
            rows.append(weight * block)
    return np.concatenate(errors), np.concatenate(rows), size


def _turn(matrix: Array) -> Array:
    """Rotation vector, rad, of a rotation matrix."""
    q = turns.quaternion_from_matrix(matrix)
    length = float(np.linalg.norm(q[1:]))
    if length == 0.0:
        return np.zeros(3)
    return np.asarray(q[1:] * (2.0 * np.arctan2(length, q[0]) / length))


def _step(error: Array, rows: Array, damping: float, q: Array, bounds: tuple[Array, Array] | None) -> Array:
    """The damped step, in which no joint leaves its limits."""
    free = np.ones(len(q), bool)
    step = np.zeros(len(q))
    while free.any():
        part = rows[:, free]
        matrix = part.T @ part + (0.5 * error @ error + damping) * np.eye(int(free.sum()))
        step[:] = 0.0
        step[free] = np.linalg.solve(matrix, part.T @ error)
        if bounds is None:
            break
        outside = free & ((q + step < bounds[0]) & (q <= bounds[0]) | (q + step > bounds[1]) & (q >= bounds[1]))
        if not outside.any():
            step = np.clip(q + step, *bounds) - q
            break
        free &= ~outside
        step[:] = 0.0
    return step
