"""A batch: all geoms that share a mesh, as one object of the browser's scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.viewer.colours import darker
from opendynamics.viewer.meshes import Mesh
from opendynamics.viewer.srgb import linear

Array = npt.NDArray[Any]

# Number of geoms up to which both tones of the mesh are shown, which takes a second handle and sends the poses twice.
MAX_IN_TWO_TONES = 600

# Opacity of transparent geoms.
GLASS = 0.25


def as_light(colours: Any) -> Array:
    """Colours for viser: it interprets those of batches and arrows, unlike all others, as linear light, 0 to 255."""
    return np.asarray((255.0 * linear(colours)).round().astype(np.uint8))


class Batch:
    """Handles of one mesh with many poses.

    Attributes:
        members: indices of its geoms among all that are shown, shape (n,).
        moves: whether the geoms are on bodies.
    """

    def __init__(self, scene: Any, name: str, mesh: Mesh, members: Array, *, moves: bool, casts_shadow: bool) -> None:
        self.members = members
        self.moves = moves
        self.mesh = mesh
        self.name = name
        self._casts_shadow = casts_shadow
        self._scene = scene
        self._handles: list[tuple[int, Any]] = []

    def add(
        self,
        poses: tuple[Array, Array],
        scales: Array,
        colours: Array,
        bind: Callable[[Any, Batch], None],
    ) -> None:
        """Show it; `bind` is called with each handle, for mouse events."""
        two = len(self.members) <= MAX_IN_TWO_TONES and bool(self.mesh.tones.any())
        tones = (0, 1) if two else (0,)
        for tone in tones:
            mesh = self.mesh.of_tone(tone) if two else self.mesh
            handle = self._scene.add_batched_meshes_simple(
                f"{self.name}/{tone}",
                mesh.vertices,
                mesh.faces.astype(np.uint32),
                batched_positions=poses[0][self.members].astype(np.float32),
                batched_wxyzs=poses[1][self.members].astype(np.float32),
                batched_scales=scales[self.members].astype(np.float32),
                batched_colors=self._toned(colours, tone),
                lod="off",
                # Closed meshes are not visible from behind; double-sided, they would cast striped shadows on themselves.
                side="front" if self.mesh.closed else "double",
                cast_shadow=self._casts_shadow,
            )
            self._handles.append((tone, handle))
            bind(handle, self)

    def place(self, positions: Array, quaternions: Array) -> None:
        """Send the poses of the geoms."""
        here, turned = positions[self.members].astype(np.float32), quaternions[self.members].astype(np.float32)
        for _, handle in self._handles:
            handle.batched_positions = here
            handle.batched_wxyzs = turned

    def colour(self, colours: Array) -> None:
        """Send their colours, shape (all, 3)."""
        for tone, handle in self._handles:
            handle.batched_colors = self._toned(colours, tone)

    def scale(self, scales: Array) -> None:
        """Send their scales, shape (all, 3)."""
        for _, handle in self._handles:
            handle.batched_scales = scales[self.members].astype(np.float32)

    def see_through(self, on: bool) -> None:
        """Make it transparent, or opaque."""
        for _, handle in self._handles:
            handle.opacity = GLASS if on else None
            handle.cast_shadow = self._casts_shadow and not on

    def remove(self) -> None:
        """Remove it from the scene."""
        for _, handle in self._handles:
            handle.remove()
        self._handles = []

    @property
    def handles(self) -> tuple[Any, ...]:
        """Its node in the browser's scene."""
        return tuple(handle for _, handle in self._handles)

    def _toned(self, colours: Array, tone: int) -> Array:
        light = as_light(colours[self.members])
        return darker(light) if tone else light
