"""CSV: a line for each body in each frame, or, with `what="series"`, for each frame."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from math import ceil, log10
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.io.recording.exports import Progress, no_progress
from opendynamics.io.recording.frame import Frames

SUFFIX = ".csv"
WHAT = ("bodies", "series")

STATE = ("x", "y", "z", "qw", "qx", "qy", "qz")
VELOCITY = ("vx", "vy", "vz", "wx", "wy", "wz")


def export(frames: Frames, path: Path, progress: Progress = no_progress, *, what: str = "bodies") -> None:
    """Write positions, orientations and optionally velocities of bodies; or energies, contacts and channels."""
    if what not in WHAT:
        raise ValueError(f"a CSV file can have {' or '.join(WHAT)}, not {what!r}")
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerows(_bodies(frames, progress) if what == "bodies" else _series(frames))


def _bodies(frames: Frames, progress: Progress) -> Iterator[list[Any]]:
    header = frames.header
    columns = [*STATE, *(VELOCITY if header["velocities"] else ())]
    yield ["frame", "time", "body", *columns]
    steps = [header["position_step"]] * 3 + [1.0 / header["orientation_scale"]] * 4 + [header["velocity_step"]] * 6
    # One digit more than the precision of the recording.
    write = [f"{{:.{max(ceil(-log10(step)) + 1, 0)}f}}".format for step in steps[: len(columns)]]
    for k, frame in enumerate(frames):
        progress(k / len(frames))
        states = frame.states
        for body in np.flatnonzero(frame.present).tolist():
            numbers = (format(value) for format, value in zip(write, states[body].tolist(), strict=True))
            yield [frame.number, f"{frame.time:.9g}", frames.bodies[body], *numbers]


def _series(frames: Frames) -> Iterator[list[Any]]:
    series, channels = frames.series, frames.channels
    columns = dict(series)
    for name, values in channels.items():
        for place in np.ndindex(values.shape[1:]):
            columns[f"{name}{list(place)}" if place else name] = values[(slice(None), *place)]
    yield ["frame", "time", *columns]
    for k, (number, time) in enumerate(zip(frames.numbers, frames.times.tolist(), strict=True)):
        yield [number, f"{time:.9g}", *(f"{float(column[k]):.9g}" for column in columns.values())]
