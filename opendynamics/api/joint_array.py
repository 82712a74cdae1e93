"""Joint array: hinges and sliders whose positions, rates, torques and motors are read and set as arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.joints.joint import Joint
from opendynamics.api.joints.slider import Slider
from opendynamics.api.read_only import read_only
from opendynamics.api.suggestions import Strict, explain_calls
from opendynamics.api.waking import some_asleep
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.compile.loading import address_of
from opendynamics.core.constrain.joints import MEASURE
from opendynamics.core.families import JOINTS as FAMILY
from opendynamics.core.update.joint_values import gather_torques, measure_joints

if TYPE_CHECKING:
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]


@explain_calls
class JointArray(Strict):
    """Hinges and sliders of one world, read and driven as arrays, in the given order.

    It holds no state: its numbers are those of the joints, which can also be used one by one.

    Args:
        joints: different hinges and sliders of one world, attached to bodies.

        arm = od.JointArray([shoulder, elbow, wrist])
        arm.motor(5.0 * (target - arm.positions), max_torques=100)
        world.advance(0.01)
    """

    __slots__ = ("__weakref__", "_changes", "_joints", "_measures", "_numbers", "_slides")

    def __init__(self, joints: Iterable[Hinge | Slider]) -> None:
        if isinstance(joints, Joint):
            raise TypeError(f"the joints of a joint array are a list: od.JointArray([hinge]), not {joints!r}")
        self._joints = tuple(joints)
        for joint in self._joints:
            if not isinstance(joint, (Hinge, Slider)):
                raise TypeError(f"a joint array consists of hinges and sliders, not of {joint!r}")
        if not self._joints:
            raise ValueError("a joint array must have at least one joint")
        if len({joint.world for joint in self._joints}) > 1:
            raise ValueError("the joints of an array must be of one world")
        if len(set(self._joints)) < len(self._joints):
            raise ValueError("a joint array cannot hold the same joint twice")
        self._measures = np.array([address_of(FAMILY[joint.kind].measure, MEASURE) for joint in self._joints])
        self._slides = np.array([int(isinstance(joint, Slider)) for joint in self._joints])
        self._changes = -1  # of the world's joints, when they were last checked
        self._numbers = np.zeros(len(self._joints), np.int64)
        self._rows()  # raises an error if one is not attached

    @property
    def joints(self) -> tuple[Hinge | Slider, ...]:
        """The joints, in the order of the arrays."""
        return self._joints

    @property
    def world(self) -> World:
        """The joints' world."""
        return self._joints[0].world

    def __len__(self) -> int:
        return len(self._joints)

    def __iter__(self) -> Iterator[Hinge | Slider]:
        return iter(self._joints)

    def __repr__(self) -> str:
        return f"<JointArray of {describing.count(len(self), 'joint')}: positions {self.positions.tolist()}>"

    def _rows(self) -> npt.NDArray[np.int64]:
        """The rows of the joints, which must exist and be attached; checked again when joints have changed."""
        changes = self._joints[0]._rows.changes
        if self._changes != changes:
            for k, joint in enumerate(self._joints):
                joint._require_attached()
                self._numbers[k] = joint._index
            self._changes = changes
        return self._numbers

    def _measured(self, what: int) -> Array:
        rows, values = self._rows(), np.empty(len(self))
        measure_joints(self._joints[0]._store.tables, rows, self._measures, what, values)
        return read_only(values)

    @property
    def positions(self) -> Array:
        """Angles of hinges, rad, as `hinge.angle`, and positions of sliders, m, shape (n,)."""
        return self._measured(0)

    @property
    def rates(self) -> Array:
        """Their rates, rad/s and m/s, shape (n,)."""
        return self._measured(1)

    @property
    def torques(self) -> Array:
        """Torques, N m, of hinges and forces, N, of sliders that their motors and stops exerted in the last step, shape (n,).

        They act on body1 along the axis, and in the opposite direction on body2. Servo torques and those added by
        `add_torques` are not included.
        """
        rows, values = self._rows(), np.empty(len(self))
        gather_torques(self._joints[0]._store.tables, rows, self._slides, values)
        return read_only(values)

    def add_torques(self, torques: Any) -> None:
        """Add a torque, N m, to each hinge and a force, N, to each slider, for the next step; one number, or shape (n,)."""
        values = self._checked("the torques of a joint array", torques, checks.finite)
        self._rows()
        for joint, value in zip(self._joints, values.tolist(), strict=True):
            if isinstance(joint, Hinge):
                joint.add_torque(value)
            else:
                joint.add_force(value)

    # -- motors ----------------------------------------------------------------------------------------------------

    @property
    def motor_velocities(self) -> Array:
        """Target velocities of the motors, rad/s and m/s, shape (n,)."""
        return self._limits("velocity")

    @motor_velocities.setter
    def motor_velocities(self, velocities: Any) -> None:
        self._set_limits(velocity=self._checked("the motor velocities of a joint array", velocities, checks.finite))

    @property
    def max_torques(self) -> Array:
        """Maximum torques of the motors, N m, and forces, N, shape (n,); 0: no motor."""
        return self._limits("max_force")

    @max_torques.setter
    def max_torques(self, torques: Any) -> None:
        self._set_limits(
            max_force=self._checked("the max torques of a joint array", torques, checks.not_negative_or_infinite)
        )

    def motor(self, velocities: Any, max_torques: Any = math.inf) -> None:
        """Drive at `velocities`, rad/s and m/s, with at most `max_torques`, N m and N; each one number, or shape (n,)."""
        given = self._checked("the motor velocities of a joint array", velocities, checks.finite)
        most = self._checked("the max torques of a joint array", max_torques, checks.not_negative_or_infinite)
        self._set_limits(velocity=given, max_force=most)

    def _limits(self, field: str) -> Array:
        rows = self._rows()
        return read_only(self._joints[0]._store[JOINTS]["limits"][field][rows, 0])

    def _set_limits(self, **numbers: Array) -> None:
        rows, store = self._rows(), self._joints[0]._store
        limits = store[JOINTS]["limits"]
        if some_asleep(store):  # unchanged values wake nothing
            changed = [(limits[field][rows, 0] != values) for field, values in numbers.items()]
            for k in np.flatnonzero(np.any(changed, axis=0)).tolist():
                self._joints[k]._wake_bodies()
        for field, values in numbers.items():
            limits[field][rows, 0] = values
        self._joints[0]._rows.changes += 1
        self._changes += 1

    def _checked(self, what: str, values: Any, check: Callable[[str, Any], float]) -> Array:
        """`values` as a checked array (n,); one number applies to all."""
        if np.ndim(values) == 0:
            return np.full(len(self), check(what, values))
        numbers = np.array([check(what, value) for value in np.asarray(values).tolist()])
        if numbers.shape != (len(self),):
            raise ValueError(f"{what} must be one number, or have the shape ({len(self)},), not {numbers.shape}")
        return numbers
