"""collision.h: heightfields and their data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakSet

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.heightfield_data import HeightfieldData
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dGeomID, dSpaceID
from opendynamics.c_api.ids import Null, flag, or_null, the

dHeightfieldGetHeight = Callable[[Any, int, int], float]


class dHeightfieldDataID:
    """Data shared by heightfields: filled in by one of the build functions.

    `geoms`: heightfields that are updated when it is rebuilt.
    """

    __slots__ = ("__weakref__", "bounds", "built", "geoms")

    def __init__(self) -> None:
        self.built: HeightfieldData | None = None
        self.bounds: tuple[float, float] | None = None
        self.geoms: WeakSet[Heightfield] = WeakSet()


def _built(d: object) -> HeightfieldData:
    data = the(dHeightfieldDataID, d).built
    if data is None:
        raise ValueError("the heightfield data is empty or destroyed: build it first")
    return data


def _take(
    d: object, heights: Any, dtype: Any, width: float, depth: float, samples: tuple[int, int], **how: Any
) -> None:
    data = the(dHeightfieldDataID, d)
    if not callable(heights):
        heights = _samples(heights, dtype)
    how["wrap"] = flag(how["wrap"])
    data.built = HeightfieldData(heights, width, depth, samples=samples, **how)
    if data.bounds is not None:
        data.built.set_bounds(*data.bounds)
    for geom in data.geoms:
        if geom.alive:
            geom.field = data.built


def _samples(heights: Any, dtype: Any) -> Any:
    """The samples as numbers of ODE's type; bytes objects have one byte each."""
    if isinstance(heights, (bytes, bytearray, memoryview)):
        return np.frombuffer(heights, dtype)
    try:
        given = np.asarray(heights)
        with np.errstate(invalid="ignore"):  # NaN is rejected below
            taken = given.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"the heights must be numbers of type {np.dtype(dtype).name}, not {heights!r}") from None
    if np.issubdtype(dtype, np.integer) and not np.array_equal(taken, given):
        raise ValueError(f"heights of type {np.dtype(dtype).name} must be whole numbers in its range")
    return taken


def dGeomHeightfieldDataCreate() -> dHeightfieldDataID:
    return dHeightfieldDataID()


def dGeomHeightfieldDataDestroy(d: dHeightfieldDataID) -> None:
    """Empty the data; geoms that use it keep it as long as they need it."""
    data = the(dHeightfieldDataID, d)
    data.built, data.bounds = None, None
    data.geoms.clear()


def dGeomHeightfieldDataBuildByte(
    d: dHeightfieldDataID,
    pHeightData: Any,
    bCopyHeightData: int,
    width: float,
    depth: float,
    widthSamples: int,
    depthSamples: int,
    scale: float,
    offset: float,
    thickness: float,
    bWrap: int,
) -> None:
    """Heights of 0 to 255, or a bytes object. Always copied; sample (x, z) is number x + z * widthSamples."""
    flag(bCopyHeightData)
    samples, how = (widthSamples, depthSamples), {"scale": scale, "offset": offset, "thickness": thickness}
    _take(d, pHeightData, np.uint8, width, depth, samples, wrap=bWrap, **how)


def dGeomHeightfieldDataBuildShort(
    d: dHeightfieldDataID,
    pHeightData: Any,
    bCopyHeightData: int,
    width: float,
    depth: float,
    widthSamples: int,
    depthSamples: int,
    scale: float,
    offset: float,
    thickness: float,
    bWrap: int,
) -> None:
    """Integer heights of 16 bits. Always copied; sample (x, z) is number x + z * widthSamples."""
    flag(bCopyHeightData)
    samples, how = (widthSamples, depthSamples), {"scale": scale, "offset": offset, "thickness": thickness}
    _take(d, pHeightData, np.int16, width, depth, samples, wrap=bWrap, **how)


def dGeomHeightfieldDataBuildSingle(
    d: dHeightfieldDataID,
    pHeightData: Any,
    bCopyHeightData: int,
    width: float,
    depth: float,
    widthSamples: int,
    depthSamples: int,
    scale: float,
    offset: float,
    thickness: float,
    bWrap: int,
) -> None:
    """Heights of single precision. Always copied; sample (x, z) is number x + z * widthSamples."""
    flag(bCopyHeightData)
    samples, how = (widthSamples, depthSamples), {"scale": scale, "offset": offset, "thickness": thickness}
    _take(d, pHeightData, np.float32, width, depth, samples, wrap=bWrap, **how)


def dGeomHeightfieldDataBuildDouble(
    d: dHeightfieldDataID,
    pHeightData: Any,
    bCopyHeightData: int,
    width: float,
    depth: float,
    widthSamples: int,
    depthSamples: int,
    scale: float,
    offset: float,
    thickness: float,
    bWrap: int,
) -> None:
    """Heights of double precision. Always copied; sample (x, z) is number x + z * widthSamples."""
    flag(bCopyHeightData)
    samples, how = (widthSamples, depthSamples), {"scale": scale, "offset": offset, "thickness": thickness}
    _take(d, pHeightData, np.float64, width, depth, samples, wrap=bWrap, **how)


def dGeomHeightfieldDataBuildCallback(
    d: dHeightfieldDataID,
    pUserData: Any,
    pCallback: dHeightfieldGetHeight,
    width: float,
    depth: float,
    widthSamples: int,
    depthSamples: int,
    scale: float,
    offset: float,
    thickness: float,
    bWrap: int,
) -> None:
    """`pCallback(pUserData, x, z)` returns the sample (x, z). It is called for every sample once, now."""
    the(dHeightfieldDataID, d)
    if not callable(pCallback):
        raise TypeError(f"the callback of a heightfield must be a function, not {pCallback!r}")
    samples, how = (widthSamples, depthSamples), {"scale": scale, "offset": offset, "thickness": thickness}
    _take(d, lambda x, z: pCallback(pUserData, x, z), None, width, depth, samples, wrap=bWrap, **how)


def dGeomHeightfieldDataSetBounds(d: dHeightfieldDataID, minHeight: float, maxHeight: float) -> None:
    """Bounds of the samples. Infinite ones, the default: computed from the samples."""
    data = the(dHeightfieldDataID, d)
    least, most = checks.number("minHeight", minHeight), checks.number("maxHeight", maxHeight)
    if least > most:
        raise ValueError(f"minHeight must not be above maxHeight: {least}, {most}")
    if data.built is not None:
        data.built.set_bounds(least, most)
    data.bounds = least, most


def dCreateHeightfield(space: dSpaceID | Null, data: dHeightfieldDataID, bPlaceable: int) -> dGeomID:
    """Not placeable: it stays at the origin, y up."""
    geom = Heightfield(_built(data), placeable=flag(bPlaceable), space=or_null(Space, space))
    geom.source = data
    data.geoms.add(geom)
    return geom


def dGeomHeightfieldSetHeightfieldData(g: dGeomID, d: dHeightfieldDataID) -> None:
    geom = the(Heightfield, g)
    geom.field = _built(d)
    if isinstance(geom.source, dHeightfieldDataID):
        geom.source.geoms.discard(geom)
    geom.source = d
    d.geoms.add(geom)


def dGeomHeightfieldGetHeightfieldData(g: dGeomID) -> dHeightfieldDataID | None:
    """The data that the geom was created with; None if it was not created here."""
    source = the(Heightfield, g).source
    return source if isinstance(source, dHeightfieldDataID) else None
