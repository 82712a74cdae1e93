"""PD control: efforts u = kp (q* - q) + kd (dq* - dq) that drive joints to displacements.

With the displacements and velocities at the beginning of a step it is unstable if h kd, or h² kp, exceeds the inertia that a
joint moves. With those at the end of the step, q + h dq and dq + h a, it is stable at any gain: "stable PD" of Tan, Liu and
Turk, IEEE Computer Graphics and Applications 31(4), 2011. The acceleration follows from

    (M + h kd + h² kp) a = kp (q* - q - h dq) + kd (dq* - dq) - bias

which ignores contacts, limits and extra joints. Verlet's forces act half a step later, at p = q + h dq/2, and p, dq follow the
same steps as q, dq do otherwise: p and its target then take the place of displacements. With those of q, joints at their effort
limits oscillate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.units import TURNS, check_angles
from opendynamics.robot.building.parts import model_as_built
from opendynamics.robot.dynamics.inverse import forces_of
from opendynamics.robot.dynamics.mass_matrix import mass_matrix_of
from opendynamics.robot.kinematics.forward import Kinematics
from opendynamics.robot.robot import Robot
from opendynamics.robot.state import State

Array = npt.NDArray[np.float64]


@explain_calls
class PDControl:
    """Drives the joints of a robot to displacements.

    Args:
        robot: the robot.
        stiffness: kp, N m/rad or N/m: one number, one for each joint, or by joint name (others are then not driven).
        damping: kd, N m s/rad or N s/m, likewise.
        step: step size of the world, s, for efforts that are stable at any gain; by default, efforts follow from the present
            displacements alone.
    """

    def __init__(self, robot: Robot, stiffness: Any, damping: Any, *, step: float | None = None) -> None:
        self.robot = robot
        self.step = None if step is None else checks.step_size(step)
        self.stiffness = self._gains("stiffness", stiffness)
        self.damping = self._gains("damping", damping)
        self._model = model_as_built(robot.model, robot.rotors)
        bounded = [
            joint.type == "revolute" and math.isfinite(joint.upper - joint.lower) for joint in robot.model.joints
        ]
        self._degrees = np.where(
            bounded, TURNS * math.tau, math.inf
        )  # rad, above which a target is probably in degrees

    def __repr__(self) -> str:
        step = "" if self.step is None else f", step {self.step:g} s"
        return f"<PDControl of {self.robot.name!r}{step}>"

    def _gains(self, what: str, given: Any) -> Array:
        model = self.robot.model
        if isinstance(given, Mapping):
            gains = model.vector(given)
        else:
            gains = checks.array(f"the {what} of {self.robot.name}", given)
            if gains.shape not in ((), (len(model.joints),)):
                raise ValueError(
                    f"the {what} of {self.robot.name} must be one number or {len(model.joints)}, not of shape {gains.shape}"
                )
            gains = np.broadcast_to(gains, len(model.joints)).copy()
        if (gains < 0.0).any():
            raise ValueError(f"the {what} of {self.robot.name} must be at least 0, not {gains.min()}")
        return gains

    def drive(self, q: Any, dq: Any = None) -> State:
        """Add the efforts for the next step; returns the state that they were computed for.

        Args:
            q: target displacements, in the order of the model's joints, shape (n,), or by joint name (others are not driven).
            dq: target velocities, in that order or by joint name (others 0); zero by default.
        """
        links = self.robot.links()
        state = self.robot.read(links)
        self.robot.drive(self.efforts(state, q, dq), links)
        return state

    def efforts(self, state: State, q: Any, dq: Any = None) -> Array:
        """The efforts alone, N m and N, shape (n,); `q` and `dq` as for `drive`."""
        names = q if isinstance(q, Mapping) else None
        wanted = self._targets("displacements", q)
        self._check_angles(wanted)
        rates = np.zeros(len(state.q)) if dq is None else self._targets("velocities", dq)
        stiffness, damping = self.stiffness, self.damping
        if names is not None:
            named = self.robot.model.vector(dict.fromkeys(names, 1.0))
            stiffness, damping = stiffness * named, damping * named
        error, rate = wanted - state.q, rates - state.dq
        if self.step is None:
            return np.asarray(stiffness * error + damping * rate)
        return self._efforts_at_the_end(self.step, state, error, rate, stiffness, damping)

    def _targets(self, what: str, given: Any) -> Array:
        """Displacements or velocities, one for each joint."""
        model, name = self.robot.model, self.robot.name
        array = model.vector(given) if isinstance(given, Mapping) else checks.array(f"the {what} for {name}", given)
        if array.shape != (len(model.joints),):
            raise ValueError(
                f"{name} needs {len(model.joints)} {what}, not of shape {array.shape}; those of some joints are given by name"
            )
        return array

    def _check_angles(self, wanted: Array) -> None:
        """Warn once for each joint with limits that is sent to an angle that looks like degrees."""
        for k in np.flatnonzero(abs(wanted) > self._degrees).tolist():
            self._degrees[k] = math.inf
            check_angles(f"the target of {self.robot.model.joints[k].name}", (wanted[k],))

    def _efforts_at_the_end(
        self, h: float, state: State, error: Array, rate: Array, stiffness: Array, damping: Array
    ) -> Array:
        """Efforts from the displacements and velocities at the end of a step of h s."""
        if self.robot.world.integrator == "verlet":
            error = error + 0.5 * h * rate
        efforts = stiffness * (error - h * state.dq) + damping * rate
        stiffer = h * damping + h * h * stiffness
        built = state.copy()
        built.model = self._model  # a world without rotors would answer efforts for their inertia too fast to be stable
        kinematics, still = Kinematics(built), np.zeros(built.model.tree.freedom)
        forces, matrix = (
            -forces_of(kinematics, still, self.robot.world.gravity),
            mass_matrix_of(kinematics, rotors=True),
        )
        joints = slice(6 * state.model.tree.floating, None)
        forces[joints] += efforts
        matrix[joints, joints] += np.diag(stiffer)
        return np.asarray(efforts - stiffer * np.linalg.solve(matrix, forces)[joints])
