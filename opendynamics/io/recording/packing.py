"""Arrays as bytes that zlib compresses well.

    whole numbers  zigzag n -> 2n or -2n - 1, then planes: all lowest bytes, all second bytes, ...; a first byte says how
                   many planes there are
    other numbers  planes likewise, as many as a number has bytes

Residuals that are mostly small leave all but the lowest planes empty. zlib only searches for runs and codes the bytes by
frequency (Z_RLE): searching noise for repetitions takes five times as long and saves nothing.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.io.recording.chunks import max_unpacked

Integers = npt.NDArray[np.int64]

# Bytes of the smallest type for this many values.
WIDTHS = (1, 1, 2, 4, 4, 8, 8, 8, 8)


def squeezed(data: bytes) -> bytes:
    """`data` as a zlib stream; stored, not compressed, where readers would reject so small a stream."""
    compressor = zlib.compressobj(1, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
    stream = compressor.compress(data) + compressor.flush()
    return stream if len(data) <= max_unpacked(len(stream)) else zlib.compress(data, 0)


def packed_integers(values: Integers) -> bytes:
    """Signed integers as planes."""
    return packed_folded((values << 1) ^ (values >> 63))


def packed_folded(values: Integers) -> bytes:
    """Integers from 0 on as planes."""
    flat = np.ascontiguousarray(values).reshape(-1)
    most = int(flat.max()) if len(flat) else 0
    width = (most.bit_length() + 7) // 8
    narrow = flat.astype(np.dtype(f"<u{WIDTHS[width]}"))
    planes = narrow.view(np.uint8).reshape(len(flat), WIDTHS[width])[:, :width].T
    return bytes([width]) + planes.tobytes()


def unpacked_integers(data: bytes, shape: tuple[int, ...]) -> Integers:
    """The inverse of `packed_integers`; ValueError if the bytes have the wrong length."""
    folded = unpacked_folded(data, shape)
    values: Integers = (folded >> 1) ^ -(folded & 1)
    return values


def unpacked_folded(data: bytes, shape: tuple[int, ...]) -> Integers:
    """The inverse of `packed_folded`; ValueError if the bytes have the wrong length."""
    count = int(np.prod(shape))
    width = data[0] if data else 9
    if width > 8 or len(data) != 1 + width * count:
        raise ValueError(f"{len(data)} bytes are not {count} numbers")
    flat = np.zeros((count, 8), np.uint8)
    flat[:, :width] = np.frombuffer(data, np.uint8, offset=1).reshape(width, count).T
    values: Integers = flat.view("<i8").reshape(shape)
    return values


def packed_records(values: npt.NDArray[Any]) -> bytes:
    """Rows of any type as planes of their bytes."""
    flat = np.ascontiguousarray(values)
    return flat.view(np.uint8).reshape(len(flat), -1).T.tobytes() if flat.size else b""


def unpacked_records(data: bytes, dtype: Any, count: int) -> npt.NDArray[Any]:
    """The inverse of `packed_records`: `count` rows; ValueError if the bytes have the wrong length."""
    row = np.dtype(dtype)
    if len(data) != count * row.itemsize:
        raise ValueError(f"{len(data)} bytes are not {count} rows of {row.itemsize}")
    planes = np.frombuffer(data, np.uint8).reshape(row.itemsize, count)
    records: npt.NDArray[Any] = np.ascontiguousarray(planes.T).reshape(-1).view(row)[:count]
    return records
