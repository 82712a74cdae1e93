"""NPZ: NumPy's arrays by name, compressed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.io.recording.frame import Frames

SUFFIX = ".npz"


def export(frames: Frames, path: Path) -> None:
    """Write everything that was recorded.

    times (frames,); bodies (bodies,), names; positions (frames, bodies, 3); quaternions (frames, bodies, 4), (w, x, y, z);
    enabled (frames, bodies); numbers of the whole world by their names, such as kinetic (frames,); channel_NAME (frames,
    ...). If they were recorded: linear_velocities and angular_velocities; joints (joints,), names, and joint_forces
    (frames, joints, 12); contacts: contact_frame, contact_positions, contact_normals, contact_depths, contact_forces and
    contact_bodies, a row for each contact.
    """
    header = frames.header
    arrays: dict[str, Any] = {
        "times": frames.times,
        "bodies": np.array(frames.bodies, np.str_),
        "positions": frames.positions,
        "quaternions": frames.quaternions,
        "enabled": np.array([frame.enabled for frame in frames]).reshape(len(frames), len(frames.bodies)),
    }
    arrays |= frames.series
    arrays |= {f"channel_{name}": values for name, values in frames.channels.items()}
    if header["velocities"]:
        arrays |= {"linear_velocities": frames.linear_velocities, "angular_velocities": frames.angular_velocities}
    if header["joint_forces"]:
        arrays |= {"joints": np.array(frames.joints, np.str_), "joint_forces": frames.joint_forces}
    if header["contacts"]:
        arrays |= _contacts(frames)
    with path.open("wb") as file:  # savez would add .npz to other names
        np.savez_compressed(file, **arrays)


def _contacts(frames: Frames) -> dict[str, Any]:
    found = [(frame.number, frame.contacts) for frame in frames]
    columns = {"positions": (0, 3), "normals": (0, 3), "depths": (0,), "forces": (0, 3), "bodies": (0, 2)}
    arrays: dict[str, Any] = {
        f"contact_{name}": np.concatenate([np.zeros(shape), *(getattr(contacts, name) for _, contacts in found)])
        for name, shape in columns.items()
    }
    arrays["contact_bodies"] = arrays["contact_bodies"].astype(np.int64)
    arrays["contact_frame"] = np.repeat([number for number, _ in found], [len(contacts) for _, contacts in found])
    return arrays
