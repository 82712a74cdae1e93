"""Arrays of numbers that define shapes: each is stored once.

payload  number (u32), type ("d" or "q", one byte), dimensions (one byte), padding (u16), shape (u32 each), zlib stream
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.files import Fail, located, quoted, unpack_zlib
from opendynamics.io.recording import chunks
from opendynamics.io.recording.packing import packed_records, squeezed, unpacked_records

HEAD = struct.Struct("<IcBH")
TYPES = {b"d": "<f8", b"q": "<i8"}


class ArrayKeeper:
    """Numbers the arrays, and has new ones written."""

    def __init__(self, write: Callable[[bytes, bytes], None]) -> None:
        self._write = write
        self._numbers: dict[bytes, int] = {}

    def put(self, array: npt.NDArray[Any]) -> int:
        """The number of an array with these contents."""
        letter = b"q" if array.dtype.kind in "iu" else b"d"
        data = np.ascontiguousarray(array, TYPES[letter])
        key = hashlib.sha256(letter + repr(data.shape).encode() + data.tobytes()).digest()
        if key not in self._numbers:
            number = self._numbers[key] = len(self._numbers)
            shape = struct.pack(f"<{data.ndim}I", *data.shape)
            stream = squeezed(packed_records(data.reshape(-1)))
            self._write(chunks.ARRAY, HEAD.pack(number, letter, data.ndim, 0) + shape + stream)
        return self._numbers[key]


def unpacked_array(payload: bytes, fail: Fail) -> tuple[int, npt.NDArray[Any]]:
    """Number and contents of an array; `fail` if the bytes are invalid."""
    try:
        number, letter, dimensions, _ = HEAD.unpack_from(payload)
        shape = struct.unpack_from(f"<{dimensions}I", payload, HEAD.size)
    except struct.error as error:
        raise fail("", f"it ends within the head of an array: {error}") from None
    if letter not in TYPES:
        raise fail("byte 4", f"numbers of the type {letter!r}; there are {', '.join(map(repr, TYPES))}")
    stream = payload[HEAD.size + 4 * dimensions :]
    count = prod(shape)
    if 8 * count > chunks.max_unpacked(len(stream)):
        raise fail("byte 8", f"an array of shape {quoted(str(shape))} in {len(stream)} bytes")
    data = unpack_zlib(stream, 8 * count, fail, "stream")
    with located(fail, "stream"):
        return number, unpacked_records(data, TYPES[letter], count).reshape(shape)
