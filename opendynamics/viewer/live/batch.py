"""A batch: all geoms that share a mesh, as one thing of the browser's scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.viewer.colours import darker
from opendynamics.viewer.meshes import Mesh
from opendynamics.viewer.srgb import linear

Array = npt.NDArray[Any]

# Up to so many geoms show both tones of the mesh, which takes a second handle, and its poses the way twice.
MOST_IN_TWO_TONES = 600

# Opacity of what is seen through.
GLASS = 0.25


def as_light(colours: Any) -> Array:
    """What viser is to be sent: it takes colours of batches and arrows, unlike all others, for amounts of light, 0 to 255."""
    return np.asarray((255.0 * linear(colours)).round().astype(np.uint8))


class Batch:
    """Handles of one mesh in many places.

    Attributes:
        members: numbers of its geoms among all that are shown, shape (n,).
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
        """Let it be seen; `bind` is called with each handle, for what the mouse does to it."""
        two = len(self.members) <= MOST_IN_TWO_TONES and bool(self.mesh.tones.any())
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
                # What is closed is not seen from behind; drawn from both sides, it would throw stripes of shadow on itself.
                side="front" if self.mesh.closed else "double",
                cast_shadow=self._casts_shadow,
            )
            self._handles.append((tone, handle))
            bind(handle, self)

    def place(self, positions: Array, quaternions: Array) -> None:
        """Send where the geoms are now."""
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
        """Let what is behind it be seen, and light through, or not."""
        for _, handle in self._handles:
            handle.opacity = GLASS if on else None
            handle.cast_shadow = self._casts_shadow and not on

    def remove(self) -> None:
        """Take it out of the scene."""
        for _, handle in self._handles:
            handle.remove()
        self._handles = []

    @property
    def handles(self) -> tuple[Any, ...]:
        """What the browser's scene has of it."""
        return tuple(handle for _, handle in self._handles)

    def _toned(self, colours: Array, tone: int) -> Array:
        light = as_light(colours[self.members])
        return darker(light) if tone else light
