"""A world's own space, which `world.advance` collides."""

from __future__ import annotations

from itertools import filterfalse
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

from opendynamics.api.geoms.custom import CustomGeom
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.home import Home
from opendynamics.api.spaces.tree import TreeSpace
from opendynamics.core.arrays.geoms import GEOM_ORDER
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.families import BROADPHASES

# Read by loops in C.
_SENSOR, _ROW = attrgetter("_sensor"), attrgetter("_index")

_T = TypeVar("_T", bound=Geom)


def _instances(kind: type[_T], geoms: list[Geom]) -> tuple[_T, ...]:
    """Those geoms that are of a kind, which few worlds have any of."""
    if not any(issubclass(other, kind) for other in set(map(type, geoms))):
        return ()
    return tuple([geom for geom in geoms if isinstance(geom, kind)])


class WorldSpace(TreeSpace):
    """All its geoms, including those of inner spaces, are in the tables of the world."""

    _transient: ClassVar[dict[str, Any]] = {
        "_order_stale": lambda: True,
        "custom": tuple,
        "meshes": tuple,
        "_sensors": tuple,
        "belts": tuple,
    }

    custom: tuple[CustomGeom, ...]
    meshes: tuple[Trimesh, ...]
    belts: tuple[Geom, ...]  # with a moving surface

    def __init__(self, home: Home, broadphase: str | None) -> None:
        self._order_stale = True
        super().__init__(name="the world's space")
        self._home = home
        self.custom = ()
        self.meshes = ()
        self.belts = ()
        self._sensors: tuple[Geom, ...] = ()
        self._chosen = broadphase
        if broadphase is not None:
            self._chosen_parameters = tuple(getattr(BROADPHASES[broadphase], "PARAMETERS", ()))

    def _reinstated(self) -> None:
        super()._reinstated()
        self._order_stale = True

    def _changed(self) -> None:
        if not self._order_stale:
            self._order_stale = True
        super()._changed()

    def _broadphase_for(self, count: int) -> str:
        return self._chosen or super()._broadphase_for(count)

    def _parameters(self) -> tuple[float, ...]:
        return self._chosen_parameters if self._chosen else ()

    def choose_broadphase(self) -> str:
        """The broadphase for the current geoms; its parameters are passed to the kernels."""
        self.list_geoms()
        store = self._home.store  # type: ignore[union-attr]
        parameters = self._parameters()
        store[CHOICES]["parameters"][0, : len(parameters)] = parameters
        return self._broadphase_for(store.used(GEOM_ORDER))

    def _rows(self) -> list[int]:
        """Rows of the geoms that `advance` collides, newest first."""
        return list(map(_ROW, filterfalse(_SENSOR, self.geoms())))

    def list_geoms(self) -> None:
        """List the geoms, newest first, for the kernels, without zones."""
        if self._order_stale:
            everything = list(self.geoms())
            geoms = list(filterfalse(_SENSOR, everything))
            self._sensors = tuple(filter(_SENSOR, everything))
            self.custom = _instances(CustomGeom, geoms)
            self.meshes = _instances(Trimesh, geoms)
            self.belts = tuple(
                [geom for geom in geoms if geom._surface_velocity is not None or geom._track is not None]
            )
            store = self._home.store  # type: ignore[union-attr]
            store.use(GEOM_ORDER, len(geoms))
            store[GEOM_ORDER][: len(geoms)] = list(map(_ROW, geoms))
            self._order_stale = False

    @property
    def sensors(self) -> tuple[Geom, ...]:
        """The zones among the geoms, newest first."""
        self.list_geoms()
        return self._sensors

    def find(self, row: int) -> Geom | None:
        """The geom that has this row, if it still exists."""
        return self._home.handles.get(row)  # type: ignore[union-attr]
