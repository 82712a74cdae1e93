"""glTF: an animation with meshes, for Blender, web pages and other programs that show 3D.

Each body is a moving node, with a node for each of its geoms; geoms without a body are static. Meshes are those of the
viewer; geoms that look the same share them. Absent bodies and geoms have the scale 0. A root node rotates our z, which is up,
to glTF's y.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.color import as_bytes
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.replaying import place_geom
from opendynamics.api.rotation import quaternion_from_matrix
from opendynamics.io.glb import INDICES, VERTICES, GlbFile
from opendynamics.io.recording.exports import Progress, no_progress
from opendynamics.io.recording.frame import Frames
from opendynamics.viewer import colours
from opendynamics.viewer.meshes import Detail, key_of, mesh_of, place_of, scale_of
from opendynamics.viewer.srgb import linear

SUFFIX = ".glb"

Z_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]  # quaternion (x, y, z, w)
STILL = 1e-9  # m and fraction of a turn: smaller motion needs no track

Array = npt.NDArray[Any]


def export(frames: Frames, path: Path, progress: Progress = no_progress, *, fps: float = 30.0) -> None:
    """Write an animation of at most `fps` key frames per second, interpolated linearly."""
    from opendynamics import __version__

    rate = checks.positive("the frames a second of a glTF file", fps)
    if not len(frames):
        raise ValueError(f"{frames.path} has no frames: there is nothing to show in {path}")
    _Export(_thinned(frames, rate), GlbFile(f"opendynamics {__version__}")).write(path, progress)


def _thinned(frames: Frames, fps: float) -> Frames:
    """Frames with at most `fps` per second, including the last one."""
    seconds = float(frames.times[-1] - frames.times[0])
    every = max(1, int(np.ceil((len(frames) - 1) / max(seconds * fps, 1.0) - 1e-9)))
    first = (len(frames) - 1) % every
    return frames[first::every]


class _Export:
    def __init__(self, frames: Frames, file: GlbFile) -> None:
        self.frames, self.file = frames, file
        self.times = frames.times - frames.times[0]
        self.positions, self.quaternions = frames.positions, frames.quaternions
        self.present = np.isfinite(self.positions[:, :, 0])
        self._keys: int | None = None
        self._buffers: dict[Any, list[tuple[int, dict[str, int], int]]] = {}
        self._meshes: dict[Any, int | None] = {}
        self._materials: dict[tuple[int, ...], int] = {}
        self.channels: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []

    def write(self, path: Path, progress: Progress) -> None:
        bodies: dict[int, int] = {}
        roots: list[int] = []
        for place, name in enumerate(self.frames.bodies):
            progress(place / len(self.frames.bodies))
            if self.present[:, place].any():
                bodies[place] = self._add_body(place, name)
                roots.append(bodies[place])
        for geom, body, there in self._geoms():
            node = self._add_geom(geom, body, there)
            if node is not None and body is not None:
                self.file.document["nodes"][bodies[body]].setdefault("children", []).append(node)
            elif node is not None:
                roots.append(node)
        # trimesh 4.4 takes a node called "world", the default, for its own base frame, and loses its rotation.
        name = self.frames.header["world"]
        root: dict[str, Any] = {"name": "scene" if name == "world" else name, "rotation": Z_UP}
        if roots:
            root["children"] = roots
        self.file.add("scenes", {"nodes": [self.file.add("nodes", root)]})
        self.file.document["scene"] = 0
        if self.channels:
            self.file.add("animations", {"name": "motion", "channels": self.channels, "samplers": self.samplers})
        self.file.write(path)

    # -- bodies ------------------------------------------------------------------------------------------------------

    def _add_body(self, place: int, name: str) -> int:
        there = self.present[:, place]
        positions = _filled(self.positions[:, place], there)
        turns = _filled(_continuous(self.quaternions[:, place], there), there)[:, [1, 2, 3, 0]]
        node: dict[str, Any] = {"name": name, "translation": positions[0].tolist(), "rotation": turns[0].tolist()}
        number = self.file.add("nodes", node)
        for path, values in (("translation", positions), ("rotation", turns)):
            if np.ptp(values, axis=0).max() > STILL:
                self._add_track(number, path, values, "LINEAR")
        if not there.all():
            self._add_scale_track(number, there, np.ones(3))
        return number

    def _add_track(self, node: int, path: str, values: Array, interpolation: str) -> None:
        if self._keys is None:
            self._keys = self.file.add_numbers(self.times, bounds=True)
        sampler = {"input": self._keys, "output": self.file.add_numbers(values), "interpolation": interpolation}
        self.samplers.append(sampler)
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})

    def _add_scale_track(self, node: int, there: Array, scale: Array) -> None:
        self._add_track(node, "scale", np.where(there[:, None], scale, 0.0), "STEP")

    # -- geoms -------------------------------------------------------------------------------------------------------

    def _geoms(self) -> Iterator[tuple[Geom, int | None, Array]]:
        """Every geom in each of its forms: the geom, the index of its body in `bodies`, and the frames in which it exists."""
        recording, numbers = self.frames.recording, np.array(self.frames.numbers)
        forms: dict[int, tuple[dict[str, Any], Array]] = {}
        for frame, structure in recording._structures(int(numbers[0]), int(numbers[-1])):
            for _, there in forms.values():
                there[numbers >= frame] = False
            for description in structure.geoms.values():
                _, there = forms.setdefault(id(description), (description, np.zeros(len(numbers), bool)))
                there[numbers >= frame] = True
        meshes: dict[Any, Any] = {}
        for description, there in forms.values():
            if there.any():
                geom = recording._geom(description, meshes)
                place_geom(geom, description["position"], description["rotation"])
                carrier = None if description["body"] is None else int(recording._places[description["body"]])
                yield geom, carrier, there

    def _add_geom(self, geom: Geom, body: int | None, there: Array) -> int | None:
        detail = Detail()
        colour = colours.by_body(np.array([body]))[0] if body is not None else colours.BY_STATE[colours.STATIC]
        if geom.shape == "plane":
            colour = np.array(colours.GROUND, np.uint8)
        if geom.color is not None:
            colour = as_bytes(geom.color)
        mesh = self._mesh(geom, detail, tuple(int(c) for c in colour))
        if mesh is None:
            return None
        position, turn = place_of(geom, detail)
        quaternion = _quaternion(turn)
        scale = scale_of(geom, detail)
        node = {"name": geom.name, "mesh": mesh, "translation": position.tolist(), "rotation": quaternion}
        number = self.file.add("nodes", node | {"scale": scale.tolist()})
        if not there.all():
            self._add_scale_track(number, there, scale)
        return number

    def _mesh(self, geom: Geom, detail: Detail, colour: tuple[int, ...]) -> int | None:
        """The mesh for this look and colour; None if there is nothing to see."""
        key = key_of(geom)
        if (key, colour) not in self._meshes:
            if key not in self._buffers:
                self._buffers[key] = self._primitives(geom, detail)
            primitives = [
                {"attributes": attributes, "indices": faces, "material": self._material(colour, tone)}
                for tone, attributes, faces in self._buffers[key]
            ]
            self._meshes[key, colour] = self.file.add("meshes", {"primitives": primitives}) if primitives else None
        return self._meshes[key, colour]

    def _primitives(self, geom: Geom, detail: Detail) -> list[tuple[int, dict[str, int], int]]:
        mesh, found = mesh_of(geom, detail), []
        for tone in np.unique(mesh.tones).tolist():
            part = mesh.of_tone(tone)
            if len(part.faces):
                attributes = {
                    "POSITION": self.file.add_numbers(part.vertices, VERTICES, bounds=True),
                    "NORMAL": self.file.add_numbers(part.normals, VERTICES),
                }
                found.append((tone, attributes, self.file.add_numbers(part.faces.reshape(-1), INDICES)))
        return found

    def _material(self, colour: tuple[int, ...], tone: int) -> int:
        key = (*colour, tone)
        if key not in self._materials:
            light = linear(colour) * (
                1.0 if tone == 0 else colours.DARKER
            )  # less light, as in the live view and pictures
            surface = {"baseColorFactor": [*light.tolist(), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
            self._materials[key] = self.file.add("materials", {"pbrMetallicRoughness": surface, "doubleSided": True})
        return self._materials[key]


def _filled(values: Array, there: Array) -> Array:
    """Where a body does not exist, it has its last, or first, pose."""
    known = np.flatnonzero(there)
    nearest = known[np.clip(np.searchsorted(known, np.arange(len(there)), side="right") - 1, 0, None)]
    return np.asarray(values[nearest])


def _continuous(q: Array, there: Array) -> Array:
    """Quaternions with the sign closer to the one before."""
    filled = _filled(q, there)
    flips = np.concatenate([[1.0], np.where((filled[1:] * filled[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)])
    return np.asarray(filled * np.cumprod(flips)[:, None])


def _quaternion(turn: Array) -> list[float]:
    """A rotation matrix as (x, y, z, w)."""
    w, x, y, z = quaternion_from_matrix(turn).tolist()
    length = float(np.linalg.norm((w, x, y, z)))
    return [x / length, y / length, z / length, w / length]
