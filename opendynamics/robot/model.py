"""Model: a robot or a part of its environment as immutable data, separate from its State."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.describing import count
from opendynamics.api.suggestions import explain_calls
from opendynamics.robot.kinematics.tree import Tree
from opendynamics.robot.link import Device, ExtraJoint, Joint, Link, place_of
from opendynamics.robot.named import Named
from opendynamics.robot.state import State

Array = npt.NDArray[np.float64]


@explain_calls
class Model:
    """Links in a tree, with joints, shapes and devices. `load_robot` creates one from a file.

    The vectors q, dq, ddq and u of a State have one number for each member of `joints`: joints in the order of their ids,
    then joints without an id in the order of their links. `index` of a joint is its position in them.

    Args:
        name: the name used in messages.
        links: parents before children; the first is the root.
        devices: in the order of the file.
        extra_joints: joints that close loops.
        info: further information of the file, such as link groups and standard poses.
        source: the file.
        findings: the loader's findings, with file and line.
    """

    def __init__(
        self,
        name: str,
        links: Sequence[Link],
        devices: Sequence[Device] = (),
        extra_joints: Sequence[ExtraJoint] = (),
        *,
        info: Mapping[str, Any] | None = None,
        source: Path | None = None,
        findings: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.links: Named[Link] = Named(links, "link")
        ordered = sorted((link.joint for link in links if link.joint.index is not None), key=place_of)
        self.joints: Named[Joint] = Named(ordered, "joint")
        self.tracks: Named[Joint] = Named((k.joint for k in links if k.joint.type == "track"), "track")
        self.devices: Named[Device] = Named(devices, "device")
        self.extra_joints: Named[ExtraJoint] = Named(extra_joints, "extra joint")
        self.info: Mapping[str, Any] = info or {}
        self.source = source
        self.findings = tuple(findings)
        self.tree = Tree(links, ordered)

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            if "tree" in self.__dict__:  # which is set last
                raise AttributeError(
                    f"{name} of {self.name} cannot be set: a Model does not change; make another of changed links, as by "
                    "Model(name, [dataclasses.replace(link, mass=2.0), ...])"
                )
            super().__setattr__(name, value)

    @property
    def root(self) -> Link:
        """The first link of the tree."""
        return self.links[0]

    @property
    def mass(self) -> float:
        """Total mass, kg."""
        return float(self.tree.masses.sum())

    @property
    def is_fixed(self) -> bool:
        """Whether the root is fixed to the world."""
        return self.root.joint.type != "free"

    @property
    def is_static(self) -> bool:
        """Whether no part of it can move, as of a floor."""
        return not any(link.joint.type in ("free", "revolute", "prismatic") for link in self.links)

    def joint_by_id(self, id: int) -> Joint:
        """The joint or track with this number in the file; KeyError if there is none."""
        for joint in (*self.joints, *self.tracks):
            if joint.id == id:
                return joint
        raise KeyError(f"no joint of {self.name} has the id {id}")

    def parent(self, link: str | int | Link) -> Link | None:
        """The parent of a link; None for the root."""
        index = self.link(link).parent
        return None if index < 0 else self.links[index]

    def children(self, link: str | int | Link) -> tuple[Link, ...]:
        """Links whose parent is this one."""
        index = self.link(link).index
        return tuple(child for child in self.links if child.parent == index)

    def link(self, link: str | int | Link) -> Link:
        """A link by name, index, or itself."""
        if isinstance(link, Link):
            if self.links[link.index] is not link:
                raise ValueError(f"the link {link.name} is not one of {self.name}")
            return link
        return self.links[link]

    def devices_of(self, kind: str) -> tuple[Device, ...]:
        """Devices of a kind, such as "ForceSensor", by id and then in the order of the file."""
        found = [device for device in self.devices if device.kind == kind]
        return tuple(sorted(found, key=lambda d: (d.id is None, d.id or 0)))

    def state(
        self,
        *,
        position: Any = None,
        quaternion: Any = None,
        q: Any = None,
        dq: Any = None,
        linear_velocity: Any = None,
        angular_velocity: Any = None,
    ) -> State:
        """A new State: the initial pose and displacements of the file, at rest, unless given.

        Args:
            position: origin of the root link in the world, m.
            quaternion: orientation (w, x, y, z) of the root link.
            q, dq: displacements, rad or m, and velocities, rad/s or m/s, shape (n,), or by joint name.
            linear_velocity: velocity of the root link's origin in the world frame, m/s.
            angular_velocity: angular velocity of the root link in the world frame, rad/s.

        ValueError for a velocity of a root that is fixed.
        """
        given = {
            "position": position,
            "quaternion": quaternion,
            "q": q,
            "dq": dq,
            "linear_velocity": linear_velocity,
            "angular_velocity": angular_velocity,
        }
        state = State(self)
        for name, value in given.items():
            if value is not None:
                setattr(state, name, value)
        return state

    def vector(self, values: Mapping[str, float], default: float = 0.0) -> Array:
        """A vector in the order of `joints` from numbers by joint name; others get `default`."""
        result = np.full(len(self.joints), checks.number("the default", default))
        for name, value in values.items():
            result[place_of(self.joints[name])] = checks.number(f"the value of {name}", value)
        return result

    def __repr__(self) -> str:
        root = "fixed" if self.is_fixed else "free"
        return (
            f"<Model {self.name!r}: {count(len(self.links), 'link')}, {count(len(self.joints), 'joint')}, {root} root>"
        )
