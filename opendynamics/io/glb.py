"""Binary glTF 2.0 files: numbers in one buffer, and JSON that describes them.

    file   "glTF", version 2, length; chunk JSON; chunk BIN
    chunk  length (u32, a multiple of 4), kind (u32), bytes

Source: the glTF 2.0 specification of the Khronos Group, sections 3.6 (buffers and accessors) and 4 (GLB).
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FLOAT, INDEX = 5126, 5125  # component types: float32, uint32
VERTICES, INDICES = 34962, 34963  # targets of buffer views
JSON, BIN = 0x4E4F534A, 0x004E4942
FURTHEST = float(np.finfo(np.float32).max)
SHAPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class GlbFile:
    """A glTF file under construction. `document` is its JSON; `add` appends entries to its lists."""

    def __init__(self, generator: str) -> None:
        self.document: dict[str, Any] = {"asset": {"version": "2.0", "generator": generator}}
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, sort: str, entry: dict[str, Any]) -> int:
        """Append to one of the document's lists, such as "nodes"; returns the entry's index."""
        entries: list[Any] = self.document.setdefault(sort, [])
        entries.append(entry)
        return len(entries) - 1

    def add_numbers(self, values: npt.NDArray[Any], target: int | None = None, bounds: bool = False) -> int:
        """An accessor of numbers, shape (n,), (n, 3) or (n, 4); with `bounds`, it contains minimum and maximum."""
        whole = values.dtype.kind in "iu"
        # Values beyond the range of single precision are clamped.
        data = np.ascontiguousarray(
            values if whole else np.clip(values, -FURTHEST, FURTHEST), "<u4" if whole else "<f4"
        )
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._length, "byteLength": data.nbytes}
        if target is not None:
            view["target"] = target
        accessor: dict[str, Any] = {
            "bufferView": self.add("bufferViews", view),
            "componentType": INDEX if whole else FLOAT,
            "count": len(data),
            "type": SHAPES[data.shape[1] if data.ndim > 1 else 1],
        }
        if bounds:
            rows = data.reshape(len(data), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self._parts.append(data.tobytes())
        self._length += data.nbytes
        return self.add("accessors", accessor)

    def write(self, path: Path) -> None:
        """Write the file."""
        if self._length:
            self.document["buffers"] = [{"byteLength": self._length}]
        text = json.dumps(self.document, separators=(",", ":"), allow_nan=False).encode()
        chunks = [_chunk(JSON, text, b" ")]
        if self._length:
            chunks.append(_chunk(BIN, b"".join(self._parts), b"\0"))
        body = b"".join(chunks)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)


def _chunk(kind: int, data: bytes, filler: bytes) -> bytes:
    padded = data + filler * (-len(data) % 4)
    return struct.pack("<II", len(padded), kind) + padded
