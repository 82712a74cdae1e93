"""NPZ: NumPy's arrays by name, compressed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.io.recording.exports import Progress, no_progress
from opendynamics.io.recording.frame import Frames

SUFFIX = ".npz"


def export(frames: Frames, path: Path, progress: Progress = no_progress) -> None:
    """Write all recorded data.

    times (frames,); bodies (bodies,), names; positions (frames, bodies, 3); quaternions (frames, bodies, 4), (w, x, y, z);
    enabled (frames, bodies); numbers of the whole world by their names, such as kinetic (frames,); channel_NAME (frames,
    ...). If they were recorded: linear_velocities and angular_velocities; joints (joints,), names, and joint_forces
    (frames, joints, 12); contacts: contact_frame, contact_positions, contact_normals, contact_depths, contact_forces and
    contact_bodies, a row for each contact.
    """
    header = frames.header
    arrays: dict[str, Callable[[], Any]] = {
        "times": lambda: frames.times,
        "bodies": lambda: np.array(frames.bodies, np.str_),
        "positions": lambda: frames.positions,
        "quaternions": lambda: frames.quaternions,
        "enabled": lambda: np.array([frame.enabled for frame in frames]).reshape(len(frames), len(frames.bodies)),
    }
    numbers = frames.series | {f"channel_{name}": values for name, values in frames.channels.items()}
    arrays |= {name: partial(np.asarray, values) for name, values in numbers.items()}
    if header["velocities"]:
        arrays["linear_velocities"] = lambda: frames.linear_velocities
        arrays["angular_velocities"] = lambda: frames.angular_velocities
    if header["joint_forces"]:
        arrays["joints"] = lambda: np.array(frames.joints, np.str_)
        arrays["joint_forces"] = lambda: frames.joint_forces
    if header["contacts"]:
        arrays |= {name: partial(np.asarray, values) for name, values in _contacts(frames).items()}
    # As numpy.savez_compressed, but one array after another, so that only one is in memory.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for k, (name, make) in enumerate(arrays.items()):
            progress(k / len(arrays))
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, make(), allow_pickle=False)


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
