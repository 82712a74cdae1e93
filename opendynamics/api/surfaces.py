"""Surfaces: contact parameters of material pairs in `world.advance`."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.checks import require_name
from opendynamics.api.member import Sealed, note_saved_change
from opendynamics.api.suggestions import explain_calls, plain_call
from opendynamics.api.surface import Surface
from opendynamics.api.waking import wake_bodies
from opendynamics.core.arrays.contacts import SURFACES
from opendynamics.core.arrays.store import Store

PLAIN = Surface()


@explain_calls
class Surfaces(Sealed):
    """A Surface for each pair of materials; `geom.material` names a geom's.

        world.surfaces.default = Surface(mu=0.8)
        world.surfaces["ice"] = Surface(mu=0.02)                # ice with anything
        world.surfaces["ice", "rubber"] = Surface(mu=0.15)      # in either order

    Geoms without a material have None; `surfaces[None]` applies to them against materials without an entry. The most specific
    entry is used; of two materials that each have an entry, the one with the smaller `mu`.
    """

    _noted = staticmethod(note_saved_change)  # kernels read the table in every step: a batch need not be prepared again

    def __init__(self, store: Store, default: Surface | None) -> None:
        self._store = store
        self._step_size = 0.0  # step size for which the springs are converted, s; 0: none yet
        self._indices: dict[str | None, int] = {None: 0}
        self._singles: dict[str | None, Surface] = {}
        self._pairs: dict[frozenset[str | None], Surface] = {}
        self._default = PLAIN  # in the table of a new world
        if default is not None:
            self.default = default

    @property
    def default(self) -> Surface:
        """The surface of pairs of materials that are not listed; `Surface()` unless the world was given another."""
        return self._default

    @default.setter
    def default(self, surface: Surface) -> None:
        self._default = _require_surface(surface)
        wake_bodies(self._store)
        self._fill_table()

    def __repr__(self) -> str:
        singles = [f"{material!r}: {surface!r}" for material, surface in self._singles.items()]
        pairs = [f"{', '.join(sorted(map(repr, pair)))}: {surface!r}" for pair, surface in self._pairs.items()]
        return f"<Surfaces: {'; '.join([f'default {self._default!r}', *singles, *pairs])}>"

    @property
    def materials(self) -> tuple[str | None, ...]:
        """All materials with an entry or a geom, None first."""
        return tuple(self._indices)

    @property
    def _mentioned(self) -> frozenset[str]:
        """Materials with an entry."""
        return frozenset(m for m in (*self._singles, *(m for pair in self._pairs for m in pair)) if m is not None)

    def _only_for(self, one: str, other: str) -> list[tuple[str | None, ...]]:
        """The entries for the material `one` of which `other` has none: those that may be meant for `other`."""
        single = [(one,)] if one in self._singles and other not in self._singles else []
        pairs = [p for p in self._pairs if one in p and (p - {one}) | {other} not in self._pairs]
        return [*single, *((one, *(p - {one} or p)) for p in pairs)]

    def __setitem__(self, materials: Any, surface: Surface) -> None:
        _require_surface(surface)
        pair = _require_materials(materials)
        note_saved_change()
        for material in pair:
            self._indices.setdefault(material, len(self._indices))
        if len(pair) == 1:
            self._singles[pair[0]] = surface
        else:
            self._pairs[frozenset(pair)] = surface
        wake_bodies(self._store)
        self._fill_table()

    def __getitem__(self, materials: Any) -> Surface:
        """The surface of a pair of materials; for a single material, its surface against materials that are not listed."""
        given = _require_materials(materials)
        if len(given) == 2 and frozenset(given) in self._pairs:
            return self._pairs[frozenset(given)]
        own = [self._singles[material] for material in given if material in self._singles]
        return min(own, key=lambda surface: surface.mu, default=self._default)

    def __contains__(self, materials: Any) -> bool:
        """Whether there is an entry for a material, or for a pair of them in either order."""
        given = materials if isinstance(materials, tuple) else (materials,)
        return given[0] in self._singles if len(given) == 1 else frozenset(given) in self._pairs

    @plain_call
    def between(self, one: Any, other: Any) -> Surface:
        """Surface of two geoms; None, in the place of one, counts as a geom without a material."""
        return self[None if one is None else one.material, None if other is None else other.material]

    def index(self, material: str | None) -> int:
        """Row of `material` in the table, created if it is new."""
        require_name("a material", material)
        if material not in self._indices:
            note_saved_change()
            self._indices[material] = len(self._indices)
            self._fill_table()
        return self._indices[material]

    def _follow_step(self, h: float) -> None:
        """Called when the step size changes: convert the springs."""
        self._step_size = h
        if self._has_springs:
            self._fill_table()

    @property
    def _has_springs(self) -> bool:
        """Whether contacts of any materials are springs."""
        return any(surface.spring for surface in (self._default, *self._singles.values(), *self._pairs.values()))

    def _fill_table(self) -> None:
        n = len(self._indices)
        self._store.use(SURFACES, n * n)
        h = self._step_size
        rows = np.array([self[a, b].row_at(h) for a in self._indices for b in self._indices], SURFACES.dtype)
        self._store[SURFACES][: n * n] = rows


def _require_materials(materials: Any) -> tuple[str | None, ...]:
    pair = materials if isinstance(materials, tuple) else (materials,)
    if len(pair) not in (1, 2) or not all(material is None or isinstance(material, str) for material in pair):
        raise TypeError(f"surfaces are for one material or a pair of them, by name, not for {materials!r}")
    return pair


def _require_surface(surface: Any) -> Surface:
    if not isinstance(surface, Surface):
        raise TypeError(f"a surface must be a Surface, such as od.Surface(mu=0.5, bounce=0.2), not {surface!r}")
    if surface.direction1 is not None:
        raise ValueError("a surface for materials cannot have direction1: that belongs to a single contact")
    return surface
