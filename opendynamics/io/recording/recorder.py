"""Recorder: writes down what happens in a world, step by step."""

from __future__ import annotations

import atexit
import json
import time
import warnings
import weakref
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.io.recording import chunks
from opendynamics.io.recording.arrays import ArrayKeeper
from opendynamics.io.recording.gathering import SUMS, TOUCH, gather_bodies, gather_contacts
from opendynamics.io.recording.packing import squeezed
from opendynamics.io.recording.spans import REACTION, SERIES, Moment, Precision, pack_span
from opendynamics.io.recording.watching import Changes, Watch
from opendynamics.io.recording.writer import ChunkWriter

# What the report of a step and its stages add to a frame's series, in the order of SERIES.
REPORTED = ["contacts", "deepest", "islands", "rows", "iterations", "residual"]
STAGES = ("collide", "constrain", "solve", "move")

# Version of the file format.
FORMAT = 1

# A chunk ends after so many frames, frames times bodies, or seconds on the clock: what a killed program may lose.
MOST_FRAMES, MOST_STATES, MOST_SECONDS = 250, 1 << 19, 5.0

VELOCITY_STEP = 1e-4  # m/s and rad/s

Channel = Callable[[], Any]

_open: weakref.WeakSet[Recorder] = weakref.WeakSet()


class RecordingWarning(RuntimeWarning):
    """A recording could not be written to its end, or was not."""


class Recorder:
    """Writes down a world's bodies, geoms and joints as they move, from the moment it is made until it is closed.

        with od.Recorder(world, "run.odr"):
            world.advance(0.01, steps=500)

    Every step of the world is a frame, however it is made: by `advance` with any number of steps, `step`, `quick_step` or
    `time_stages`. Without `with`, call `close()`. `capture()` adds a frame by hand.

    Args:
        world: the world; several recorders may record it, each to a file of its own.
        path: the file, by custom with the ending .odr. FileExistsError if there is one, unless `overwrite`.
        every: steps from one frame to the next; 0: none but those of `capture()`.
        velocities: whether velocities are kept too, to 5e-5 m/s and rad/s. Energy and momentum always are.
        contacts: whether contact points, normals, depths and forces are.
        joint_forces: whether forces and torques of joints are.
        channels: further numbers by name: functions without arguments, asked at every frame for a number or an array,
            always of the same shape.
        overwrite: whether a file with this name may be replaced.
        position_tolerance: m by which a recorded position may be off.
        orientation_tolerance: rad by which a recorded orientation may be off.

    What cannot be written, as on a full disk, ends the recording with a RecordingWarning, and is `error` from then on; the
    simulation goes on. `time` (s) and `frames` tell how far the recording is.
    """

    def __init__(
        self,
        world: World,
        path: str | Path,
        every: int = 1,
        *,
        velocities: bool = False,
        contacts: bool = False,
        joint_forces: bool = False,
        channels: Mapping[str, Channel] | None = None,
        overwrite: bool = False,
        position_tolerance: float = 1e-5,
        orientation_tolerance: float = 1e-4,
    ) -> None:
        if not isinstance(world, World):
            raise TypeError(f"a recorder records a World, not {world!r}")
        self.world, self.path = world, Path(path)
        self.every = checks.count("every how many steps the recorder looks", every, 0)
        self.time = 0.0
        self.frames = 0
        self._steps = 0
        position_step = 2.0 * checks.positive("the position tolerance of a recorder", position_tolerance)
        finest = checks.positive("the orientation tolerance of a recorder", orientation_tolerance)
        scale = Precision.orientation_scale_for(finest)
        self._precision = Precision(position_step, scale, VELOCITY_STEP)
        self._width = 13 if checks.flag("velocities", velocities) else 7
        self._contacts = checks.flag("contacts", contacts)
        self._joint_forces = checks.flag("joint_forces", joint_forces)
        self._channels = _checked_channels(channels)
        self._shapes = {name: _shape(name, function) for name, function in self._channels.items()}
        self._moments: list[Moment] = []
        self._begun = 0.0
        self.error: BaseException | None = None
        self._writer: ChunkWriter | None = ChunkWriter(self.path, checks.flag("overwrite", overwrite))
        self._arrays = ArrayKeeper(self._write)
        self._watch = Watch(world, self._arrays.put)
        self._write(chunks.HEADER, json.dumps(self._header()).encode())
        world._watchers.append(self)
        _open.add(self)
        try:
            self.capture()
        except BaseException:
            self.close()
            raise

    def _header(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "program": "opendynamics " + _version(),
            "world": self.world.name,
            "gravity": self.world.gravity.tolist(),
            "every": self.every,
            "position_step": self._precision.position_step,
            "orientation_scale": self._precision.orientation_scale,
            "velocity_step": self._precision.velocity_step,
            "velocities": self._width > 7,
            "contacts": self._contacts,
            "joint_forces": self._joint_forces,
            "series": SERIES,
            "channels": {name: list(shape) for name, shape in self._shapes.items()},
        }

    def _write(self, kind: bytes, payload: bytes) -> None:
        if self._writer is not None:
            self._writer.write(kind, lambda: payload)

    # -- frames ------------------------------------------------------------------------------------------------------

    @property
    def steps_until_frame(self) -> int:
        """How many steps the world may do before the recorder wants to look."""
        return self.every - self._steps if self.every else checks.MOST

    def stepped(self, h: float, steps: int) -> None:
        """The world tells that it did so many steps of `h` s."""
        self.time += h * steps
        self._steps += steps
        if self.every and self._steps >= self.every:
            self._steps = 0
            self.capture()

    def capture(self) -> None:
        """Write down how things are now, as one frame."""
        writer = self._writer
        if writer is None:
            return
        if writer.error is not None:
            self._give_up(writer.error)
            return
        channels = self._ask_channels()
        changes = self._watch.changes()
        if changes is not None:
            self._write_changes(changes)
        if not self._moments:
            self._begun = time.monotonic()
        self._moments.append(self._gather(channels))
        self.frames += 1
        states = len(self._moments) * (1 + len(self._watch.rows))
        late = time.monotonic() - self._begun > MOST_SECONDS
        if len(self._moments) >= MOST_FRAMES or states > MOST_STATES or late:
            self.flush()

    def _write_changes(self, changes: Changes) -> None:
        told = {"frame": self.frames, **changes}
        self._writer.write(chunks.STRUCTURE, lambda: squeezed(json.dumps(told).encode()))  # type: ignore[union-attr]

    def _gather(self, channels: Any) -> Moment:
        store, rows = self.world._store, self._watch.rows
        states, flags = np.empty((len(rows), self._width)), np.empty(len(rows), np.uint8)
        series = np.full(len(SERIES), np.nan)
        gather_bodies(store.tables, rows, states, flags, series[:SUMS])
        report = store[REPORTS][0]
        series[SUMS : SUMS + len(REPORTED)] = report[REPORTED].item()
        seconds = self.world._seconds
        if seconds:
            series[-len(STAGES) :] = [seconds[stage] for stage in STAGES]
        return Moment(
            time=self.time,
            numbers=self._watch.numbers,
            states=states,
            flags=flags,
            series=series,
            touches=self._touches() if self._contacts else None,
            reactions=self._reactions() if self._joint_forces else None,
            channels=channels,
        )

    def _touches(self) -> Any:
        store = self.world._store
        touches = np.zeros(len(store[CONTACTS]), TOUCH)
        count = gather_contacts(store.tables, self.world._contact_rows.count, touches)
        found = touches[:count]
        numbers = self._watch.number_of_row(len(store[MOTIONS]))
        for side in ("body1", "body2"):
            found[side] = numbers[found[side]]
        return found

    def _reactions(self) -> Any:
        joints = self._watch.joints
        found = np.zeros(len(joints), REACTION)
        rows = self.world._store[JOINTS]
        for k, (number, joint) in enumerate(joints.items()):
            found["joint"][k] = number
            if rows["row_count"][joint._row]:
                feedback = joint.feedback
                found["forces"][k] = np.concatenate(
                    [feedback.force1, feedback.torque1, feedback.force2, feedback.torque2]
                )
        return found

    def _ask_channels(self) -> Any:
        parts = []
        for name, function in self._channels.items():
            value = np.asarray(function(), np.float64)
            if value.shape != self._shapes[name]:
                raise ValueError(
                    f"the channel {name!r} of the recording {self.path} gave an array of shape {value.shape}; it must be "
                    f"{self._shapes[name]}, as at first"
                )
            parts.append(value.reshape(-1))
        return np.concatenate(parts) if parts else np.zeros(0)

    # -- the file ----------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Have what was captured so far written, so that it survives whatever happens to the program."""
        moments, self._moments = self._moments, []
        if moments and self._writer is not None:
            pack = partial(pack_span, self.frames - len(moments), moments, self._precision)
            self._writer.write(chunks.FRAMES, pack)

    def close(self) -> None:
        """Write what is left and end the recording. Nothing happens if it has ended already."""
        writer = self._writer
        if writer is None:
            return
        self.flush()
        self._write(chunks.END, json.dumps({"frames": self.frames}).encode())
        self._detach()
        writer.close()
        if writer.error is not None:
            self._warn(writer.error)

    def _detach(self) -> None:
        self._writer = None
        self._moments = []
        if self in self.world._watchers:
            self.world._watchers.remove(self)
        _open.discard(self)

    def _give_up(self, error: BaseException) -> None:
        writer = self._writer
        self._detach()
        if writer is not None:
            writer.close()
        self._warn(error)

    def _warn(self, error: BaseException) -> None:
        self.error = error
        warnings.warn(
            f"the recording {self.path} ends here, as it could not be written: {error}. What was written before can be "
            "read; the simulation goes on",
            RecordingWarning,
            stacklevel=4,
        )

    @property
    def closed(self) -> bool:
        """Whether the recording has ended."""
        return self._writer is None

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Recorder of {self.world.name!r} to {str(self.path)!r}: {self.frames} frames>"


def _checked_channels(channels: Any) -> dict[str, Channel]:
    found = dict(channels or {})
    for name, function in found.items():
        if not isinstance(name, str) or not name:
            raise TypeError(f"the name of a channel must be a word, not {name!r}")
        if not callable(function):
            raise TypeError(f"the channel {name!r} must be a function that gives a number, not {function!r}")
    return found


def _shape(name: str, function: Channel) -> tuple[int, ...]:
    value = function()
    try:
        return np.asarray(value, np.float64).shape
    except (TypeError, ValueError):
        raise TypeError(f"the channel {name!r} must give numbers, not {value!r}") from None


def _version() -> str:
    from opendynamics import __version__

    return __version__


@atexit.register
def _close_all() -> None:
    """Recordings that nobody closed are closed when Python ends."""
    for recorder in list(_open):
        recorder.close()
