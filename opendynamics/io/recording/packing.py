"""Arrays as bytes that zlib finds small.

    whole numbers  zigzag n -> 2n or -2n - 1, then planes: all lowest bytes, all second bytes, ...; a first byte says how
                   many planes there are
    other numbers  planes likewise, as many as a number has bytes

Residuals that are mostly small leave all but the lowest planes empty. zlib looks only for runs and codes the bytes by how
often they come (Z_RLE): to search noise for repetitions takes five times as long and saves nothing.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


def squeezed(data: bytes) -> bytes:
    """`data` as a zlib stream."""
    compressor = zlib.compressobj(1, zlib.DEFLATED, 15, 8, zlib.Z_RLE)
    return compressor.compress(data) + compressor.flush()


def packed_integers(values: Integers) -> bytes:
    """Whole numbers as planes."""
    flat = np.ascontiguousarray(values).reshape(-1)
    zigzag = ((flat << 1) ^ (flat >> 63)).astype("<u8")
    most = int(zigzag.max()) if len(zigzag) else 0
    width = (most.bit_length() + 7) // 8
    planes = zigzag.view(np.uint8).reshape(-1, 8)[:, :width].T
    return bytes([width]) + planes.tobytes()


def unpacked_integers(data: bytes, shape: tuple[int, ...]) -> Integers:
    """The inverse of `packed_integers`; ValueError if the bytes are not so many numbers."""
    count = int(np.prod(shape))
    width = data[0] if data else 9
    if width > 8 or len(data) != 1 + width * count:
        raise ValueError(f"{len(data)} bytes are not {count} numbers")
    zigzag = np.zeros((count, 8), np.uint8)
    zigzag[:, :width] = np.frombuffer(data, np.uint8, offset=1).reshape(width, count).T
    coded = zigzag.view("<u8").reshape(shape)
    halves, odd = (coded >> np.uint64(1)).astype(np.int64), (coded & np.uint64(1)).astype(np.int64)
    values: Integers = np.bitwise_xor(halves, -odd)
    return values


def packed_records(values: npt.NDArray[Any]) -> bytes:
    """Rows of any type as planes of their bytes."""
    flat = np.ascontiguousarray(values)
    return flat.view(np.uint8).reshape(len(flat), -1).T.tobytes() if flat.size else b""


def unpacked_records(data: bytes, dtype: Any, count: int) -> npt.NDArray[Any]:
    """The inverse of `packed_records`: `count` rows; ValueError if the bytes are not so many."""
    row = np.dtype(dtype)
    if len(data) != count * row.itemsize:
        raise ValueError(f"{len(data)} bytes are not {count} rows of {row.itemsize}")
    planes = np.frombuffer(data, np.uint8).reshape(row.itemsize, count)
    records: npt.NDArray[Any] = np.ascontiguousarray(planes.T).reshape(-1).view(row)[:count]
    return records
