"""Parts: links that are fixed to each other are one body.

ODE's plugin in Choreonoid creates a body for each link and a fixed joint between two; one body is exact, faster, and allows
links without mass. A link on a fixed joint with a force sensor remains a separate body, so that the joint can be measured.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from opendynamics.robot.inertia import Inertia, combined, obstacle
from opendynamics.robot.link import Joint
from opendynamics.robot.model import Model

Array = npt.NDArray[np.float64]


def _spin_inertia(joint: Joint) -> Array:
    """Reflected inertia of a joint's rotor as one of the link that it turns, kg m², shape (3, 3)."""
    turns = joint.reflected_inertia if joint.type == "revolute" else 0.0
    return np.asarray(turns * np.outer(joint.axis, joint.axis))


def model_as_built(model: Model, rotors: bool) -> Model:
    """The model whose dynamics are those of its bodies in a world: with the inertia of rotors in the links, or without."""
    links = [
        replace(
            link,
            inertia=link.inertia + _spin_inertia(link.joint) if rotors else link.inertia,
            joint=replace(link.joint, rotor_inertia=0.0),
        )
        for link in model.links
    ]
    return Model(model.name, links, model.devices, model.extra_joints)


@dataclass(eq=False)
class Part:
    """Links that are fixed to each other.

    Args:
        head: index of the link nearest to the root, whose frame is the part's.
        links: indices of all its links.
        parent: index of the part of the head's joint's parent; -1 if there is none.
        inertia: of all links together, in the part's frame.
    """

    head: int
    parent: int
    links: list[int] = field(default_factory=list)
    inertia: Inertia = field(default_factory=lambda: combined(()))


class Parts:
    """The parts of a model, parents before children, and the poses of links in them.

    Attributes:
        of_link: part of each link.
        positions, rotations: frame of each link in its part's, m, shapes (l, 3) and (l, 3, 3).
    """

    def __init__(self, model: Model, rotors: bool) -> None:
        self._model = model
        sensed = {device.link for device in model.devices_of("ForceSensor")}
        self.parts: list[Part] = []
        self.of_link: list[int] = []
        self.positions, self.rotations = np.zeros((len(model.links), 3)), np.zeros((len(model.links), 3, 3))
        for link in model.links:
            welded = link.joint.type in ("fixed", "track") and link.parent >= 0 and link.index not in sensed
            if welded:
                above = link.parent
                self.rotations[link.index] = self.rotations[above] @ link.rotation
                self.positions[link.index] = self.positions[above] + self.rotations[above] @ link.translation
                self.of_link.append(self.of_link[above])
            else:
                self.rotations[link.index] = np.eye(3)
                self.of_link.append(len(self.parts))
                free = link.joint.type == "free" or link.parent < 0
                self.parts.append(Part(link.index, -1 if free else self.of_link[link.parent]))
            self.parts[self.of_link[-1]].links.append(link.index)
        for part in self.parts:
            part.inertia = self._inertia(part, rotors)

    def _inertia(self, part: Part, rotors: bool) -> Inertia:
        pieces = []
        for k in part.links:
            link, frame = self._model.links[k], np.eye(4)
            frame[:3, :3], frame[:3, 3] = self.rotations[k], self.positions[k]
            pieces.append(Inertia(link.mass, link.center_of_mass, link.inertia).moved(frame))
        if rotors:
            pieces.append(Inertia(0.0, np.zeros(3), _spin_inertia(self._model.links[part.head].joint)))
        return combined(pieces)

    def require_masses(self) -> None:
        """Raise ValueError, naming the link, unless every part that moves can be simulated."""
        for part in self.parts:
            link = self._model.links[part.head]
            if part.head == 0 and self._model.is_fixed:
                continue
            problem = obstacle(part.inertia.mass, part.inertia.tensor)
            if problem:
                raise ValueError(f"{link.name} of {self._model.name} moves, but {problem} ({link.source})")
