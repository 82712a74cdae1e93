"""Snapshots as bytes, for files and other processes.

    magic, 8 bytes | SHA-256 of what follows, 32 bytes | length of the header, 8 bytes | header, JSON | arrays | manifest

The header contains the library's version, the classes of the members, and each array's name, dtype and size in bytes; the
arrays are the bytes of their rows, in sequence; the manifest is a pickle of the members' attributes, in which members, stores
and tables are referred to by number or name (`unpickling`).
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from typing import Any

import numpy as np

from opendynamics.api.member import Belonging, Member
from opendynamics.api.saving.manifest import Manifest
from opendynamics.api.saving.reports import Report
from opendynamics.api.saving.saving import Saving
from opendynamics.api.saving.snapshot import SnapshotError
from opendynamics.api.saving.unpickling import ForeignMember, ManifestPickler, class_of, members_of
from opendynamics.api.saving.validation import require_valid_rows
from opendynamics.api.spaces.space import Space
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.store import Array, Store, saved_tables

MAGIC = b"ODSNAP\x00\x02"
DIGEST = 32
LENGTH = 8


def pack(tables: list[Array], manifest: Manifest, free: Array, report: Report) -> bytes:
    """A snapshot's parts as bytes."""
    from opendynamics import __version__

    tables = [
        _relocatable(rows) if table is GEOMS else rows for table, rows in zip(saved_tables(), tables, strict=True)
    ]
    arrays = [*tables, _relocatable(free), report.points, report.numbers, report.rows, report.forces]
    arrays = [array.view(np.uint8) for array in arrays]
    classes = {type(member): None for member, _ in manifest.entries}
    numbers = {kind: k for k, kind in enumerate(classes)}
    header = {
        "library": __version__,
        "byteorder": sys.byteorder,
        "arrays": [[name, _layout(dtype), len(rows)] for (name, dtype), rows in zip(_arrays(), arrays, strict=True)],
        "classes": [[kind.__module__, kind.__qualname__] for kind in classes],
        "members": [numbers[type(member)] for member, _ in manifest.entries],
    }
    head = json.dumps(header).encode()
    body = b"".join([len(head).to_bytes(LENGTH, "little"), head, *(rows.tobytes() for rows in arrays), _dump(manifest)])
    return MAGIC + hashlib.sha256(body).digest() + body


def _relocatable(geoms: Array) -> Array:
    """Records of geoms without addresses and numbers of this process; geoms write new ones when they are loaded."""
    records: Array = geoms.view(GEOMS.dtype).copy()
    records["data"] = records["owner"] = 0
    return records


def unpack(data: bytes, trust: bool) -> tuple[list[Array], Manifest, Array, Report]:
    """The parts of a snapshot: tables, a manifest of shells, records of free geoms, the last step's report."""
    if data[: len(MAGIC)] != MAGIC:
        known = "is a snapshot of another format" if data[:6] == MAGIC[:6] else "is no snapshot of a world"
        raise SnapshotError(f"this {known}; read it with the version of opendynamics that wrote it")
    body = data[len(MAGIC) + DIGEST :]
    if hashlib.sha256(body).digest() != data[len(MAGIC) : len(MAGIC) + DIGEST]:
        raise SnapshotError("the snapshot is truncated or damaged: its checksum does not match; save the world again")
    try:
        return _unpack(body, trust)
    except SnapshotError:
        raise
    except Exception as error:
        raise SnapshotError(
            f"the snapshot is damaged: {str(error) or type(error).__name__}; save the world again"
        ) from error


def _unpack(body: bytes, trust: bool) -> tuple[list[Array], Manifest, Array, Report]:
    at = LENGTH + int.from_bytes(body[:LENGTH], "little")
    header = json.loads(body[LENGTH:at])
    if header["byteorder"] != sys.byteorder:
        raise SnapshotError(f"the snapshot is of a {header['byteorder']}-endian machine and cannot be read on this one")
    if [[name, _layout(dtype)] for name, dtype in _arrays()] != [entry[:2] for entry in header["arrays"]]:
        raise SnapshotError(
            f"the snapshot was saved by opendynamics {header['library']}, whose tables differ from this version's; "
            "load it there"
        )
    arrays: list[Array] = []
    for (_, dtype), (_, _, size) in zip(_arrays(), header["arrays"], strict=True):
        arrays.append(np.frombuffer(body, dtype, size // np.dtype(dtype).itemsize, at).copy())
        at += size
    manifest = _load(header, body[at:], trust)
    count = len(saved_tables())
    tables, free, report = arrays[:count], arrays[count], Report(*arrays[count + 1 :])
    if len(free) != len(manifest.free):
        raise SnapshotError(f"the snapshot is damaged: {len(manifest.free)} free geoms have {len(free)} records")
    require_valid_rows(dict(zip(saved_tables(), tables, strict=True)), free, report, manifest)
    return [rows.view(np.uint8) for rows in tables], manifest, free, report


def _arrays() -> list[tuple[str, Any]]:
    """Name and dtype of each array in a snapshot."""
    reported: list[tuple[str, Any]] = [(f"last {table.name}", table.dtype) for table in (POINTS, ROWS, FORCES)]
    reported.insert(1, ("last row numbers", np.dtype(np.int64)))
    return [(table.name, table.dtype) for table in saved_tables()] + [("free geoms", GEOMS.dtype), *reported]


def _layout(dtype: Any) -> Any:
    """A dtype in a form that survives JSON."""
    return json.loads(json.dumps(np.dtype(dtype).descr))


# -- the manifest ------------------------------------------------------------------------------------------------------


def _dump(manifest: Manifest) -> bytes:
    numbers = {id(member): k for k, (member, _) in enumerate(manifest.entries)}
    store = manifest.entries[0][1]["_store"]
    file = io.BytesIO()
    try:
        ManifestPickler(file, numbers, store).dump([own for _, own in manifest.entries])
    except Exception as error:
        culprit = _culprit(manifest, numbers, store)
        raise TypeError(culprit or f"the world cannot be carried elsewhere: {error}") from error
    for member, _ in manifest.entries:
        kind = type(member)
        if (
            "<locals>" in kind.__qualname__
            or getattr(sys.modules.get(kind.__module__), kind.__name__, None) is not kind
        ):
            raise TypeError(
                f"{getattr(member, 'name', member)} cannot be carried to another process: its class {kind.__qualname__} must "
                "stand at the top level of a module"
            )
    return file.getvalue()


def _culprit(manifest: Manifest, numbers: dict[int, int], store: Any) -> str:
    """A message that names the member and attribute that cannot be pickled."""
    for member, own in (*manifest.entries[1:], manifest.entries[0]):  # the world has its members' callbacks too
        for name, value in own.items():
            try:
                ManifestPickler(io.BytesIO(), numbers, store).dump(value)
            except Exception as error:
                label = getattr(member, "name", None) or f"the {type(member).__name__}"
                if isinstance(error, ForeignMember):
                    return _foreign(manifest, member, f"{name.strip('_').replace('_', ' ')} of {label}", error.member)
                return (
                    f"{name.strip('_').replace('_', ' ')} of {label} cannot be carried to another process: {value!r} does "
                    f"not pickle ({error}); use a function or class at the top level of a module, or remove it first"
                )
    return ""


def _foreign(manifest: Manifest, owner: Member, attribute: str, member: Any) -> str:
    """A message for a reference to what is not saved with the world."""
    world, label = manifest.entries[0][1]["name"], getattr(member, "name", None) or repr(member)
    other = member._saved_with() if isinstance(member, Belonging) else None
    of = "which does not belong to it"
    if isinstance(member, Saving):
        of = "another world"
    elif other not in (None, manifest.world):
        of = f"which belongs to another world, {other.name}"
    if isinstance(owner, Space):
        return (
            f"{world} cannot be saved: {owner.name}, which has geoms of it, also has {label}, {of}; call "
            "space.remove(geom) first, or use a space for each of the two worlds"
        )
    return f"{world} cannot be saved: {attribute} refers to {label}, {of}; remove the reference first"


def _load(header: Any, data: bytes, trust: bool) -> Manifest:
    classes = [class_of(module, name, trust) for module, name in header["classes"]]
    shells = [classes[k].__new__(classes[k]) for k in header["members"]]
    values = members_of(data, shells, Store(allocated=False), trust)
    return Manifest(list(zip(shells, values, strict=True)))
