"""Drafts: links, joints and extra joints of a file, before they are sorted and checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.geometry import Shape
from opendynamics.robot.inertia import Inertia
from opendynamics.robot.reading.gathering import DeviceDraft

Array = npt.NDArray[np.float64]

# Joint types in files.
JOINT_TYPES = {
    "fixed": "fixed",
    "free": "free",
    "revolute": "revolute",
    "rotate": "revolute",
    "rotational": "revolute",
    "prismatic": "prismatic",
    "slide": "prismatic",
    "pseudo_continuous_track": "track",
    "pseudocontinuoustrack": "track",
    "crawler": "track",
}


@dataclass
class JointDraft:
    """A joint of a file, in SI units and radians."""

    name: str = ""
    type: str = "fixed"
    id: int | None = None
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
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


@dataclass
class LinkDraft:
    """A link of a file. `parent` is a name; `inertia` None if the file has none; `joint_place` "" if it is the link's."""

    name: str
    place: str
    parent: str | None = None
    joint: JointDraft = field(default_factory=JointDraft)
    translation: Array = field(default_factory=lambda: np.zeros(3))
    rotation: Array = field(default_factory=lambda: np.eye(3))
    inertia: Inertia | None = None
    visual: list[Shape] = field(default_factory=list)
    collision: list[Shape] = field(default_factory=list)
    devices: list[DeviceDraft] = field(default_factory=list)
    material: str = "Default"
    info: dict[str, Any] = field(default_factory=dict)
    joint_place: str = ""


@dataclass
class ExtraJointDraft:
    """An extra joint of a file; links by name."""

    place: str
    name: str
    type: str
    link1: str
    link2: str
    point1: Array
    point2: Array
    axis: Array


@dataclass
class ModelDraft:
    """A whole file. `unit_mass`: a link without an inertia gets 1 kg and a unit inertia, as in `.body` files."""

    name: str
    place: str
    links: list[LinkDraft] = field(default_factory=list)
    root: str = ""
    extra_joints: list[ExtraJointDraft] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)
    unit_mass: bool = False
