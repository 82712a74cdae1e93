"""Scenes of the validation on MuJoCo, if it is installed: boxes on planes, and a body that turns freely."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers.solids import Solids
from opendynamics import rotation

Array = npt.NDArray[np.float64]


def available() -> bool:
    """Whether MuJoCo is installed."""
    return importlib.util.find_spec("mujoco") is not None


def _started(text: str) -> tuple[Any, Any, Any]:
    import mujoco

    model = mujoco.MjModel.from_xml_string(text)
    return mujoco, model, mujoco.MjData(model)


def creep(scene: Solids, duration: float, *, settle: float = 1.0, h: float = 0.01) -> float:
    """m a minute, the farthest that a box moves after it had `settle` s; elliptic cones, implicitfast."""
    parts = [
        f'<mujoco><option timestep="{h}" cone="elliptic" integrator="implicitfast"/><worldbody>',
        *(f'<geom type="plane" size="0 0 1" friction="{mu} 0 0"/>' for _, _, mu in scene.planes),
    ]
    for size, position, turn, mass in scene.boxes:
        q, half = rotation.quaternion_from_matrix(turn), 0.5 * np.asarray(size)
        parts.append(
            f'<body pos="{_words(position)}" quat="{_words(q)}"><freejoint/>'
            f'<geom type="box" size="{_words(half)}" mass="{mass}" friction="{scene.mu} 0 0"/></body>'
        )
    mujoco, model, data = _started("".join([*parts, "</worldbody></mujoco>"]))
    for _ in range(round(settle / h)):
        mujoco.mj_step(model, data)
    start = data.xpos.copy()
    for _ in range(round(duration / h)):
        mujoco.mj_step(model, data)
    return float(np.linalg.norm(data.xpos - start, axis=1).max()) * 60.0 / duration


def spins(inertia: Any, spin: Any, h: float, steps: int) -> tuple[Array, Array]:
    """Rotations (n, 3, 3) and angular velocities (n, 3) of a body in free fall, by the Runge-Kutta method of fourth order."""
    text = (
        f'<mujoco><option timestep="{h}" gravity="0 0 0" integrator="RK4"/><worldbody><body><freejoint/>'
        f'<inertial pos="0 0 0" mass="1" diaginertia="{_words(inertia)}"/></body></worldbody></mujoco>'
    )
    mujoco, model, data = _started(text)
    data.qvel[3:] = spin
    rotations, found = np.empty((steps, 3, 3)), np.empty((steps, 3))
    for k in range(steps):
        mujoco.mj_step(model, data)
        rotations[k] = rotation.matrix_from_quaternion(data.qpos[3:] / np.linalg.norm(data.qpos[3:]))
        found[k] = rotations[k] @ data.qvel[3:]  # MuJoCo's are in the body's frame
    return rotations, found


def _words(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)
