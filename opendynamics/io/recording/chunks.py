"""The file as a sequence of chunks: bytes without meaning.

    file   MAGIC, chunk, chunk, ...
    chunk  kind (4 letters), length of the payload (u32), CRC-32 of kind, length and payload (u32), payload

All numbers are little-endian. A chunk is written by one call: a killed program leaves complete chunks and at most one
truncated one, which its length and its checksum reveal. The decompressed size of a stream is limited by its length.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from opendynamics.api.files import Fail, FileError, require_file

# As in PNG: the first byte and the line ends reveal transfers that change text or clear the eighth bit.
MAGIC = b"\x89ODR\r\n\x1a\n"
HEAD = struct.Struct("<4sII")
MOST = (1 << 32) - 1

# Kinds of chunks.
HEADER, ARRAY, STRUCTURE, FRAMES, END = b"HEAD", b"ARRY", b"STRU", b"FRAM", b"ENDE"
SNAPSHOT, STEPS = b"SNAP", b"STEP"


# A stream of n bytes expands to at most UNPACKED + MAX_RATIO n bytes, and JSON takes at most MEMORY + 4 MAX_RATIO n.
# Writers store data that zlib would compress further than that.
UNPACKED, MEMORY, MAX_RATIO = 1 << 25, 1 << 26, 16


class RecordingError(FileError):
    """A recording cannot be read: names the file, the chunk or frame, and the problem."""


def max_unpacked(length: int) -> int:
    """Limit of the decompressed size of a stream of `length` bytes."""
    return UNPACKED + MAX_RATIO * length


def max_memory(length: int) -> int:
    """Limit of the memory for JSON that is compressed to `length` bytes."""
    return MEMORY + 4 * MAX_RATIO * length


def checksum(kind: bytes, payload: bytes) -> int:
    """CRC-32 of a chunk."""
    return zlib.crc32(payload, zlib.crc32(struct.pack("<4sI", kind, len(payload))))


def packed(kind: bytes, payload: bytes) -> bytes:
    """A chunk as bytes."""
    if len(payload) > MOST:
        raise ValueError(f"a chunk of {len(payload)} bytes is too large for a recording; at most {MOST} are possible")
    return HEAD.pack(kind, len(payload), checksum(kind, payload)) + payload


@dataclass(frozen=True)
class Place:
    """Location of a chunk: its kind, offset and length of its payload, and its checksum."""

    kind: bytes
    start: int
    length: int
    crc: int


class ChunkFile:
    """A file of chunks, read without loading all of it into memory.

    `good` is the end of the last complete chunk: anything beyond is truncated, or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        require_file(path, "a recording")
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
            if start != MAGIC:
                raise RecordingError(path, "byte 0", f"it is not a recording of opendynamics: {_what_else(start)}")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.size = len(self._map)
        self.places = tuple(self._scan())
        self.good = self.places[-1].start + self.places[-1].length if self.places else len(MAGIC)

    def _scan(self) -> Iterator[Place]:
        """The chunks up to the first incomplete one; the last one is checked for damage."""
        at, found = len(MAGIC), None
        while at + HEAD.size <= self.size:
            kind, length, crc = HEAD.unpack_from(self._map, at)
            place = Place(kind, at + HEAD.size, length, crc)
            if not kind.isalpha() or place.start + length > self.size:
                break
            if found is not None:
                yield found
            found, at = place, place.start + length
        if found is not None and self._is_sound(found):
            yield found

    def _is_sound(self, place: Place) -> bool:
        return checksum(place.kind, self._map[place.start : place.start + place.length]) == place.crc

    def read(self, place: Place, what: str) -> bytes:
        """A chunk's payload; RecordingError if it is damaged. `what` is for the message."""
        payload = self._map[place.start : place.start + place.length]
        if checksum(place.kind, payload) != place.crc:
            problem = f"{what} of the recording are damaged: the checksum differs"
            raise self.fail_in(place)("", problem, "the rest can still be read")
        return payload

    def fail_in(self, place: Place) -> Fail:
        """Creates errors of a chunk; their place is one in it, such as a section or a key."""
        return partial(_error, self.path, f"chunk {place.kind.decode()} at byte {place.start - HEAD.size}")

    def peek(self, place: Place, length: int) -> bytes:
        """The beginning of a chunk's payload, unchecked."""
        return self._map[place.start : place.start + min(length, place.length)]

    @property
    def is_closed(self) -> bool:
        """Whether the file is closed."""
        return self._map.closed

    def close(self) -> None:
        """Close the file."""
        self._map.close()


def _error(path: Path, chunk: str, place: str, problem: str, remedy: str = "") -> RecordingError:
    return RecordingError(path, f"{chunk}, {place}" if place else chunk, problem, remedy)


def _what_else(start: bytes) -> str:
    if not start:
        return "it is empty"
    if len(start) < len(MAGIC) and MAGIC.startswith(start):
        return "it ends within its first eight bytes"
    if start[1:4] == MAGIC[1:4]:
        return "a transfer as text has changed its line ends; copy it as binary data"
    return f"it begins with {start!r}, not with {MAGIC!r}"


def write_whole(file: Any, data: bytes) -> None:
    """Write all of `data` to an unbuffered file, or raise OSError."""
    view = memoryview(data)
    while view:
        done = file.write(view)
        if not done:
            raise OSError("the file takes no more bytes")
        view = view[done:]
