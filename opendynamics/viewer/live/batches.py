"""All geoms of a world, in batches by mesh. Each frame sends poses; a batch is only recreated if its members change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.viewer.contents import geoms_of
from opendynamics.viewer.live.batch import Batch
from opendynamics.viewer.live.painter import Painter
from opendynamics.viewer.live.poses import Poses
from opendynamics.viewer.meshes import Detail, Mesh, is_fixed, key_of, mesh_of, scale_of

Array = npt.NDArray[Any]

# Fields of a geom's record that determine its mesh, scale and body.
LOOKS = ["kind", "flags", "body", "size", "data", "offset_position", "offset_rotation"]

Group = tuple[Hashable, bool]


class Batches:
    """The shown geoms of a world.

    Args:
        scene: viser's scene.
        detail: detail of the meshes.
        spaces: further spaces of the user.
        bind: called with each new handle of the browser's scene and its batch.
    """

    def __init__(self, scene: Any, detail: Detail, spaces: Iterable[Space], bind: Callable[[Any, Batch], None]) -> None:
        self._scene = scene
        self._spaces = tuple(spaces)
        self._bind = bind
        self._meshes: dict[Hashable, Mesh] = {}
        self._names: dict[Group, str] = {}
        self._batches: dict[Group, Batch] = {}
        self._seen: Any = None
        self._keys: tuple[Hashable, ...] = ()
        self._unfixed: tuple[Geom, ...] = ()
        self._scales = np.zeros((0, 3))
        self._colours = np.zeros((0, 3), np.uint8)
        self._glass = False
        self.detail = detail
        self.geoms: tuple[Geom, ...] = ()
        self.painter = Painter()

    def draw(self, world: World) -> None:
        """Show the current state of the world. Must be called in an `atomic` block of the server."""
        if self._has_changed(world):
            self._follow(world)
        positions, quaternions = self._poses.now()
        for batch in self._batches.values():
            batch.place(positions, quaternions)
        colours = self.painter.colours()
        if not np.array_equal(colours, self._colours):
            self._colours = colours
            for batch in self._batches.values():
                batch.colour(colours)

    def see_through_walls(self, on: bool) -> None:
        """Make static geoms transparent, or opaque; planes are unchanged."""
        self._glass = on
        for batch in self._batches.values():
            self._set_glass(batch)

    def _set_glass(self, batch: Batch) -> None:
        if not batch.moves and self.geoms[batch.members[0]].shape != "plane":
            batch.see_through(self._glass)

    def geom_at(self, batch: Batch, index: int | None) -> Geom | None:
        """The geom with the index `index` in a batch, if it is still shown."""
        if index is None or batch not in self._batches.values() or not 0 <= index < len(batch.members):
            return None
        geom = self.geoms[batch.members[index]]
        return geom if geom.alive else None

    @property
    def batches(self) -> tuple[Batch, ...]:
        """All of them."""
        return tuple(self._batches.values())

    # -- changes ---------------------------------------------------------------------------------------------------

    def _has_changed(self, world: World) -> bool:
        """Whether geoms were created, destroyed, or changed other than by the motion of their body."""
        records, unlisted = reading.used_rows(world, GEOMS), reading.geoms_are_unlisted(world)
        looks = [records[field].tobytes() for field in LOOKS]
        loose = [len(space) for space in self._spaces]
        others = [(key_of(geom), scale_of(geom, self.detail).tobytes()) for geom in self._unfixed if geom.alive]
        seen = world, looks, reading.owners_of(world)[1], unlisted, loose, others
        changed = unlisted or seen != self._seen
        self._seen = seen
        return changed

    def _follow(self, world: World) -> None:
        """Determine the current batches, and recreate only those that differ."""
        geoms = geoms_of(world, self._spaces)
        keys = tuple(key_of(geom) for geom in geoms)
        before = self._shown()
        self.geoms, self._keys = geoms, keys
        self._unfixed = tuple(geom for geom in geoms if not is_fixed(geom))
        self._scales = np.array([scale_of(geom, self.detail) for geom in geoms]).reshape(-1, 3)
        self._poses = Poses(world, geoms, self.detail)
        self.painter.look_at(world, geoms)
        self._colours = self.painter.colours()
        groups: dict[Group, list[int]] = {}
        for number, (geom, key) in enumerate(zip(geoms, keys, strict=True)):
            groups.setdefault((key, geom.body is not None), []).append(number)
        for group in [group for group in self._batches if group not in groups]:
            self._batches.pop(group).remove()
        self._forget_meshes()
        for group, members in groups.items():
            self._show(group, np.array(members), before)

    def _shown(self) -> dict[Group, tuple[Geom, ...]]:
        return {group: tuple(self.geoms[number] for number in batch.members) for group, batch in self._batches.items()}

    def _show(self, group: Group, members: Array, before: dict[Group, tuple[Geom, ...]]) -> None:
        key, moves = group
        geoms = tuple(self.geoms[number] for number in members)
        if before.get(group) == geoms:
            batch = self._batches[group]
            batch.members = members
            batch.scale(self._scales)
            batch.colour(self._colours)
            return
        if key not in self._meshes:
            self._meshes[key] = mesh_of(geoms[0], self.detail)
        if not len(self._meshes[key].faces):
            return
        if group in self._batches:
            self._batches.pop(group).remove()
        # A group keeps its name: a new one under the same name replaces the one that the server stores for later browsers.
        name = self._names.setdefault(group, f"/world/geoms/{len(self._names)}")
        casts = geoms[0].shape != "plane"
        batch = Batch(self._scene, name, self._meshes[key], members, moves=moves, casts_shadow=casts)
        batch.add(self._poses.now(), self._scales, self._colours, self._bind)
        self._batches[group] = batch
        if self._glass:
            self._set_glass(batch)

    def _forget_meshes(self) -> None:
        used = set(self._keys)
        self._meshes = {key: mesh for key, mesh in self._meshes.items() if key in used}
        self._names = {group: name for group, name in self._names.items() if group[0] in used}
