"""Heightfield."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics import c_api as c
from opendynamics.pyode.callbacks import call_back
from opendynamics.pyode.geoms.geom import GeomObject
from opendynamics.pyode.handle import Handle, id_of


class HeightfieldData(Handle):
    """Heights on a grid in the plane y = 0 of the geom's frame, which any number of geoms may share.

    `width` along x and `depth` along z, m; sample (x, z) is number x + z * widthSamples; heights are sample * scale + offset;
    `thickness` below the lowest height is solid; `bWrap`: the grid is repeated indefinitely.
    """

    __slots__ = ()

    def _ode_make(self) -> Any:
        return c.dGeomHeightfieldDataCreate()

    def buildByte(
        self,
        heightData: Any,
        copy: Any,
        width: float,
        depth: float,
        widthSamples: int,
        depthSamples: int,
        scale: float,
        offset: float,
        thickness: float,
        bWrap: Any,
    ) -> None:
        """Set samples of one byte each: numbers, or a buffer."""
        how = width, depth, widthSamples, depthSamples, scale, offset, thickness, bWrap
        c.dGeomHeightfieldDataBuildByte(self._ode_id, heightData, copy, *how)

    def buildShort(
        self,
        heightData: Any,
        copy: Any,
        width: float,
        depth: float,
        widthSamples: int,
        depthSamples: int,
        scale: float,
        offset: float,
        thickness: float,
        bWrap: Any,
    ) -> None:
        """Set samples of 16 bits: numbers, or a buffer."""
        how = width, depth, widthSamples, depthSamples, scale, offset, thickness, bWrap
        c.dGeomHeightfieldDataBuildShort(self._ode_id, heightData, copy, *how)

    def buildSingle(
        self,
        heightData: Any,
        copy: Any,
        width: float,
        depth: float,
        widthSamples: int,
        depthSamples: int,
        scale: float,
        offset: float,
        thickness: float,
        bWrap: Any,
    ) -> None:
        """Set samples of single precision: numbers, or a buffer."""
        how = width, depth, widthSamples, depthSamples, scale, offset, thickness, bWrap
        c.dGeomHeightfieldDataBuildSingle(self._ode_id, heightData, copy, *how)

    def buildDouble(
        self,
        heightData: Any,
        copy: Any,
        width: float,
        depth: float,
        widthSamples: int,
        depthSamples: int,
        scale: float,
        offset: float,
        thickness: float,
        bWrap: Any,
    ) -> None:
        """Set samples of double precision: numbers, or a buffer."""
        how = width, depth, widthSamples, depthSamples, scale, offset, thickness, bWrap
        c.dGeomHeightfieldDataBuildDouble(self._ode_id, heightData, copy, *how)

    def build_callback(
        self,
        userdata: Any,
        callback: Callable[[Any, int, int], float],
        width: float,
        depth: float,
        widthSamples: int,
        depthSamples: int,
        scale: float,
        offset: float,
        thickness: float,
        bwrap: Any,
    ) -> None:
        """Set the samples (x, z) from `callback(userdata, x, z)`, which is called once for each of them now."""

        def height(data: Any, x: int, z: int) -> float:
            return float(call_back("heightfield_callback", callback, data, x, z, otherwise=0.0))

        how = width, depth, widthSamples, depthSamples, scale, offset, thickness, bwrap
        c.dGeomHeightfieldDataBuildCallback(self._ode_id, userdata, height, *how)

    def setBounds(self, min_height: float, max_height: float) -> None:
        """Set bounds of the field's samples."""
        c.dGeomHeightfieldDataSetBounds(self._ode_id, min_height, max_height)


class GeomHeightfield(GeomObject):
    """A heightfield; one that is not placeable stays at the origin, y up. As in older versions, a space may come second."""

    __slots__ = ("_ode_data", "_ode_is_placeable")

    def _ode_make(self, data: HeightfieldData, placeable: Any = True, space: Any = None) -> Any:
        from opendynamics.pyode.spaces.space import SpaceBase

        identifier = id_of(HeightfieldData, "the data of a heightfield", data)
        if placeable is None or isinstance(placeable, SpaceBase):  # (data, space, placeable)
            placeable, space = (True if space is None else space), placeable
        self._ode_data, self._ode_is_placeable = data, bool(placeable)
        return c.dCreateHeightfield(self._ode_in(space), identifier, self._ode_is_placeable)

    def placeable(self) -> bool:
        """Whether the geom has a pose and can be attached to a body."""
        return bool(self._ode_is_placeable)

    def setHeightfieldData(self, data: HeightfieldData) -> None:
        c.dGeomHeightfieldSetHeightfieldData(self._ode_id, id_of(HeightfieldData, "the data of a heightfield", data))
        self._ode_data = data
