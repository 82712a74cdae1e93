"""Recording: reads the file of a Recorder, frame by frame."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.describing import count
from opendynamics.api.files import located, parse_json, unpack_zlib
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.warning import warn
from opendynamics.api.world import World
from opendynamics.io.recording import chunks
from opendynamics.io.recording.arrays import unpacked_array
from opendynamics.io.recording.chunks import ChunkFile, Place, RecordingError, max_memory, max_unpacked
from opendynamics.io.recording.frame import Frames
from opendynamics.io.recording.recorder import FORMAT, RecordingWarning
from opendynamics.io.recording.replay import Replay
from opendynamics.io.recording.resuming import SNAP, ResumePoints, resume
from opendynamics.io.recording.schema import HEADER, Descriptions
from opendynamics.io.recording.shapes import build
from opendynamics.io.recording.spans import HEAD, MAX_STATES, Precision, Span, head_of
from opendynamics.io.recording.watching import Changes, Structure
from opendynamics.io.schema import require, whole

# Spans that are kept decompressed for scrubbing: this many, with at most MAX_STATES states in total.
KEPT = 4


@explain_calls
class Recording(Frames):
    """A recording: `od.Recording("run.odr")`.

        recording = od.Recording("run.odr")
        recording.times, recording.positions        # (frames,), (frames, bodies, 3)
        recording[100].positions                    # one frame
        recording[100:200:10]                       # some frames, with the same properties
        world = recording.world()                   # a World with the same bodies, geoms and joints
        recording.put(world, 250)                   # ... as they were in frame 250

    Only requested data is read. RecordingError, a ValueError that names the chunk or frame, if the file is not a recording,
    is damaged, or of a newer version, here or when the damage is read; a RecordingWarning if it was not closed, or is
    truncated: it can be read up to there.
    """

    def __init__(self, path: str | Path) -> None:
        self.path: Path = Path(path)
        self._file = ChunkFile(self.path)
        try:
            self.header: dict[str, Any] = self._read_header()
            self._read_chunks()
        except BaseException:
            self._file.close()
            raise
        self._kept: OrderedDict[int, Span] = OrderedDict()
        self._replays: dict[World, Replay] = {}
        super().__init__(self, range(self._count))
        self._warn_if_cut_off()

    def _read_header(self) -> dict[str, Any]:
        places = self._file.places
        if not places or places[0].kind != chunks.HEADER:
            raise RecordingError(
                self.path,
                f"byte {len(chunks.MAGIC)}",
                "it is cut off before its first frame, or still being recorded: close its recorder first",
            )
        fail = self._file.fail_in(places[0])
        data = self._file.read(places[0], "the words of the header")
        header: dict[str, Any] = parse_json(data, max_memory(len(data)), fail)
        require(header, {"format": whole(0, chunks.MOST)}, fail)
        if header["format"] > FORMAT:
            raise fail(
                "format",
                f"{self.path} has format {header['format']} and was written by "
                f"{header.get('program', 'a newer version')}; this version reads up to {FORMAT}",
                "pip install --upgrade opendynamics",
            )
        require(header, HEADER, fail)
        self._precision = Precision(
            *(float(header[k]) for k in ("position_step", "orientation_scale", "velocity_step"))
        )
        return header

    def _read_chunks(self) -> None:
        """Read everything except the frames, and their locations."""
        self._arrays: dict[int, Place] = {}
        self._changes: list[tuple[int, Changes]] = []
        self._spans: list[Place] = []
        self._firsts: list[int] = []
        self._count, self.closed = 0, False
        self._points = ResumePoints()
        descriptions = Descriptions()
        for place in self._file.places[1:]:
            if place.kind == chunks.ARRAY:
                self._arrays[int.from_bytes(self._file.peek(place, 4), "little")] = place
            elif place.kind == chunks.STRUCTURE:
                description = self._json(place)
                descriptions.require(description, self._file.fail_in(place))
                self._changes.append((description.pop("frame"), description))
            elif place.kind == chunks.FRAMES:
                fail = self._file.fail_in(place)
                first, frames = head_of(self._file.peek(place, HEAD.size), place.length, fail)[:2]
                while self._firsts and self._firsts[-1] >= first:  # written again, after Ctrl-C in between
                    self._spans.pop()
                    self._count = self._firsts.pop()
                if first != self._count:
                    raise fail("byte 0", f"frame {self._count} is followed by frame {first}")
                self._spans.append(place)
                self._firsts.append(first)
                self._count += frames
            elif place.kind == chunks.SNAPSHOT:
                self._points.add_snapshot(place, self._file.peek(place, SNAP.size), self._file.fail_in(place))
            elif place.kind == chunks.STEPS:
                self._points.add_steps(self._file.read(place, "the steps"), self._file.fail_in(place))
            elif place.kind == chunks.END:
                self.closed = True

    def _json(self, place: Place) -> dict[str, Any]:
        fail = self._file.fail_in(place)
        packed = self._file.read(place, "descriptions of bodies, geoms and joints")
        text = unpack_zlib(packed, max_unpacked(len(packed)), fail, "stream")
        description: dict[str, Any] = parse_json(text, max_memory(len(packed)), fail)
        return description

    def _warn_if_cut_off(self) -> None:
        if self.closed:
            return
        lost = self._file.size - self._file.good
        until = f"{self._count} frames, up to {self.times[-1]:g} s," if self._count else "no frames"
        rest = f"; {lost} bytes at its end are cut off or damaged" if lost else ""
        warn(
            f"{self.path} was not closed: it is still being recorded, or its program was killed{rest}. {until} can be "
            "read; what was captured after them is lost",
            RecordingWarning,
        )

    # -- for other modules -------------------------------------------------------------------------------------------

    def _span(self, number: int) -> Span:
        """A span by its index, decompressed."""
        if number in self._kept:
            self._kept.move_to_end(number)
            return self._kept[number]
        first, end = self._firsts[number], [*self._firsts, self._count][number + 1]
        place = self._spans[number]
        payload = self._file.read(place, f"the frames {first} to {end - 1}")
        span = self._kept[number] = Span(payload, self._precision, self.header["velocities"], self._file.fail_in(place))
        while len(self._kept) > KEPT or (len(self._kept) > 1 and self._kept_states() > MAX_STATES):
            self._kept.popitem(last=False)
        return span

    def _kept_states(self) -> int:
        return sum(span.states_count for span in self._kept.values())

    def _span_of(self, frame: int) -> tuple[Span, int]:
        """The span with a frame, and the frame's index in it."""
        number = bisect_right(self._firsts, frame) - 1
        return self._span(number), frame - self._firsts[number]

    def _array(self, number: int) -> npt.NDArray[Any]:
        """An array that defines a shape."""
        if number not in self._arrays:
            raise RecordingError(self.path, f"array {number}", "it is missing")
        place = self._arrays[number]
        return unpacked_array(self._file.read(place, f"the numbers of array {number}"), self._file.fail_in(place))[1]

    def _geom(self, description: dict[str, Any], meshes: dict[Any, Any]) -> Geom:
        """A geom from its description, at the origin. `meshes` caches shared data."""
        with self._located(f"geom {description['id']}"):
            checks.rotation("its rotation", description["rotation"])
            geom = build(description, self._array, meshes)
            geom.color = description.get("color")
            return geom

    def _located(self, place: str) -> AbstractContextManager[None]:
        """Report errors caused by descriptions as errors of the recording."""
        return located(partial(RecordingError, self.path), place)

    def _changes_between(self, after: int, until: int) -> list[Changes]:
        """Changes of the frames `after` + 1 to `until`."""
        return [changes for frame, changes in self._changes if after < frame <= until]

    def _structure_at(self, frame: int) -> Structure:
        """The objects of a frame."""
        return Structure().after(self._changes_between(-1, frame))

    def _structures(self, first: int, last: int) -> Iterator[tuple[int, Structure]]:
        """The objects from each frame on in which they change, up to the last one."""
        structure = self._structure_at(first)
        yield first, structure
        for frame, changes in self._changes:
            if first < frame <= last:
                structure = structure.after([changes])
                yield frame, structure

    @cached_property
    def _ever(self) -> Structure:
        """All objects up to the last frame, in their last form."""
        changes = self._changes_between(-1, self._count - 1)
        return Structure().after(
            [{sort: items | {"remove": []} for sort, items in change.items()} for change in changes]
        )

    # -- replay ------------------------------------------------------------------------------------------------------

    def world(self, frame: int = 0) -> World:
        """A World with the bodies, geoms and joints of a frame in their poses. `put` shows any other frame.

        Names, masses, shapes and poses are those of the recording; materials, motors and settings those of a new world.
        """
        replay = Replay(self)
        if self._count:
            replay.put(self._index(frame))
        self._replays[replay.world] = replay
        return replay.world

    def put(self, world: World, frame: int) -> None:
        """Show a frame in a world created by `world()`: poses, velocities if recorded, existing and sleeping objects.

        Bodies, geoms and joints that exist in both frames remain the same objects.
        """
        if world not in self._replays:
            raise ValueError(f"{world.name} was not made by this recording; make one with recording.world()")
        self._replays[world].put(self._index(frame))

    # -- resuming ----------------------------------------------------------------------------------------------------

    @property
    def snapshot_times(self) -> list[float]:
        """Times of the snapshots, s; see `Recorder(..., snapshots=...)`."""
        return self._points.times

    def resume(self, time: float, *, trust: bool = False) -> World:
        """The recorded world itself at `time` s, which continues as recorded, to the last bit.

        It is loaded from the last snapshot before, and makes the remaining steps with `world.advance`. Forces, motors and
        contacts that the program set in between are not in the file: then only the times of snapshots can be resumed, and
        other times raise a ValueError.

        Args:
            time: s; `snapshot_times` are the fastest.
            trust: as for `Snapshot.read`.
        """
        return resume(self, checks.finite("the time to resume at", time), trust)

    @property
    def orientation_tolerance(self) -> float:
        """Maximum error of an orientation, rad; positions are off by at most half of header["position_step"]."""
        return self._precision.orientation_tolerance

    @cached_property
    def _shown(self) -> World:
        return self.world()

    def show(self, frame: int) -> World:
        """The recording's own World, showing a frame, for viewers and renderers."""
        world = self._shown
        self.put(world, frame)
        return world

    # -- the file ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._kept.clear()

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Recording {str(self.path)!r}: {count(self._count, 'frame')}, {count(len(self.bodies), 'body')}>"

    def _repr_html_(self) -> str:
        """A picture of the last frame, for notebooks."""
        from opendynamics.viewer.pictures.notebook import picture_page

        if self._file.is_closed or not self._count:
            return picture_page(self, None)
        replay = Replay(self)
        replay.put(self._count - 1)
        return picture_page(self, replay.world)
