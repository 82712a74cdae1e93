"""Parts of a model: links, their joints, devices on them, and extra joints that close loops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.suggestions import explain_calls
from opendynamics.robot.geometry import Shape

Array = npt.NDArray[np.float64]


@explain_calls
@dataclass(frozen=True, eq=False)
class Joint:
    """The joint of a link to its parent.

    Args:
        name: the link's name unless the file has another.
        type: "revolute", "prismatic", "fixed", "free", or "track": fixed, with a moving surface.
        link: index of the child link.
        id: number in the file; None without one.
        index: index in the vectors q, dq, ddq, u; None for joints without a displacement.
        axis: unit vector in the link's frame, shape (3,).
        lower, upper: limits of the displacement, rad or m; infinite if there are none.
        min_velocity, max_velocity: rad/s or m/s.
        max_effort: N m or N.
        rotor_inertia: kg m², of the rotor before the gear.
        gear_ratio: turns of the rotor per turn of the joint.
        damping: N m s/rad or N s/m.
        friction: N m or N.
        initial: initial displacement, rad or m.
        actuation: actuation mode in the file; "" without one.
    """

    name: str
    type: str
    link: int
    id: int | None
    index: int | None
    axis: Array
    lower: float = -math.inf
    upper: float = math.inf
    min_velocity: float = -math.inf
    max_velocity: float = math.inf
    max_effort: float = math.inf
    rotor_inertia: float = 0.0
    gear_ratio: float = 1.0
    damping: float = 0.0
    friction: float = 0.0
    initial: float = 0.0
    actuation: str = ""

    @property
    def reflected_inertia(self) -> float:
        """Reflected rotor inertia at the joint, gear_ratio² x rotor_inertia, kg m² (kg for a prismatic joint)."""
        return self.gear_ratio**2 * self.rotor_inertia

    @property
    def movable(self) -> bool:
        """Whether the joint has a displacement."""
        return self.type in ("revolute", "prismatic")


def place_of(joint: Joint) -> int:
    """Index of a movable joint in the vectors q, dq, ddq, u."""
    if joint.index is None:
        raise ValueError(f"the joint {joint.name} is {joint.type} and has no displacement")
    return joint.index


@explain_calls
@dataclass(frozen=True, eq=False)
class Link:
    """A rigid part of a model.

    Args:
        name: unique in the model.
        index: index in `model.links`; a parent comes before its children.
        parent: index of the parent link; -1 for the root.
        joint: the joint to the parent.
        translation: of the link's frame in the parent's at zero displacement, m, shape (3,); of the root in the world.
        rotation: of the link's frame in the parent's, shape (3, 3).
        mass: kg.
        center_of_mass: in the link's frame, m, shape (3,).
        inertia: about the centre of mass, in the link's axes, kg m², shape (3, 3).
        visual, collision: shapes.
        material: name of the contact material.
        info: further information of the file.
        source: file and line.
    """

    name: str
    index: int
    parent: int
    joint: Joint
    translation: Array
    rotation: Array
    mass: float
    center_of_mass: Array
    inertia: Array
    visual: tuple[Shape, ...] = ()
    collision: tuple[Shape, ...] = ()
    material: str = "Default"
    info: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    @property
    def is_root(self) -> bool:
        """Whether the link has no parent."""
        return self.parent < 0

    def __repr__(self) -> str:
        return f"<Link {self.name!r}: {self.joint.type}, {self.mass:g} kg>"


@explain_calls
@dataclass(frozen=True, eq=False)
class Device:
    """A sensor, light, camera or other device on a link.

    Args:
        kind: type name as in `.body` files, such as "ForceSensor".
        name: name in the file; may be empty.
        id: number among devices of this kind; None without one.
        link: index of the link.
        translation: origin in the link's frame, m, shape (3,).
        rotation: axes in the link's frame, shape (3, 3).
        on: whether it is initially on.
        settings: other values of the file by their snake_case names; in SI units and radians.
    """

    kind: str
    name: str
    id: int | None
    link: int
    translation: Array
    rotation: Array
    on: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)


@explain_calls
@dataclass(frozen=True, eq=False)
class ExtraJoint:
    """A joint in addition to the tree, which closes a loop.

    Args:
        name: may be empty.
        type: "fixed", "hinge", "ball" or "piston".
        link1, link2: indices of the links.
        point1, point2: its position on each link, m, in the link's frame, shape (3,).
        axis: in the frame of link 1, shape (3,).
    """

    name: str
    type: str
    link1: int
    link2: int
    point1: Array
    point2: Array
    axis: Array
