"""Mesh files (STL, OBJ, DAE, PLY, OFF) read by trimesh from bytes in memory: no further file is opened."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.robot.geometry import Mesh
from opendynamics.robot.reading.files import Limits
from opendynamics.robot.reading.findings import ModelError, place
from opendynamics.robot.reading.xml_tree import parse_xml

FORMATS = {".stl": "stl", ".obj": "obj", ".dae": "dae", ".ply": "ply", ".off": "off"}


def parse_mesh(data: bytes, file: Path, limits: Limits, where: str) -> Mesh:
    """All triangles of a mesh file as one mesh, in the units of the file. Materials and textures are ignored."""
    kind = FORMATS.get(file.suffix.lower())
    if kind is None:
        raise ModelError(f"{where}: {file.name} is not of a known kind of mesh ({', '.join(FORMATS)})")
    try:
        import trimesh
    except ImportError:
        raise ImportError(
            "reading mesh files needs the trimesh package: pip install 'opendynamics[robot]'", name="trimesh"
        ) from None
    if kind == "dae":
        parse_xml(data, file, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mesh: Any = trimesh.load(io.BytesIO(data), file_type=kind, force="mesh", resolver=None, process=False)
        vertices = np.array(mesh.vertices, np.float64).reshape(-1, 3)
        triangles = np.array(mesh.faces, np.int64).reshape(-1, 3)
    except Exception as error:
        raise ModelError(
            f"{place(file, 0)}: this cannot be read as {kind.upper()} ({type(error).__name__}: {error})"
        ) from None
    return checked_mesh(vertices, triangles, place(file, 0))


def checked_mesh(vertices: Any, triangles: Any, where: str) -> Mesh:
    """A mesh from arrays: every vertex finite, every triangle with existing vertices."""
    if not len(triangles):
        raise ModelError(f"{where}: the mesh has no triangles")
    if not np.isfinite(vertices).all():
        raise ModelError(f"{where}: the mesh has vertices that are not finite")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise ModelError(f"{where}: the mesh has triangles of vertices that do not exist (there are {len(vertices)})")
    return Mesh(vertices, triangles)
