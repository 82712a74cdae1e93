"""Frames of a recording: one, or some of them with an axis for each property."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from opendynamics.api.describing import count
from opendynamics.api.suggestions import explain_calls
from opendynamics.core.arrays.bodies import ENABLED
from opendynamics.core.families import Family
from opendynamics.io.recording.chunks import RecordingError
from opendynamics.io.recording.spans import SERIES, Span

if TYPE_CHECKING:
    from opendynamics.io.recording.recording import Recording

Array = npt.NDArray[np.float64]

# Arrays of more frames times bodies than MAX_CELLS must be filled to at least a fraction of 1 / SPARSE.
MAX_CELLS, SPARSE = 1 << 22, 64

EXPORTS = Family("opendynamics.io.recording.exports")


@explain_calls
@dataclass(frozen=True)
class RecordedContacts:
    """The contacts of a frame, one per row; the bodies are indices into `recording.bodies`, -1 is the static world.

    Attributes:
        positions: contact points, m, (n, 3).
        normals: unit vectors into the first body, (n, 3).
        depths: penetration depths, m, (n,).
        forces: on the first body, N, (n, 3).
        bodies: the two bodies, (n, 2).
    """

    positions: Array
    normals: Array
    depths: Array
    forces: Array
    bodies: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.depths)


@explain_calls
class Frame:
    """One moment of a recording. Arrays have a row for each body in `recording.bodies`; nan where it does not exist.

    Attributes:
        number: index of the frame, from 0.
        time: s.
    """

    def __init__(self, recording: Recording, number: int) -> None:
        self.recording = recording
        self.number = number
        self._span, self._at = recording._span_of(number)
        self.time = float(self._span.times[self._at])

    @cached_property
    def _rows(self) -> tuple[Any, Any]:
        """The existing bodies, as indices into `recording.bodies`, and their rows in the span."""
        places = self.recording._places_of(self.recording._places, self._span.numbers(self._at))
        return places, self._span.rows(self._at)

    def _of_bodies(self, columns: slice) -> Array:
        places, rows = self._rows
        out = np.full((len(self.recording.bodies), columns.stop - columns.start), np.nan)
        out[places] = self._span.states[rows, columns]
        return out

    @property
    def states(self) -> Array:
        """Position 3, quaternion 4 and, if they were recorded, velocity 3 and angular velocity 3, shape (bodies, 7 or 13)."""
        return self._of_bodies(slice(0, self._span.states.shape[1]))

    @property
    def positions(self) -> Array:
        """Positions, m, shape (bodies, 3)."""
        return self._of_bodies(slice(0, 3))

    @property
    def quaternions(self) -> Array:
        """Orientations as unit quaternions (w, x, y, z), shape (bodies, 4)."""
        return self._of_bodies(slice(3, 7))

    @property
    def linear_velocities(self) -> Array:
        """Velocities, m/s, shape (bodies, 3); ValueError if they were not recorded."""
        self.recording._require("velocities")
        return self._of_bodies(slice(7, 10))

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities, rad/s, shape (bodies, 3); ValueError if they were not recorded."""
        self.recording._require("velocities")
        return self._of_bodies(slice(10, 13))

    @property
    def _flags(self) -> npt.NDArray[np.uint8]:
        places, rows = self._rows
        out = np.zeros(len(self.recording.bodies), np.uint8)
        out[places] = self._span.flags[rows]
        return out

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Whether each body exists, shape (bodies,)."""
        out = np.zeros(len(self.recording.bodies), bool)
        out[self._rows[0]] = True
        return out

    @property
    def enabled(self) -> npt.NDArray[np.bool_]:
        """Whether each body is enabled (not asleep), shape (bodies,)."""
        return np.asarray(self._flags & ENABLED != 0)

    @property
    def contacts(self) -> RecordedContacts:
        """The contacts of the step that led to this frame; ValueError if they were not recorded."""
        self.recording._require("contacts")
        found = self._span.touches(self._at)
        places = self.recording._places
        with np.errstate(invalid="ignore"):  # NaN in a file may be of any kind
            return RecordedContacts(
                found["position"].astype(np.float64),
                found["normal"].astype(np.float64),
                found["depth"].astype(np.float64),
                found["force"].astype(np.float64),
                np.column_stack([self.recording._places_of(places, found[side], -1) for side in ("body1", "body2")]),
            )

    @property
    def joint_forces(self) -> Array:
        """Forces of each joint of `recording.joints`, shape (joints, 12): force1, torque1, force2, torque2, N and N m.

        nan where the joint did not exist; ValueError if they were not recorded.
        """
        self.recording._require("joint_forces")
        out = np.full((len(self.recording.joints), 12), np.nan)
        found = self._span.reactions(self._at)
        with np.errstate(invalid="ignore"):  # see `contacts`
            out[self.recording._places_of(self.recording._joint_places, found["joint"])] = found["forces"]
        return out

    def __repr__(self) -> str:
        return f"<Frame {self.number} of {str(self.recording.path)!r}, at {self.time:g} s>"


@explain_calls
class Frames:
    """Some frames of a recording. Arrays have an axis of frames and one of bodies, in the order of `bodies`.

    Attributes:
        recording: the recording of the frames.
        path: its file.
        header: its metadata: precision, recorded data.
        numbers: indices of the frames in the recording.
    """

    def __init__(self, recording: Recording, numbers: range) -> None:
        self.recording = recording
        self.path: Path = recording.path
        self.header: dict[str, Any] = recording.header
        self.numbers = numbers

    # -- bodies and joints -------------------------------------------------------------------------------------------

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies that ever exist, oldest first."""
        return tuple(description["name"] for description in self.recording._ever.bodies.values())

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Names of all joints that ever exist, oldest first."""
        return tuple(description["name"] for description in self.recording._ever.joints.values())

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """Index of each body's number in `bodies`."""
        return _inverse(self.recording._ever.bodies)

    @cached_property
    def _joint_places(self) -> npt.NDArray[np.int64]:
        return _inverse(self.recording._ever.joints)

    def _places_of(
        self, places: npt.NDArray[np.int64], numbers: npt.NDArray[Any], least: int = 0
    ) -> npt.NDArray[np.int64]:
        """Indices of bodies or joints with these numbers; with `least` -1, that of the static world is -1."""
        wanted = numbers.astype(np.int64)
        known = (least <= wanted) & (wanted < len(places))
        found = np.append(places, -1)[np.where(known, wanted, -1)]
        unknown = wanted[(wanted >= 0) & (found < 0) | ~known]
        if len(unknown):
            raise RecordingError(self.path, "frames", f"they name a body or joint {unknown[0]} that does not exist")
        return np.asarray(found)

    def _require(self, what: str) -> None:
        if not self.recording.header[what]:
            raise RecordingError(self.path, "", f"it has no {what}", f"record with Recorder(..., {what}=True)")

    # -- frames ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.numbers)

    def _index(self, number: int) -> int:
        """One of these frames as a frame of the recording."""
        try:
            return self.numbers[index(number)]
        except IndexError:
            raise IndexError(f"{self.recording.path} has no frame {number}; there are {len(self)}") from None
        except TypeError:
            raise TypeError(
                f"a frame of {self.recording.path} is a whole number, or several are a slice, not {number!r}; the path of a body "
                'is recording.positions[:, recording.bodies.index("ball")]'
            ) from None

    @overload
    def __getitem__(self, number: int) -> Frame: ...

    @overload
    def __getitem__(self, number: slice) -> Frames: ...

    def __getitem__(self, number: int | slice) -> Frame | Frames:
        """A frame, or several of them."""
        if isinstance(number, slice):
            return Frames(self.recording, self.numbers[number])
        return Frame(self.recording, self._index(number))

    def __iter__(self) -> Iterator[Frame]:
        for number in self.numbers:
            yield Frame(self.recording, number)

    def frame_at(self, time: float) -> int:
        """The last frame at or before a time, s; the first one if there is none."""
        return max(int(np.searchsorted(self.times, time, side="right")) - 1, 0)

    # -- all frames at once ------------------------------------------------------------------------------------------

    def _portions(self) -> Iterator[tuple[Span, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Spans with some of these frames: the span, the indices of its frames, and their positions here."""
        recording = self.recording
        wanted = np.array(self.numbers, np.int64)
        owners = np.searchsorted(recording._firsts, wanted, side="right") - 1
        for number in np.unique(owners):
            places = np.flatnonzero(owners == number)
            yield recording._span(int(number)), wanted[places] - recording._firsts[int(number)], places

    @cached_property
    def times(self) -> Array:
        """Time, s, shape (frames,)."""
        out = np.zeros(len(self))
        for span, frames, places in self._portions():
            out[places] = span.times[frames]
        return out

    def _of_bodies(self, columns: slice) -> Array:
        cells = len(self) * len(self.bodies)
        if cells > MAX_CELLS and cells > SPARSE * sum(span.states_count for span, _, _ in self._portions()):
            raise RecordingError(
                self.path,
                "",
                f"an array of {len(self)} frames of {len(self.bodies)} bodies would be all but empty",
                "ask for fewer frames, such as recording[a:b], or for one after another",
            )
        out = np.full((len(self), len(self.bodies), columns.stop - columns.start), np.nan)
        for span, frames, places in self._portions():
            states = span.states
            for frame, place in zip(frames.tolist(), places.tolist(), strict=True):
                there = self._places_of(self._places, span.numbers(frame))
                out[place, there] = states[span.rows(frame), columns]
        return out

    def _of_body(self, place: int, columns: slice) -> Array:
        """Numbers of one body, decompressing only these: shape (frames, columns)."""
        number = list(self.recording._ever.bodies)[place]
        out = np.full((len(self), columns.stop - columns.start), np.nan)
        for span, frames, places in self._portions():
            for track in np.flatnonzero(span.bodies == number).tolist():
                there = (span.begins[track] <= frames) & (frames < span.ends[track])
                rows = span.starts[track] + frames[there] - span.begins[track]
                out[places[there]] = span.states[rows, columns]
        return out

    @property
    def positions(self) -> Array:
        """Positions, m, shape (frames, bodies, 3); nan where a body does not exist."""
        return self._of_bodies(slice(0, 3))

    @property
    def quaternions(self) -> Array:
        """Orientations as unit quaternions (w, x, y, z), shape (frames, bodies, 4)."""
        return self._of_bodies(slice(3, 7))

    @property
    def linear_velocities(self) -> Array:
        """Velocities, m/s, shape (frames, bodies, 3); ValueError if they were not recorded."""
        self._require("velocities")
        return self._of_bodies(slice(7, 10))

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities, rad/s, shape (frames, bodies, 3); ValueError if they were not recorded."""
        self._require("velocities")
        return self._of_bodies(slice(10, 13))

    @property
    def series(self) -> dict[str, Array]:
        """Numbers of the whole world over time, by name, shape (frames,): energies, momentum, contacts, and so on."""
        out = np.full((len(self), len(SERIES)), np.nan)
        for span, frames, places in self._portions():
            out[places] = span.series[frames]
        return {name: out[:, k] for k, name in enumerate(SERIES)}

    @property
    def channels(self) -> dict[str, Array]:
        """The user's channels by name, shape (frames, ...)."""
        shapes: dict[str, list[int]] = self.recording.header["channels"]
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        width = sum(sizes)
        portions = [(places, span.channels(width)[frames]) for span, frames, places in self._portions() if width]
        out = np.full((len(self), width), np.nan)
        for places, values in portions:
            out[places] = values
        parts = np.split(out, np.cumsum(sizes)[:-1], axis=1) if sizes else []
        return {name: part.reshape(-1, *shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    @property
    def joint_forces(self) -> Array:
        """Forces of joints, shape (frames, joints, 12); see `Frame.joint_forces`."""
        self._require("joint_forces")
        return np.array([frame.joint_forces for frame in self]).reshape(len(self), len(self.joints), 12)

    def contacts(self, frame: int) -> RecordedContacts:
        """The contacts of the step that led to a frame; ValueError if they were not recorded."""
        return Frame(self.recording, self._index(frame)).contacts

    # -- export ------------------------------------------------------------------------------------------------------

    def to_csv(self, path: str | Path, *, what: str = "bodies") -> None:
        """Write a CSV file: a line for each body in each frame, or with what="series" for each frame."""
        EXPORTS["csv"].export(self, Path(path), what=what)

    def to_npz(self, path: str | Path) -> None:
        """Write all arrays to a file for `numpy.load`."""
        EXPORTS["npz"].export(self, Path(path))

    def to_gltf(self, path: str | Path, *, fps: float = 30.0) -> None:
        """Write a binary glTF animation (.glb) of at most `fps` key frames a second, with the geoms as meshes."""
        EXPORTS["gltf"].export(self, Path(path), fps=fps)

    def __repr__(self) -> str:
        return f"<{count(len(self), 'frame')} of {str(self.recording.path)!r}>"


def _inverse(numbered: dict[int, Any]) -> npt.NDArray[np.int64]:
    """Index of each number among the keys, which are ascending."""
    out = np.full(max(numbered, default=-1) + 1, -1, np.int64)
    out[list(numbered)] = np.arange(len(numbered))
    return out
