"""State: displacements, velocities and efforts of a model's joints, and the poses of its bases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, rotation
from opendynamics.api.describing import count
from opendynamics.api.orientation import written_quaternion
from opendynamics.api.suggestions import explain_calls
from opendynamics.robot.link import place_of

if TYPE_CHECKING:
    from opendynamics.robot.model import Model

Array = npt.NDArray[np.float64]


@explain_calls
class State:
    """Configuration, motion and efforts of a model: arrays, which may be changed in place.

    Args:
        model: the model. The state starts with its initial pose, at rest.

    Joint vectors have the order of `model.joints`. They may also be set by joint name: after `state.q = {"KNEE": 0.5}` the
    others are unchanged. A base is the root or a link with a free joint; `base_positions` and `base_quaternions` have the
    order of `model.tree.bases`; floating bases have velocities.
    """

    __slots__ = ("_accelerations", "_ddq", "_dq", "_positions", "_q", "_quaternions", "_u", "_velocities", "model")

    def __init__(self, model: Model) -> None:
        tree = model.tree
        self.model = model
        n = len(model.joints)
        self._q = tree.initial.copy()
        self._dq, self._ddq, self._u = np.zeros(n), np.zeros(n), np.zeros(n)
        self._positions = tree.base_positions.copy()
        self._quaternions = tree.base_quaternions.copy()
        self._velocities = np.zeros((tree.floating, 6))
        self._accelerations = np.zeros((tree.floating, 6))

    # -- joints ----------------------------------------------------------------------------------------------------

    @property
    def q(self) -> Array:
        """Displacements, rad or m, shape (n,)."""
        return self._q

    @q.setter
    def q(self, value: Any) -> None:
        self._set("q", self._q, value)

    @property
    def dq(self) -> Array:
        """Velocities, rad/s or m/s, shape (n,)."""
        return self._dq

    @dq.setter
    def dq(self, value: Any) -> None:
        self._set("dq", self._dq, value)

    @property
    def ddq(self) -> Array:
        """Accelerations, rad/s² or m/s², shape (n,)."""
        return self._ddq

    @ddq.setter
    def ddq(self, value: Any) -> None:
        self._set("ddq", self._ddq, value)

    @property
    def u(self) -> Array:
        """Efforts of the joints, N m or N, shape (n,)."""
        return self._u

    @u.setter
    def u(self, value: Any) -> None:
        self._set("u", self._u, value)

    # -- the root --------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Array:
        """Origin of the root link in the world frame, m, shape (3,)."""
        return np.asarray(self._positions[0])

    @position.setter
    def position(self, value: Any) -> None:
        self._positions[0] = checks.vector(f"the position of {self.model.name}", value)

    @property
    def quaternion(self) -> Array:
        """Orientation (w, x, y, z) of the root link."""
        return np.asarray(self._quaternions[0])

    @quaternion.setter
    def quaternion(self, value: Any) -> None:
        self._quaternions[0] = written_quaternion(f"the quaternion of {self.model.name}", value)

    @property
    def linear_velocity(self) -> Array:
        """Velocity of the root link's origin in the world frame, m/s, shape (3,); zero and read-only if the root is fixed."""
        return self._root_motion(self._velocities)[:3]

    @linear_velocity.setter
    def linear_velocity(self, value: Any) -> None:
        self._require_free("linear velocity")
        self._velocities[0, :3] = checks.vector(f"the linear velocity of {self.model.name}", value)

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity of the root link in the world frame, rad/s, shape (3,)."""
        return self._root_motion(self._velocities)[3:]

    @angular_velocity.setter
    def angular_velocity(self, value: Any) -> None:
        self._require_free("angular velocity")
        self._velocities[0, 3:] = checks.vector(f"the angular velocity of {self.model.name}", value)

    # -- all bases -------------------------------------------------------------------------------------------------

    @property
    def base_positions(self) -> Array:
        """Origins of all bases, m, shape (b, 3)."""
        return self._positions

    @base_positions.setter
    def base_positions(self, value: Any) -> None:
        self._positions[:] = self._checked("base_positions", value, self._positions.shape)

    @property
    def base_quaternions(self) -> Array:
        """Orientations (w, x, y, z) of all bases, shape (b, 4)."""
        return self._quaternions

    @base_quaternions.setter
    def base_quaternions(self, value: Any) -> None:
        given = self._checked("base_quaternions", value, self._quaternions.shape)
        self._quaternions[:] = [checks.quaternion(f"a base quaternion of {self.model.name}", row) for row in given]

    @property
    def base_velocities(self) -> Array:
        """Of floating bases: velocity of the origin, then angular velocity, in the world frame, shape (f, 6)."""
        return self._velocities

    @base_velocities.setter
    def base_velocities(self, value: Any) -> None:
        self._velocities[:] = self._checked("base_velocities", value, self._velocities.shape)

    @property
    def base_accelerations(self) -> Array:
        """Time derivatives of `base_velocities`, shape (f, 6)."""
        return self._accelerations

    @base_accelerations.setter
    def base_accelerations(self, value: Any) -> None:
        self._accelerations[:] = self._checked("base_accelerations", value, self._accelerations.shape)

    # -- generalised vectors ---------------------------------------------------------------------------------------

    @property
    def velocity(self) -> Array:
        """Generalised velocity: `base_velocities` flattened, then `dq`; a copy of shape (6 f + n,)."""
        return np.concatenate([self._velocities.ravel(), self._dq])

    @velocity.setter
    def velocity(self, value: Any) -> None:
        given = self._checked("velocity", value, (self.model.tree.freedom,))
        split = self._velocities.size
        self._velocities[:], self._dq[:] = given[:split].reshape(-1, 6), given[split:]

    @property
    def acceleration(self) -> Array:
        """Generalised acceleration: `base_accelerations` flattened, then `ddq`; a copy of shape (6 f + n,)."""
        return np.concatenate([self._accelerations.ravel(), self._ddq])

    @acceleration.setter
    def acceleration(self, value: Any) -> None:
        given = self._checked("acceleration", value, (self.model.tree.freedom,))
        split = self._accelerations.size
        self._accelerations[:], self._ddq[:] = given[:split].reshape(-1, 6), given[split:]

    def copy(self) -> State:
        """An independent state of the same model."""
        other = State.__new__(State)
        other.model = self.model
        for name in self.__slots__[:-1]:
            setattr(other, name, getattr(self, name).copy())
        return other

    def advance(self, h: float) -> None:
        """Integrate the velocities over a time, s: q += h dq, and each base along and about its velocity."""
        h = checks.finite("the time", h)
        self._q += h * self._dq
        tree = self.model.tree
        for row, base in enumerate(tree.floating_bases):
            v, w = self._velocities[row, :3], self._velocities[row, 3:]
            self._positions[base] += h * v
            turn = rotation.quaternion_from_axis_angle(w, h * float(np.linalg.norm(w)))
            self._quaternions[base] = rotation.multiply(turn, self._quaternions[base])

    def _set(self, what: str, vector: Array, value: Any) -> None:
        if isinstance(value, Mapping):
            numbers = self.model.vector(value)
            places = [place_of(self.model.joints[name]) for name in value]
            vector[places] = numbers[places]
        else:
            vector[:] = self._checked(what, value, vector.shape)

    def _checked(self, what: str, value: Any, shape: tuple[int, ...]) -> Array:
        given = checks.array(f"{what} of {self.model.name}", value)
        if given.shape != shape:
            raise ValueError(f"{what} of {self.model.name} must have the shape {shape}, not {given.shape}")
        return given

    def _root_motion(self, rows: Array) -> Array:
        if not self.model.is_fixed:
            return np.asarray(rows[0])
        still = np.zeros(6)
        still.flags.writeable = False
        return still

    def _require_free(self, what: str) -> None:
        if self.model.is_fixed:
            raise ValueError(f"the root of {self.model.name} is fixed and has no {what}; load it with fixed_root=False")

    def __repr__(self) -> str:
        return f"<State of {self.model.name!r}: {count(len(self._q), 'joint')}, root at {self.position.tolist()}>"


def require_state(value: Any) -> None:
    """Raise TypeError unless it is a State."""
    if not isinstance(value, State):
        raise TypeError(f"a State is needed, such as model.state() or robot.read() give, not {value!r}")
