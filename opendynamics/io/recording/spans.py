"""A span: consecutive frames of a recording, as the payload of one chunk.

    span     first frame (u64), frames (u32), tracks (u32), sections (u32), padding (u32), first and last time (f64),
             sections' heads, sections
    head     name (4 letters), length when unpacked (u32), length (u32)
    section  a zlib stream

A track is the presence of a body in the span: bodies may appear and disappear, and return in later frames. docs/recordings.md
describes the contents of the sections.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.files import Fail, located, unpack_zlib
from opendynamics.io.recording import packing
from opendynamics.io.recording.chunks import max_unpacked
from opendynamics.io.recording.coding import (
    SMALL,
    decode_orientations,
    decode_vectors,
    encode_orientations,
    encode_vectors,
)
from opendynamics.io.recording.gathering import TOUCH
from opendynamics.io.recording.packing import squeezed

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

HEAD = struct.Struct("<QIIIIdd")
SECTION = struct.Struct("<4sII")

TRACK = np.dtype([("body", "<u4"), ("first", "<u4"), ("end", "<u4")])
SWITCH = np.dtype([("place", "<u4"), ("number", "u1")])
REACTION = np.dtype([("joint", "<u4"), ("forces", "<f4", (12,))])

# A span of n bytes has at most MAX_STATES + n frames of tracks, n / 2 frames, and n tracks.
MAX_STATES = 1 << 19

# Columns of a frame's numbers of the whole world.
SERIES = (
    *("kinetic", "potential", "momentum_x", "momentum_y", "momentum_z"),
    *("angular_momentum_x", "angular_momentum_y", "angular_momentum_z"),
    *("contacts", "deepest", "islands", "rows", "iterations", "residual"),
    *("collide_seconds", "constrain_seconds", "solve_seconds", "move_seconds"),
)


@dataclass(frozen=True)
class Precision:
    """Sizes of a quantum: of positions, m; of velocities, m/s and rad/s; and quanta in a quaternion's length."""

    position_step: float
    orientation_scale: float
    velocity_step: float

    @property
    def orientation_tolerance(self) -> float:
        """Maximum error of an orientation, rad."""
        return (sqrt(3.0) / SMALL + 1.0) / self.orientation_scale

    @staticmethod
    def orientation_scale_for(tolerance: float) -> float:
        """Quanta in a quaternion's length, so that no orientation is off by more than `tolerance` rad."""
        return float(min(ceil((sqrt(3.0) / SMALL + 1.0) / tolerance), 1 << 26))


@dataclass
class Moment:
    """Data captured at one moment.

    Attributes:
        numbers: of the bodies, ascending, shape (n,).
        states: position 3, quaternion 4, optionally velocity 3 and angular velocity 3, shape (n, 7) or (n, 13).
        flags: bits of each body, shape (n,).
        series: as named by SERIES.
        touches: contacts; None if they are not recorded. reactions: of joints, likewise.
        channels: all numbers of all channels.
    """

    time: float
    numbers: Indices
    states: Floats
    flags: npt.NDArray[np.uint8]
    series: Floats
    touches: Array | None = None
    reactions: Array | None = None
    channels: Floats = field(default_factory=lambda: np.zeros(0))


def pack_span(first: int, moments: Sequence[Moment], precision: Precision) -> bytes:
    """The payload of a chunk with these moments, which are frames `first`, `first` + 1, ..."""
    tracks, rows, starts = _tracks(moments)
    states = np.concatenate([moment.states for moment in moments])
    flags = np.concatenate([moment.flags for moment in moments])[rows]
    sections = {
        b"TIME": np.array([moment.time for moment in moments], "<f8").tobytes(),
        b"TRAK": packing.packed_records(tracks),
        b"FLAG": packing.packed_records(_differences(flags, starts)),
        b"SERI": packing.packed_records(np.array([moment.series for moment in moments], "<f8")),
        b"CHAN": packing.packed_records(np.array([moment.channels for moment in moments], "<f8")),
    }
    sections |= _packed_vectors(b"P", states, slice(0, 3), 2, rows, starts, precision.position_step)
    sections |= _packed_orientations(states, rows, starts, precision.orientation_scale)
    if states.shape[1] > 7:
        sections |= _packed_vectors(b"V", states, slice(7, 13), 1, rows, starts, precision.velocity_step)
    for name, lists in (
        (b"CONT", [moment.touches for moment in moments]),
        (b"JFOR", [moment.reactions for moment in moments]),
    ):
        if lists[0] is not None:
            sections |= {name: _packed_lists([part for part in lists if part is not None])}
    head = HEAD.pack(first, len(moments), len(tracks), len(sections), 0, moments[0].time, moments[-1].time)
    streams = [(name, len(data), squeezed(data)) for name, data in sections.items()]
    heads = b"".join(SECTION.pack(name, length, len(stream)) for name, length, stream in streams)
    return head + heads + b"".join(stream for _, _, stream in streams)


def _tracks(moments: Sequence[Moment]) -> tuple[Array, Indices, Indices]:
    """Tracks of bodies; the rows of the moments' states, concatenated track by track; first rows of the tracks."""
    frames, same = len(moments), moments[0].numbers
    if all(moment.numbers is same for moment in moments):
        tracks = np.zeros(len(same), TRACK)
        tracks["body"], tracks["end"] = same, frames
        rows = np.arange(frames * len(same)).reshape(frames, -1).T.reshape(-1)
        return tracks, np.ascontiguousarray(rows), np.arange(len(same) + 1) * frames
    counts = [len(moment.numbers) for moment in moments]
    numbers = np.concatenate([moment.numbers for moment in moments])
    frame = np.repeat(np.arange(frames), counts)
    rows = np.argsort(numbers, kind="stable")
    bodies, starts, lengths = np.unique(numbers[rows], return_index=True, return_counts=True)
    tracks = np.zeros(len(bodies), TRACK)
    tracks["body"], tracks["first"] = bodies, frame[rows[starts]]
    tracks["end"] = tracks["first"] + lengths
    return tracks, rows, np.append(starts, len(rows)).astype(np.int64)


def _packed_vectors(
    letter: bytes, states: Floats, columns: slice, order: int, rows: Indices, starts: Indices, step: float
) -> dict[bytes, bytes]:
    width = columns.stop - columns.start
    keys, residuals = np.zeros((len(starts) - 1, width), np.int64), np.zeros((width, _later(starts)), np.int64)
    encode_vectors(states, columns.start, order, rows, starts, step, keys, residuals, np.zeros((2, width), np.int64))
    names = letter + b"KEY", letter + b"RES"
    return {names[0]: packing.packed_integers(keys.T), names[1]: packing.packed_folded(residuals)}


def _packed_orientations(states: Floats, rows: Indices, starts: Indices, scale: float) -> dict[bytes, bytes]:
    keys, residuals = np.zeros((len(starts) - 1, 4), np.int64), np.zeros((3, _later(starts)), np.int64)
    found, work = np.zeros((_later(starts), 2), np.int64), np.zeros((3, 4), np.int64)
    count = encode_orientations(states, 3, rows, starts, scale, keys, residuals, found, work)
    switches = np.zeros(count, SWITCH)
    switches["place"], switches["number"] = found[:count].T
    return {
        b"QKEY": packing.packed_integers(keys.T),
        b"QRES": packing.packed_folded(residuals),
        b"QSWI": packing.packed_records(switches),
    }


def _later(starts: Indices) -> int:
    """Number of frames of tracks after their first."""
    return int(starts[-1]) - (len(starts) - 1)


def _differences(flags: npt.NDArray[np.uint8], starts: Indices) -> npt.NDArray[np.uint8]:
    """Bits that differ from the previous frame; for the first frame of a track, all that are set."""
    if not len(flags):
        return flags
    changed = flags.copy()
    changed[1:] ^= flags[:-1]
    changed[starts[:-1]] = flags[starts[:-1]]
    return changed


def _packed_lists(lists: list[Array]) -> bytes:
    """Lengths of the frames' lists (u32), then all their rows."""
    counts = np.array([len(part) for part in lists], "<u4")
    return counts.tobytes() + packing.packed_records(np.concatenate(lists))


class Span:
    """A span that was read; its sections are decompressed on demand. `fail` creates the errors of its chunk."""

    def __init__(self, payload: bytes, precision: Precision, velocities: bool, fail: Fail) -> None:
        self._payload, self._velocities, self._fail = payload, velocities, fail
        self.first, self.frames, self._track_count, count = head_of(payload, len(payload), fail)
        self.precision = precision
        self._sections = self._listed(count)
        self._lists: dict[bytes, tuple[Indices, Array]] = {}  # decompressed: the end of each frame's, and all
        tracks = self._records(b"TRAK", TRACK, self._track_count)
        self.bodies = tracks["body"].astype(np.int64)
        self.begins, self.ends = tracks["first"].astype(np.int64), tracks["end"].astype(np.int64)
        if not ((self.begins < self.ends) & (self.ends <= self.frames)).all():
            raise fail(
                "section TRAK", f"bodies appear or disappear at frames that do not exist: the span has {self.frames}"
            )
        self.starts = np.concatenate([[0], np.cumsum(self.ends - self.begins)]).astype(np.int64)
        if self.states_count > MAX_STATES + len(payload):
            raise fail("section TRAK", f"{self.states_count} states in {len(payload)} bytes are too many")

    @property
    def states_count(self) -> int:
        """Total number of frames of all tracks."""
        return int(self.starts[-1])

    def _listed(self, count: int) -> dict[bytes, tuple[int, int, int]]:
        """Locations of the sections: offset, length, and decompressed length, by name."""
        found: dict[bytes, tuple[int, int, int]] = {}
        at = HEAD.size + count * SECTION.size
        for k in range(count):
            name, raw, length = SECTION.unpack_from(self._payload, HEAD.size + k * SECTION.size)
            if at + length > len(self._payload) or raw > max_unpacked(length):
                raise self._fail(
                    f"head of section {k}",
                    f"a section of {length} bytes, {raw} unpacked, at byte {at} of {len(self._payload)}",
                )
            found[name] = (at, length, raw)
            at += length
        return found

    def _unpack(self, name: bytes) -> bytes:
        place = f"section {name.decode()}"
        if name not in self._sections:
            raise self._fail(place, "there is none")
        at, length, raw = self._sections[name]
        data = unpack_zlib(self._payload[at : at + length], raw, self._fail, place)
        if len(data) != raw:
            raise self._fail(place, f"it has {len(data)} bytes instead of {raw}")
        return data

    def _records(self, name: bytes, dtype: Any, count: int | None = None) -> Array:
        """The rows of a section; without `count`, as many as there are."""
        data = self._unpack(name)
        with located(self._fail, f"section {name.decode()}"):
            return packing.unpacked_records(
                data, dtype, len(data) // np.dtype(dtype).itemsize if count is None else count
            )

    def _integers(self, name: bytes, shape: tuple[int, int], *, folded: bool) -> Indices:
        data = self._unpack(name)
        with located(self._fail, f"section {name.decode()}"):
            return (packing.unpacked_folded if folded else packing.unpacked_integers)(data, shape)

    @cached_property
    def times(self) -> Floats:
        """Time of each frame, s."""
        data = self._unpack(b"TIME")
        if len(data) != 8 * self.frames:
            raise self._fail("section TIME", f"{len(data)} bytes are not the times of {self.frames} frames")
        times: Floats = np.frombuffer(data, "<f8").copy()
        if not np.isfinite(times).all():
            raise self._fail("section TIME", "a time is not finite")
        return times

    @cached_property
    def states(self) -> Floats:
        """Position 3, quaternion 4 and, if recorded, velocity 3 and angular velocity 3, track by track."""
        out = np.zeros((self.states_count, 13 if self._velocities else 7))
        self._decode_vectors(b"P", 3, 2, self.precision.position_step, out, 0)
        keys, residuals = self._coded(b"QKEY", 4, b"QRES", 3)
        found = self._records(b"QSWI", SWITCH)
        switches = np.column_stack([found["place"], found["number"]]).astype(np.int64)
        scale, work = self.precision.orientation_scale, np.zeros((3, 4), np.int64)
        decode_orientations(keys, residuals, switches, self.starts, scale, work, out, 3)
        if self._velocities:
            self._decode_vectors(b"V", 6, 1, self.precision.velocity_step, out, 7)
        return out

    def _coded(self, keys: bytes, columns: int, residuals: bytes, coded: int) -> tuple[Indices, Indices]:
        """The keys, a row for each track, and the residuals, a column for each later frame."""
        first = self._integers(keys, (columns, self._track_count), folded=False)
        return np.ascontiguousarray(first.T), self._integers(residuals, (coded, _later(self.starts)), folded=True)

    def _decode_vectors(self, letter: bytes, width: int, order: int, step: float, out: Floats, column: int) -> None:
        keys, residuals = self._coded(letter + b"KEY", width, letter + b"RES", width)
        decode_vectors(keys, residuals, order, self.starts, step, out, column)

    def rows(self, frame: int) -> Indices:
        """The rows of `states` and `flags` of a frame (counted in the span), by the bodies' numbers."""
        there = (self.begins <= frame) & (frame < self.ends)
        return (self.starts[:-1] + frame - self.begins)[there]

    def numbers(self, frame: int) -> Indices:
        """The bodies' numbers in a frame, ascending."""
        return self.bodies[(self.begins <= frame) & (frame < self.ends)]

    @cached_property
    def flags(self) -> npt.NDArray[np.uint8]:
        """Bits of each body, track by track."""
        changed = self._records(b"FLAG", np.uint8, self.states_count).copy()
        for start, end in zip(self.starts[:-1], self.starts[1:], strict=True):
            changed[start:end] = np.bitwise_xor.accumulate(changed[start:end])
        return changed

    @property
    def series(self) -> Floats:
        """Numbers of the whole world, shape (frames, len(SERIES))."""
        found = self._columns(b"SERI")
        if found.shape[1] < len(SERIES):
            raise self._fail("section SERI", f"{found.shape[1]} numbers for each frame; there must be {len(SERIES)}")
        return found[:, : len(SERIES)]

    def channels(self, width: int) -> Floats:
        """Numbers of all channels, `width` for each frame, shape (frames, width)."""
        found = self._columns(b"CHAN")
        if found.shape[1] != width:
            raise self._fail("section CHAN", f"{found.shape[1]} numbers for each frame; the header says {width}")
        return found

    def _columns(self, name: bytes) -> Floats:
        data = self._unpack(name)
        width = len(data) // 8 // self.frames
        with located(self._fail, f"section {name.decode()}"):
            rows = packing.unpacked_records(data, f"V{8 * width}", self.frames) if data else np.zeros(0)
        return rows.view("<f8").reshape(self.frames, width)

    def touches(self, frame: int) -> Array:
        """Contacts of a frame."""
        return self._list(b"CONT", TOUCH, frame)

    def reactions(self, frame: int) -> Array:
        """Forces of joints in a frame."""
        return self._list(b"JFOR", REACTION, frame)

    def _list(self, name: bytes, dtype: Any, frame: int) -> Array:
        if name not in self._lists:
            data = self._unpack(name)
            with located(self._fail, f"section {name.decode()}"):
                ends = np.cumsum(np.frombuffer(data, "<u4", self.frames).astype(np.int64))
                self._lists[name] = ends, packing.unpacked_records(data[4 * self.frames :], dtype, int(ends[-1]))
        ends, rows = self._lists[name]
        return rows[ends[frame - 1] if frame else 0 : ends[frame]]


def head_of(payload: bytes, length: int, fail: Fail) -> tuple[int, int, int, int]:
    """First frame, and numbers of frames, tracks and sections, of a span of `length` bytes that starts with `payload`."""
    if len(payload) < HEAD.size:
        raise fail("", f"a span of {length} bytes is too short")
    first, frames, tracks, count = HEAD.unpack_from(payload)[:4]
    if not 1 <= frames <= length // 2 or tracks > length or HEAD.size + count * SECTION.size > length:
        raise fail("byte 8", f"{frames} frames, {tracks} tracks and {count} sections in a span of {length} bytes")
    return first, frames, tracks, count
