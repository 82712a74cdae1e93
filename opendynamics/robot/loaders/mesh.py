"""Mesh files as models: one fixed link, called Root, of 1 kg, in metres."""

from __future__ import annotations

from pathlib import Path

from opendynamics.robot.geometry import Shape
from opendynamics.robot.loaders.drafts import LinkDraft, ModelDraft
from opendynamics.robot.reading.findings import place
from opendynamics.robot.reading.meshes import FORMATS, parse_mesh
from opendynamics.robot.reading.source import Load

SUFFIXES = tuple(FORMATS)


def draft(path: Path, data: bytes, load: Load) -> ModelDraft:
    """The contents of the file."""
    where = place(path, 0)
    mesh = parse_mesh(data, path, load.files.limits, where)
    load.files.count_vertices(len(mesh.vertices), where)
    shape = Shape(mesh)
    return ModelDraft(path.stem, where, [LinkDraft("Root", where, visual=[shape], collision=[shape])], unit_mass=True)
