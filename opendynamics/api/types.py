"""Types of users' arguments, for type checkers; values are checked by `checks`.

NumPy's ArrayLike accepts strings, so that `body.position = "hello"` would pass: these types do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from opendynamics.api.color import Color

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.joint_group import JointGroup
    from opendynamics.api.spaces.space import Space

Number: TypeAlias = "float | np.floating[Any] | np.integer[Any]"

# Three numbers, or four of a quaternion (w, x, y, z).
Vector: TypeAlias = "Sequence[Number] | npt.NDArray[Any]"

# Numbers of a matrix (3, 3), or vectors in rows, (n, 3).
Matrix: TypeAlias = "Sequence[Sequence[Number]] | Sequence[npt.NDArray[Any]] | Sequence[Number] | npt.NDArray[Any]"

# Low and high stop.
Stops: TypeAlias = "tuple[Number, Number] | Sequence[Number] | npt.NDArray[Any]"


class Look(TypedDict, total=False):
    """Arguments of every geom except its pose; see `Geom`."""

    material: str | None
    sensor: bool
    color: Color | None
    name: str | None


class Place(Look, total=False):
    """Arguments of every geom, including aliases."""

    position: Vector | None
    quaternion: Vector | None
    orientation: Vector | None
    rotation: Matrix | None
    space: Space | None
    body: Body | None


class PlaneOptions(Look, total=False):
    """Arguments of planes, including aliases."""

    d: float


class Orientation(TypedDict, total=False):
    """The alias of an argument `quaternion`."""

    orientation: Vector | None


class Orientations(TypedDict, total=False):
    """The alias of an argument `quaternions`."""

    orientations: Matrix | None


class MaxForce(TypedDict, total=False):
    """The alias of an argument `max_torque`."""

    max_force: float


class MaxTorque(TypedDict, total=False):
    """The alias of an argument `max_force`."""

    max_torque: float


class MaxDistance(TypedDict, total=False):
    """The alias of the argument `length` of ray casts."""

    max_distance: Any


class Colours(TypedDict, total=False):
    """The alias of an argument `colors`."""

    colours: Literal["body", "state"]


class JointOptions(TypedDict, total=False):
    """Arguments of every joint; see `Joint`."""

    group: JointGroup | None
    name: str | None


class SpringOptions(JointOptions, total=False):
    """Arguments of joints that may be springs."""

    stiffness: float | None
    damping: float | None


class LimitedOptions(JointOptions, total=False):
    """Arguments of joints with stops, including aliases."""

    limits: Stops | None
