"""Recorder: writes the motion of a world, step by step."""

from __future__ import annotations

import atexit
import json
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from opendynamics.api import checks
from opendynamics.api.describing import count
from opendynamics.api.following import unwatch, watch
from opendynamics.api.spaces.space import Space, checked_spaces
from opendynamics.api.suggestions import Closed, explain_calls
from opendynamics.api.warning import warn
from opendynamics.api.world import World
from opendynamics.io.recording import chunks
from opendynamics.io.recording.arrays import ArrayKeeper
from opendynamics.io.recording.capturing import Camera, Channel, Channels
from opendynamics.io.recording.packing import squeezed
from opendynamics.io.recording.resuming import SnapshotLog
from opendynamics.io.recording.spans import MAX_STATES, SERIES, Moment, Precision, pack_span
from opendynamics.io.recording.watching import Watch
from opendynamics.io.recording.writer import ChunkWriter

# Version of the file format.
FORMAT = 1

# A chunk ends after this many frames or seconds of wall-clock time, which a killed program may lose, or MAX_STATES.
MAX_FRAMES, MAX_SECONDS = 125, 3.0

VELOCITY_STEP = 1e-4  # m/s and rad/s

# Tolerances, m and rad, with which numbers in a file are accurate enough, and can represent some kilometres.
FINEST_POSITION, FINEST_ORIENTATION = 1e-12, 1e-7

_open: weakref.WeakSet[Recorder] = weakref.WeakSet()


class Pending(NamedTuple):
    """Frames that are not written yet, replaced as a whole, so that Ctrl-C leaves them complete."""

    first: int  # number of frames before them
    moments: list[Moment]


class RecordingWarning(RuntimeWarning):
    """A recording could not be written completely, or was not closed."""


@explain_calls
class Recorder(Closed):
    """Records the bodies, geoms and joints of a world, from its creation until it is closed.

        with od.Recorder(world, "run.odr"):
            world.advance(0.01, steps=500)

    Every step of the world is a frame, by whatever call: `advance` with any number of steps, `step`, `quick_step` or
    `time_stages`. Without `with`, call `close()`. `capture()` adds a frame.

    Args:
        world: the world; several recorders may record it, each to its own file.
        path: the file, usually with the extension .odr. FileExistsError if it exists, unless `overwrite`.
        every: steps between frames; 0: only the frames of `capture()`.
        velocities: whether to record velocities, to 5e-5 m/s and rad/s. Energy and momentum always are.
        contacts: whether to record contact points, normals, depths and forces.
        joint_forces: whether to record forces and torques of joints.
        channels: further numbers by name: functions without arguments, called at every frame, which return a number or an
            array, always of the same shape.
        spaces: further spaces whose geoms are recorded. Those on bodies and in the world's own space always are; floors and
            walls in a space of ODE's loop are not.
        about: further metadata, in JSON types, such as parameters of the run: `recording.header["about"]`. `camera` and
            `target` (3), m, define the view.
        overwrite: whether to replace an existing file.
        position_tolerance: accuracy of recorded positions, m, at least 1e-12. Positions further than 9e15 times that from the
            origin are clamped.
        orientation_tolerance: accuracy of recorded orientations, rad, at least 1e-7.
        snapshots: interval of snapshots of the whole state, s, from which `recording.resume` continues; 0: none. They are
            taken together with frames. TypeError if an object of the world cannot be moved to another process.

    A write error, as on a full disk, ends the recording with a RecordingWarning, and is stored in `error`; the simulation
    continues. `time` (s) and `frames` show the progress of the recording.
    """

    world: World
    path: Path
    every: int
    error: BaseException | None

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
        spaces: Iterable[Space] = (),
        about: Mapping[str, Any] | None = None,
        overwrite: bool = False,
        position_tolerance: float = 1e-5,
        orientation_tolerance: float = 1e-4,
        snapshots: float = 0.0,
    ) -> None:
        if not isinstance(world, World):
            raise TypeError(f"a recorder records a World, not {world!r}")
        self.world, self.path = world, Path(path)
        self.every = checks.count("the steps between frames of a recorder (every)", every, 0)
        self.error = None
        self._steps = 0
        coarse = _tolerance("the position tolerance of a recorder", position_tolerance, FINEST_POSITION, "m")
        turned = _tolerance("the orientation tolerance of a recorder", orientation_tolerance, FINEST_ORIENTATION, "rad")
        self._precision = Precision(2.0 * coarse, Precision.orientation_scale_for(turned), VELOCITY_STEP)
        self._arrays = ArrayKeeper(self._write)
        seconds = checks.not_negative("the seconds between snapshots of a recorder", snapshots)
        self._log = SnapshotLog(world, seconds, self._write_later)
        self._watch = Watch(world, self._arrays.put, checked_spaces("the spaces of a recorder", spaces))
        wanted = {"velocities": velocities, "contacts": contacts, "joint_forces": joint_forces}
        wanted = {name: checks.flag(name, value) for name, value in wanted.items()}
        self._camera = Camera(world, self._watch, **wanted)
        self._channels = Channels(channels)
        if about is not None and not isinstance(about, Mapping):
            raise TypeError(f"the metadata of a recorder (about) must be values by name, not {about!r}")
        header = self._packed_header(wanted, dict(about or {}))
        self._pending = Pending(0, [])
        self._changes: list[dict[str, Any]] = []
        self._begun = 0.0
        self._writer: ChunkWriter | None = ChunkWriter(self.path, checks.flag("overwrite", overwrite))
        self._write(chunks.HEADER, header)
        watch(world, self)
        _open.add(self)
        try:
            self.capture()
        except BaseException:
            self.close()
            raise

    def _packed_header(self, wanted: dict[str, bool], about: dict[str, Any]) -> bytes:
        header = {
            "format": FORMAT,
            "program": "opendynamics " + _version(),
            "world": self.world.name,
            "gravity": self.world.gravity.tolist(),
            "every": self.every,
            "position_step": self._precision.position_step,
            "orientation_scale": self._precision.orientation_scale,
            "velocity_step": self._precision.velocity_step,
            "series": SERIES,
            "channels": {name: list(shape) for name, shape in self._channels.shapes.items()},
            **wanted,
            "about": about,
        }
        try:
            return json.dumps(header, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise type(error)(f"the metadata of a recorder (about) must be values that JSON has: {error}") from None

    def _write(self, kind: bytes, payload: bytes) -> None:
        self._write_later(kind, lambda: payload)

    def _write_later(self, kind: bytes, pack: Callable[[], bytes]) -> None:
        if self._writer is not None:
            self._writer.write(kind, pack)

    # -- frames ------------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Time of the steps so far, s."""
        return self._log.time

    @property
    def frames(self) -> int:
        """Number of frames so far."""
        first, moments = self._pending
        return first + len(moments)

    @property
    def steps_until_frame(self) -> int:
        """Number of steps until the next frame."""
        return self.every - self._steps if self.every else checks.MOST

    def stepped(self, h: float, steps: int) -> None:
        """Called by the world after this number of steps of `h` s."""
        self._log.stepped(h, steps)
        self._steps += steps
        if self.every and self._steps >= self.every:
            self._steps = 0
            self.capture()

    def capture(self) -> None:
        """Record the current state as a frame."""
        writer = self._writer
        if writer is None:
            return
        if writer.error is not None:
            self._give_up(writer.error)
            return
        channels = self._channels.ask()
        self._look()
        while self._changes:  # one that was not passed on, because of Ctrl-C, is still there
            description = self._changes[0]
            writer.write(chunks.STRUCTURE, partial(_packed_changes, description))
            del self._changes[0]
        moments = self._pending.moments
        if not moments:
            self._begun = time.monotonic()
        moments.append(self._camera.take(self.time, channels))
        self._log.look()
        states = sum(len(moment.numbers) for moment in moments) + len(self._watch.rows)
        late = time.monotonic() - self._begun > MAX_SECONDS
        if len(moments) >= MAX_FRAMES or states >= MAX_STATES or late:
            self.flush()

    def _look(self) -> None:
        """Record changes of bodies, geoms and settings. An interrupt in the middle ends the recording."""
        try:
            changes = self._watch.changes()
        except BaseException:
            self.close()
            raise
        if changes is not None:
            self._changes.append({"frame": self.frames, **changes})

    # -- the file ----------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write everything captured so far, so that it survives a crash of the program."""
        first, moments = self._pending
        if moments and self._writer is not None:
            self._writer.write(chunks.FRAMES, partial(pack_span, first, tuple(moments), self._precision))
            self._log.flush()
            # Ctrl-C before this line has them written again, and readers take the last ones.
            self._pending = Pending(self.frames, [])

    def close(self) -> None:
        """Write the remaining data and end the recording; no effect if it has ended."""
        writer = self._writer
        if writer is None:
            return
        self.flush()
        self._write(chunks.END, json.dumps({"frames": self.frames}).encode())
        writer.close()  # an interrupted close may be repeated
        self._detach()
        if writer.error is not None:
            self._warn(writer.error)

    def _detach(self) -> None:
        self._writer = None
        self._pending = Pending(self.frames, [])
        unwatch(self.world, self)
        _open.discard(self)

    def _give_up(self, error: BaseException) -> None:
        writer = self._writer
        self._detach()
        if writer is not None:
            writer.close()
        self._warn(error)

    def _warn(self, error: BaseException) -> None:
        self.error = error
        warn(
            f"the recording {self.path} ends here, as it could not be written: {error}. What was written before can be "
            "read; the simulation continues",
            RecordingWarning,
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
        return f"<Recorder of {self.world.name!r} to {str(self.path)!r}: {count(self.frames, 'frame')}>"


def _tolerance(what: str, value: Any, finest: float, unit: str) -> float:
    found = checks.positive(what, value)
    if found < finest:
        raise ValueError(f"{what} must be at least {finest:g} {unit}, not {found:g}")
    return found


def _packed_changes(description: dict[str, Any]) -> bytes:
    return squeezed(json.dumps(description).encode())


def _version() -> str:
    from opendynamics import __version__

    return __version__


@atexit.register
def _close_all() -> None:
    """Close open recordings when Python exits."""
    for recorder in list(_open):
        recorder.close()
