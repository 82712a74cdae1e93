"""Triangles of mesh files, read by trimesh after the file's claims were checked against its size.

Files of triangles can expand: counts in headers, accessors that share bytes, nodes that show one mesh many times, names of
other files. Their expansion is limited to a multiple of the file's size. Of other files, only the buffers of a glTF file in
the same folder are read; materials and textures are not.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.files import Fail, FileError, located, parse_json, quoted, read_bytes

Triangles = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]

MAX_BYTES = 1 << 30

# A file of n bytes expands to at most EXPANDED + RATIO n bytes, numbers or characters, and its JSON to 16 times that.
EXPANDED, RATIO = 1 << 22, 8

# Bytes of a number and numbers of an item, by the codes of glTF 2.0, section 3.6.2.2.
_COMPONENTS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_ITEMS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class MeshFileError(FileError):
    """A mesh file that cannot be read: names the file, the problem and the remedy."""


def read_triangles(path: Path) -> Triangles:
    """Vertices (n, 3), in units of the file, and triangles (m, 3) of all parts of a mesh file together.

    MeshFileError if it is not a mesh file, or damaged; ImportError without trimesh.
    """
    fail = partial(MeshFileError, path)
    kind = path.suffix.lower().removeprefix(".")
    if kind not in _CHECKS:
        raise fail("", f"{path.suffix!r} is not a known kind of mesh", f"known are {', '.join(_CHECKS)}")
    data = read_bytes(path, MAX_BYTES, fail)
    with located(fail, ""):
        beside = _CHECKS[kind](data, path.parent, fail)
    return _loaded(data, kind, beside, fail)


def _loaded(data: bytes, kind: str, beside: dict[str, bytes], fail: Fail) -> Triangles:
    try:
        import trimesh
    except ImportError:
        raise ImportError(
            "reading mesh files needs the trimesh package: pip install 'opendynamics[mesh]'", name="trimesh"
        ) from None
    options = {"skip_materials": True} if kind in ("obj", "ply", "gltf", "glb") else {}
    try:
        with np.errstate(all="ignore"):
            mesh: Any = trimesh.load(io.BytesIO(data), file_type=kind, force="mesh", resolver=beside, **options)
            points, corners = np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.int64)
    except MemoryError:
        raise
    except Exception as error:  # any error of the library for this format
        reason = f"{type(error).__name__}: {quoted(str(error), 300)}"
        raise fail("", f"it cannot be read as a mesh of the format {kind} ({reason})") from error
    if not len(corners):
        raise fail("", "it has no triangles")
    return points, corners


# -- sizes that files claim --------------------------------------------------------------------------------------------


def _most(size: int) -> int:
    return EXPANDED + RATIO * size


def _no_claims(data: bytes, folder: Path, fail: Fail) -> dict[str, bytes]:
    """OBJ has no counts; the loader of STL checks the count against the size itself."""
    return {}


def _check_ply(data: bytes, folder: Path, fail: Fail) -> dict[str, bytes]:
    """Every element takes at least one byte."""
    header = data[: data.find(b"end_header")]
    for found in re.finditer(rb"element\s+(\S+)\s+(\d+)", header):
        if len(found[2]) > 20 or int(found[2]) > len(data):
            what = quoted(found[2].decode()), quoted(found[1].decode("utf-8", "replace"))
            raise fail(f"byte {found.start()}", f"{what[0]} elements {what[1]} in {len(data)} bytes")
    return {}


def _check_off(data: bytes, folder: Path, fail: Fail) -> dict[str, bytes]:
    """Every vertex and face takes at least one line."""
    for found in re.finditer(rb"OFF\s*(?:#[^\n]*\s*)*(\d+)\s+(\d+)", data[: 1 << 16]):
        if max(len(found[1]), len(found[2])) > 20 or int(found[1]) + int(found[2]) > len(data):
            raise fail(f"byte {found.start()}", f"more vertices and faces than {len(data)} bytes can hold")
    return {}


def _check_glb(data: bytes, folder: Path, fail: Fail) -> dict[str, bytes]:
    if len(data) < 20 or data[:4] != b"glTF":
        raise fail("byte 0", f"it begins with {data[:4]!r}, not with b'glTF'")
    (length,) = struct.unpack_from("<I", data, 12)
    if 20 + length > len(data):
        raise fail("byte 12", f"JSON of {length} bytes in a file of {len(data)}")
    return _check_json(data[20 : 20 + length], len(data), folder, fail)


def _check_gltf(data: bytes, folder: Path, fail: Fail) -> dict[str, bytes]:
    return _check_json(data, len(data), folder, fail)


def _check_json(text: bytes, size: int, folder: Path, fail: Fail) -> dict[str, bytes]:
    """Buffers in the same folder by name, after views, accessors and shown meshes have been summed up."""
    document = parse_json(text, 16 * _most(len(text)), fail)
    beside: dict[str, bytes] = {}
    for k, buffer in enumerate(document.get("buffers", [])):
        name = buffer.get("uri", "data:")
        if not name.startswith("data:") and name not in beside:
            beside[name] = _buffer(name, folder, partial(fail, f"buffers[{k}]"))
    most = _most(size + sum(map(len, beside.values())))
    views = sum(int(view["byteLength"]) for view in document.get("bufferViews", []))
    accessors = document.get("accessors", [])
    counts = [int(accessor["count"]) for accessor in accessors]
    sizes = [_COMPONENTS[accessor["componentType"]] * _ITEMS[accessor["type"]] for accessor in accessors]
    numbers = sum(count * item for count, item in zip(counts, sizes, strict=True))
    meshes = [sum(map(partial(_shown, counts), mesh["primitives"])) for mesh in document.get("meshes", [])]
    shown = sum(meshes[node["mesh"]] for node in document.get("nodes", []) if "mesh" in node)
    for what, amount in (("bufferViews", views), ("accessors", numbers), ("nodes", shown)):
        if amount > most or min(counts, default=0) < 0:
            raise fail(what, f"they expand to {amount} bytes or numbers; at most {most} are read", "split the file")
    return beside


def _shown(counts: list[int], primitive: dict[str, Any]) -> int:
    """Numbers of vertices and indices of a primitive."""
    return sum(counts[k] for k in (*primitive["attributes"].values(), primitive.get("indices", 0)))


def _buffer(name: str, folder: Path, fail: Callable[..., FileError]) -> bytes:
    if Path(name).name != name:
        raise fail(f"{quoted(name)!r} is not a file in the same folder", "put it there")
    try:
        return read_bytes(folder / name, MAX_BYTES, lambda place, problem: fail(f"{quoted(name)}, {place}: {problem}"))
    except (OSError, ValueError) as error:
        raise fail(f"the buffer {quoted(name)!r} cannot be read: {error}") from None


def _check_dae(data: bytes, folder: Path, fail: Fail) -> dict[str, bytes]:
    """Nodes may show other nodes repeatedly, recursively: the sum counts every appearance."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise fail("", "it defines entities, which are not read", "export it without a document type")
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise fail(f"line {line}, column {column}", f"not XML: {error}") from None
    named = {element.get("id"): element for element in root.iter() if element.get("id") is not None}
    sizes: dict[str, int | None] = {}

    def size_of(target: str | None) -> int:
        identity = (target or "").removeprefix("#")
        if identity not in sizes:
            sizes[identity] = None
            sizes[identity] = total(named[identity]) if identity in named else 0
        found = sizes[identity]
        if found is None:
            raise fail(f"node {quoted(identity)!r}", "it contains itself")
        return found

    def total(element: Any) -> int:
        size = len(element.text or "")
        for child in element:
            shows = child.tag.rpartition("}")[2] in ("instance_node", "instance_geometry")
            size += size_of(child.get("url")) if shows else total(child)
        return size

    shown = total(root)
    if shown > _most(len(data)):
        raise fail("nodes", f"they show {shown} characters; at most {_most(len(data))} are read", "split the file")
    return {}


_CHECKS: dict[str, Callable[[bytes, Path, Fail], dict[str, bytes]]] = {
    "obj": _no_claims,
    "stl": _no_claims,
    "ply": _check_ply,
    "off": _check_off,
    "gltf": _check_gltf,
    "glb": _check_glb,
    "dae": _check_dae,
}
