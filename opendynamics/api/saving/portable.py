"""Snapshots as bytes, for files and other processes.

    magic, 8 bytes | SHA-256 of what follows, 32 bytes | length of the header, 8 bytes | header, JSON | tables | manifest

The header holds the library's version, and each table's dtype and size in bytes; the tables are the bytes of their rows, one
after the other; the manifest is a pickle in which members, stores and tables are referred to by number.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import sys
from typing import Any

import numpy as np

from opendynamics.api.home import FREE
from opendynamics.api.member import Member
from opendynamics.api.saving.manifest import Manifest
from opendynamics.api.saving.snapshot import SnapshotError
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import Array, Store, saved_tables
from opendynamics.core.arrays.table import DECLARED, Table

MAGIC = b"ODSNAP\x00\x01"
DIGEST = 32
LENGTH = 8

# What the manifest of a snapshot that is not trusted may name besides the library's own classes.
HARMLESS = {
    ("builtins", "set"),
    ("builtins", "frozenset"),
    ("builtins", "complex"),
    ("builtins", "range"),
    ("builtins", "slice"),
    ("builtins", "bytearray"),
    ("builtins", "object"),
    ("collections", "OrderedDict"),
    ("collections", "deque"),
    ("copyreg", "_reconstructor"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("numpy.core.numeric", "_frombuffer"),
}


def pack(tables: list[Array], manifest: Manifest, free: Array) -> bytes:
    """A snapshot's parts as bytes."""
    from opendynamics import __version__

    arrays = [*tables, free.view(np.uint8)]
    header = {
        "library": __version__,
        "byteorder": sys.byteorder,
        "tables": [[name, _layout(dtype), len(rows)] for (name, dtype), rows in zip(_tables(), arrays, strict=True)],
    }
    head = json.dumps(header).encode()
    body = b"".join([len(head).to_bytes(LENGTH, "little"), head, *(rows.tobytes() for rows in arrays), _dump(manifest)])
    return MAGIC + hashlib.sha256(body).digest() + body


def unpack(data: bytes, trust: bool) -> tuple[list[Array], Manifest, Array]:
    """The parts of a snapshot: tables, a manifest of shells, records of free geoms."""
    if data[: len(MAGIC)] != MAGIC:
        known = "is a snapshot of another format" if data[:6] == MAGIC[:6] else "is no snapshot of a world"
        raise SnapshotError(f"this {known}; read it with the version of opendynamics that wrote it")
    body = data[len(MAGIC) + DIGEST :]
    if hashlib.sha256(body).digest() != data[len(MAGIC) : len(MAGIC) + DIGEST]:
        raise SnapshotError("the snapshot is truncated or damaged: its checksum does not match; save the world again")
    at = LENGTH + int.from_bytes(body[:LENGTH], "little")
    header = json.loads(body[LENGTH:at])
    if header["byteorder"] != sys.byteorder:
        raise SnapshotError(f"the snapshot is of a {header['byteorder']}-endian machine and cannot be read on this one")
    if [[name, _layout(dtype)] for name, dtype in _tables()] != [entry[:2] for entry in header["tables"]]:
        raise SnapshotError(
            f"the snapshot was saved by opendynamics {header['library']}, whose tables differ from this version's; "
            "load it there"
        )
    arrays = []
    for _, _, size in header["tables"]:
        arrays.append(np.frombuffer(body, np.uint8, size, at).copy())
        at += size
    return arrays[:-1], _load(body[at:], trust), arrays[-1].view(GEOMS.dtype)


def _tables() -> list[tuple[str, Any]]:
    """Name and dtype of each array in a snapshot."""
    return [(table.name, table.dtype) for table in saved_tables()] + [("free geoms", GEOMS.dtype)]


def _layout(dtype: Any) -> Any:
    """A dtype in a form that JSON keeps as it is."""
    return json.loads(json.dumps(dtype.descr))


# -- the manifest ------------------------------------------------------------------------------------------------------


class _Pickler(pickle.Pickler):
    """Writes members, and what a process has one of, as references."""

    def __init__(self, file: io.BytesIO, numbers: dict[int, int], store: Any) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._numbers = numbers
        self._store = store

    def persistent_id(self, value: Any) -> Any:
        if value is FREE or value is FREE.geoms:
            return "free", 0 if value is FREE else 1
        if value is self._store:
            return "store", 0
        if isinstance(value, Table):
            return "table", value.name
        if isinstance(value, Member):
            number = self._numbers.get(id(value))
            if number is None:
                raise pickle.PicklingError(f"{value!r} does not belong to the world that is saved")
            return "member", number
        return None


class _Unpickler(pickle.Unpickler):
    """Reads what `_Pickler` wrote; only what is harmless, unless it is trusted."""

    def __init__(self, file: io.BytesIO, shells: list[Member], store: Store, trust: bool) -> None:
        super().__init__(file)
        self._shells = shells
        self._store = store
        self._trust = trust

    def persistent_load(self, reference: Any) -> Any:
        kind, which = reference
        if kind == "member":
            return self._shells[which]
        if kind == "store":
            return self._store
        if kind == "free":
            return (FREE, FREE.geoms)[which]
        return next(table for table in DECLARED if table.name == which)

    def find_class(self, module: str, name: str) -> Any:
        if self._trust or (module, name) in HARMLESS:
            return super().find_class(module, name)
        if module.split(".", maxsplit=1)[0] == "opendynamics" and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise SnapshotError(
            f"the snapshot holds {module}.{name}, which is not the library's; if you trust where it comes from, load it "
            "with trust=True"
        )


def _dump(manifest: Manifest) -> bytes:
    numbers = {id(member): k for k, (member, _) in enumerate(manifest.entries)}
    store = manifest.entries[0][1]["_store"]
    kinds = io.BytesIO()
    pickle.Pickler(kinds, pickle.HIGHEST_PROTOCOL).dump([type(member) for member, _ in manifest.entries])
    values = io.BytesIO()
    try:
        _Pickler(values, numbers, store).dump([own for _, own in manifest.entries])
    except Exception as error:
        raise TypeError(
            _culprit(manifest, numbers, store) or f"the world cannot be carried elsewhere: {error}"
        ) from error
    return len(kinds.getvalue()).to_bytes(LENGTH, "little") + kinds.getvalue() + values.getvalue()


def _culprit(manifest: Manifest, numbers: dict[int, int], store: Any) -> str:
    """What of which member does not pickle, as a message."""
    for member, own in manifest.entries:
        for name, value in own.items():
            try:
                _Pickler(io.BytesIO(), numbers, store).dump(value)
            except Exception as error:
                label = getattr(member, "name", None) or f"the {type(member).__name__}"
                return (
                    f"{name.strip('_').replace('_', ' ')} of {label} cannot be carried to another process: {value!r} does "
                    f"not pickle ({error}); use a function or class at the top level of a module, or remove it first"
                )
    return ""


def _load(data: bytes, trust: bool) -> Manifest:
    end = LENGTH + int.from_bytes(data[:LENGTH], "little")
    store = Store(furnished=False)
    kinds = _Unpickler(io.BytesIO(data[LENGTH:end]), [], store, trust).load()
    shells = [kind.__new__(kind) for kind in kinds]
    values = _Unpickler(io.BytesIO(data[end:]), shells, store, trust).load()
    return Manifest(list(zip(shells, values, strict=True)))
