"""Snapshots in recordings, and the steps between them, for `recording.resume`.

    SNAP   time f64, steps before u64, zlib of the snapshot's bytes
    STEP   steps before u64, then step size f64 and number u64 of each run of equal steps

Steps are written with the frames, so that the file of a killed program can be resumed up to its last complete chunk.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from opendynamics.api.files import Fail, unpack_zlib
from opendynamics.api.saving.snapshot import Snapshot, SnapshotError
from opendynamics.api.world import World
from opendynamics.io.recording import chunks
from opendynamics.io.recording.chunks import Place, max_unpacked
from opendynamics.io.recording.packing import squeezed

if TYPE_CHECKING:
    from opendynamics.io.recording.recording import Recording

SNAP = struct.Struct("<dQ")
FIRST, RUN = struct.Struct("<Q"), struct.Struct("<dQ")

# Tolerance of times, as a fraction of a step, as they are sums of step sizes.
ROUNDING = 1e-6

Write = Callable[[bytes, Callable[[], bytes]], None]


class Steps(NamedTuple):
    """Steps that are not written yet, replaced as a whole, so that Ctrl-C leaves them complete."""

    first: int  # number of steps before them
    start: float  # time before them, s
    runs: list[tuple[float, int, float]]  # step size, number, time after them


class SnapshotLog:
    """Used by a recorder: counts its steps, and writes a snapshot at intervals, and the steps in between."""

    def __init__(self, world: World, seconds: float, write: Write) -> None:
        self._world, self._seconds, self._write = world, seconds, write
        self._due = 0.0
        self._steps = Steps(0, 0.0, [])

    @property
    def time(self) -> float:
        """Time of all steps, s."""
        _, start, runs = self._steps
        return runs[-1][2] if runs else start

    def stepped(self, h: float, steps: int) -> None:
        """Record this number of steps of `h` s."""
        runs, time = self._steps.runs, self.time + h * steps
        if runs and (runs[-1][0] == h or not self._seconds):  # without snapshots, only the time is needed
            runs[-1] = (h, runs[-1][1] + steps, time)
        else:
            runs.append((h, steps, time))

    def look(self) -> None:
        """Write a snapshot, if it is due. TypeError if the world cannot be moved to another process."""
        if not self._seconds or self.time < self._due * (1.0 - 1e-12):
            return
        self.flush()
        data = self._world.save().to_bytes()
        first, time, _ = self._steps
        self._write(chunks.SNAPSHOT, partial(_packed, SNAP.pack(time, first), data))
        self._due = time + self._seconds

    def flush(self) -> None:
        """Write the steps that have been made."""
        first, _, runs = self._steps
        if not runs:
            return
        if self._seconds:
            payload = FIRST.pack(first) + b"".join(RUN.pack(h, steps) for h, steps, _ in runs)
            self._write(chunks.STEPS, lambda: payload)
        self._steps = Steps(first + sum(steps for _, steps, _ in runs), self.time, [])


def _packed(head: bytes, data: bytes) -> bytes:
    return head + squeezed(data)


class ResumePoints:
    """Used by a recording: the locations of its snapshots, and the steps between them."""

    def __init__(self) -> None:
        self.snapshots: list[tuple[float, int, Place]] = []  # time, steps before, chunk
        self._runs: list[tuple[int, float, int]] = []  # steps before, step size, steps
        self._covered = 0

    @property
    def times(self) -> list[float]:
        """Times of the snapshots, s."""
        return [time for time, _, _ in self.snapshots]

    def add_snapshot(self, place: Place, start: bytes, fail: Fail) -> None:
        """A chunk SNAP whose payload starts with `start`."""
        if len(start) < SNAP.size:
            raise fail("byte 0", f"a snapshot of {len(start)} bytes is too short")
        time, steps = SNAP.unpack_from(start)
        if not (np.isfinite(time) and (not self.snapshots or time >= self.snapshots[-1][0])):
            raise fail("byte 0", f"its time, {time} s, is not after that of the snapshot before it")
        self.snapshots.append((time, steps, place))

    def add_steps(self, payload: bytes, fail: Fail) -> None:
        """The contents of a chunk STEP."""
        if len(payload) < FIRST.size or (len(payload) - FIRST.size) % RUN.size:
            raise fail("byte 0", f"{len(payload)} bytes are not the size of a list of steps")
        at: int = FIRST.unpack_from(payload)[0]
        while self._runs and self._runs[-1][0] >= at:  # written again, after Ctrl-C in between
            self._covered = self._runs.pop()[0]
        if at != self._covered:
            raise fail("byte 0", f"step {self._covered} is followed by step {at}")
        for h, steps in RUN.iter_unpack(payload[FIRST.size :]):
            if not 0.0 < h < np.inf or steps > 1 << 48:
                raise fail("byte 8", f"{steps} steps of {h} s are impossible")
            self._runs.append((at, h, steps))
            at += steps
        self._covered = at

    def steps_from(self, first: int, start: float, end: float) -> Iterator[tuple[float, int]]:
        """Step size and number of the steps from number `first` on, beginning at `start` s, until `end` s."""
        for before, h, steps in self._runs:
            left = before + steps - max(before, first)
            if left <= 0:
                continue
            count = min(left, int((end - start) / h + ROUNDING))
            if count:
                yield h, count
            start += h * count
            if count < left:
                return


def resume(recording: Recording, time: float, trust: bool) -> World:
    """See `Recording.resume`."""
    points, path = recording._points, recording.path
    if not points.snapshots:
        raise ValueError(f"{path} holds no snapshots to resume from; record with Recorder(..., snapshots=1.0)")
    last = float(recording.times[-1]) if len(recording) else points.times[-1]
    if not points.times[0] <= time <= last * (1.0 + 1e-9):
        raise ValueError(f"{path} can be resumed from {points.times[0]:g} s to {last:g} s, not at {time:g} s")
    near = time + 1e-12 * abs(time)  # a damaged file's snapshots may be before 0 s
    start, first, place = [point for point in points.snapshots if point[0] <= near][-1]
    fail = recording._file.fail_in(place)
    payload = recording._file.read(place, "the snapshot")[SNAP.size :]
    data = unpack_zlib(payload, max_unpacked(len(payload)), fail, "stream")
    try:
        world = World.load(Snapshot.from_bytes(data, trust=trust))
    except SnapshotError as error:
        raise fail("stream", str(error)) from error
    for h, steps in points.steps_from(first, start, time):
        world.advance(h, steps=steps)
    if not _is_as_recorded(recording, world, time):
        if time <= start * (1.0 + 1e-9):
            raise fail("stream", "the bodies are not where the frame of this time has them")
        raise ValueError(
            f"{path} cannot be resumed at {time:g} s: since its snapshot at {start:g} s, something other than "
            f"world.advance moved the world; resume({start:g}), and repeat what the program did from there on"
        )
    return world


def _is_as_recorded(recording: Recording, world: World, time: float) -> bool:
    """Whether the world is in the state of the frame at this time, if there is one."""
    times = recording.times
    frame = int(np.searchsorted(times, time * (1.0 + 1e-9), side="right")) - 1
    if frame < 0 or abs(times[frame] - time) > 1e-9 * max(time, 1.0):
        return True
    seen = recording[frame].positions
    seen, found = np.sort(seen[~np.isnan(seen).any(axis=1)], axis=0), np.sort(world.positions, axis=0)
    tolerance = 0.5001 * recording.header["position_step"] * (1.0 + 1e-9) + 1e-12
    return seen.shape == found.shape and bool((abs(seen - found) <= tolerance + 1e-15 * abs(seen)).all())
