"""Motions of `.seq` files: displacements of joints, poses of links and ZMP over time (Choreonoid's BodyMotion, YAML).

Format versions 1 to 4: components are MultiValueSeq (JointDisplacement or, in version 1, JointPosition; rad and m, columns
by joint id), MultiSE3Seq (LinkPosition; XYZQWQXQYQZ or XYZRPY) and Vector3Seq (ZMP).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.files import require_file
from opendynamics.api.suggestions import explain_calls, explain_function
from opendynamics.robot.model import Model
from opendynamics.robot.reading.files import Files, Limits, decoded
from opendynamics.robot.reading.findings import Findings, ModelError
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.yaml_tree import parse_yaml

Array = npt.NDArray[np.float64]


@explain_calls
@dataclass(frozen=True, eq=False)
class Motion:
    """The contents of a `.seq` file, frame by frame.

    Args:
        frame_rate: Hz.
        displacements: of the joints by their ids, rad and m, shape (frames, ids).
        links: poses of links (x, y, z, then quaternion w, x, y, z), shape (frames, links, 7); no links if it has none.
        zmp: zero moment point, m, shape (frames, 3); no frames if it has none.
        source: the file.
        findings: the loader's findings.
    """

    frame_rate: float
    displacements: Array
    links: Array = field(default_factory=lambda: np.zeros((0, 0, 7)))
    zmp: Array = field(default_factory=lambda: np.zeros((0, 3)))
    source: Path | None = None
    findings: Sequence[str] = ()

    @property
    def seconds(self) -> float:
        """Duration from the first frame to the last, s."""
        return max(len(self.displacements) - 1, 0) / self.frame_rate

    def at(self, model: Model, time: float) -> tuple[Array, Array]:
        """Displacements and velocities of a model's joints at a time, s; linear between frames, at rest beyond the ends.

        Joints without a column for their id keep their initial displacements.
        """
        place = checks.finite("the time", time) * self.frame_rate
        last = len(self.displacements) - 1
        first = min(max(int(np.floor(place)), 0), max(last - 1, 0))
        one, two = self.displacements[first], self.displacements[min(first + 1, last)]
        part = min(max(place - first, 0.0), 1.0)
        ids = model.tree.joint_ids
        known = (ids >= 0) & (ids < len(one))
        start, change = one[ids[known]], two[ids[known]] - one[ids[known]]
        q, dq = model.tree.initial.copy(), np.zeros(len(ids))
        q[known] = start + part * change
        if 0.0 <= place <= last:
            dq[known] = change * self.frame_rate
        return q, dq


@explain_function
def load_motion(path: str | os.PathLike[str], *, strict: bool = False, limits: Limits | None = None) -> Motion:
    """The motion of a `.seq` file, or of a YAML file with the same contents; `strict` and `limits` as for `load_robot`.

    Raises:
        ModelError: the file has no motion; the message begins with file and line.
    """
    file = Path(path)
    require_file(file, "a motion file")
    findings = Findings(strict)
    files = Files([file.resolve().parent], limits=limits)
    with files.opened(file.resolve(), str(file)) as data:
        root = parse_yaml(decoded(data, file), file, files.limits)
    motion = motion_of(root, file, findings)
    findings.warn()
    return motion


def motion_of(root: Any, file: Path, findings: Findings) -> Motion:
    """The motion of a parsed file."""
    if not isinstance(root, Node) or root.text("type") not in ("CompositeSeq", "BodyMotion"):
        raise ModelError(f"{file}:1: this is no motion: its type is not CompositeSeq or BodyMotion")
    rate = root.positive("frame_rate", default=0.0) if "frame_rate" in root else 0.0
    found: dict[str, Array] = {}
    for component in root.nodes("components"):
        own = component.positive("frame_rate", default=1.0) if "frame_rate" in component else rate
        if not own or (rate and own != rate):
            raise component.error(
                "a component must have the frame rate of the motion" if own else "there is no frame rate"
            )
        rate = own
        _read(component, found, findings)
    if "displacements" not in found:
        raise root.error("the motion has no displacements of joints (a MultiValueSeq of JointDisplacement)")
    return Motion(rate, **found, source=file, findings=findings.texts)


def _read(component: Node, found: dict[str, Array], findings: Findings) -> None:
    kind = component.text("type"), component.text("content", "purpose")
    if kind[0] == "MultiValueSeq" and kind[1] in ("JointDisplacement", "JointPosition"):
        found["displacements"] = _frames(component, component.whole("num_parts", default=-1))
    elif kind == ("Vector3Seq", "ZMP"):
        found["zmp"] = _frames(component, 3)
    elif kind[0] == "MultiSE3Seq" and kind[1] in ("LinkPosition", "LinkPositions"):
        found["links"] = _poses(component)
    else:
        findings.note(component.place, f"the component {' '.join(kind)} is skipped")


def _frames(component: Node, width: int) -> Array:
    """Rows of numbers, all of one length."""
    rows = []
    for item in component.items("frames"):
        holder = Node("", component.file, item.line)
        holder.fields["frames"] = item
        row: Any = holder.finite("frames")
        width = row.size if width < 0 else width
        if row.size != width:
            raise holder.error(f"a frame must have {width} numbers, not {row.size}")
        rows.append(row)
    if not rows:
        raise component.error("the component has no frames")
    return np.array(rows)


def _poses(component: Node) -> Array:
    """Poses (x, y, z, w, x, y, z) from either of the two formats."""
    form = component.text("SE3Format", "se3_format", "format", default="XYZQWQXQYQZ")
    width = {"XYZQWQXQYQZ": 7, "XYZRPY": 6}.get(form)
    if width is None:
        raise component.error(f"the SE3 format {form!r} is unknown; known are XYZQWQXQYQZ and XYZRPY")
    parts = component.whole("num_parts", default=1)
    numbers = _frames(component, parts * width).reshape(-1, parts, width)
    if width == 7:
        return numbers
    half = 0.5 * numbers[..., 3:]
    (sr, sp, sy), (cr, cp, cy) = np.moveaxis(np.sin(half), -1, 0), np.moveaxis(np.cos(half), -1, 0)
    turns = [
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ]
    return np.concatenate([numbers[..., :3], np.stack(turns, axis=-1)], axis=-1)
