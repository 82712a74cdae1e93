"""Geoms of a DIF file: type, sizes, pose on the body or in the world. ODE omits vertices and heights.

Custom geoms and support geoms consist of Python functions, which no file can contain: they are written by name, and not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from opendynamics.api import reading
from opendynamics.api.body import Body
from opendynamics.api.checks import ALL_BITS
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.cone import Cone
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.custom import CustomGeom
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.geoms.ellipsoid import Ellipsoid
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.plane import Plane
from opendynamics.api.geoms.ray import Ray
from opendynamics.api.geoms.rounded_box import RoundedBox
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.geoms.support import SupportGeom
from opendynamics.api.geoms.transform import GeomTransform
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.world import World
from opendynamics.io.dif.fields import Fields
from opendynamics.io.dif.text import Lines

# Attributes that define a shape, by their fields; and the number of values of each.
_SIZES: dict[type[Geom], tuple[str, dict[str, tuple[str, int]]]] = {
    Sphere: ("sphere", {"radius": ("radius", 1)}),
    Box: ("box", {"sides": ("lengths", 3)}),
    Capsule: ("capsule", {"radius": ("radius", 1), "length": ("length", 1)}),
    Cylinder: ("cylinder", {"radius": ("radius", 1), "length": ("length", 1)}),
    Plane: ("plane", {"normal": ("normal", 3), "d": ("offset", 1)}),
    Cone: ("cone", {"radius": ("radius", 1), "height": ("height", 1)}),
    Ellipsoid: ("ellipsoid", {"radii": ("radii", 3)}),
    RoundedBox: ("rounded_box", {"sides": ("lengths", 3), "radius": ("radius", 1)}),
}
_BITS = ("category_bits", "collide_bits")  # hexadecimal, in quotes: too many digits for a float
_RAY_FLAGS = ("first_contact", "backface_cull", "closest_hit")


def write_geometry(lines: Lines, geoms: Iterable[Geom], opening: str = "geometry = ", closing: str = "},") -> None:
    """Add the tables of geoms."""
    with lines.table(opening, closing):
        for geom in geoms:
            with lines.table():
                _write_shape(lines, geom)
                _write_place(lines, geom)


def _write_shape(lines: Lines, geom: Geom) -> None:
    if type(geom) in _SIZES:
        name, fields = _SIZES[type(geom)]
        lines.field("type", name)
        for key, (attribute, _) in fields.items():
            lines.field(key, getattr(geom, attribute))
        return
    if isinstance(geom, (CustomGeom, SupportGeom)):
        lines.field("type", "custom")
        lines.field("class", geom.geom_class.name)
        return
    lines.field("type", geom.shape)
    if isinstance(geom, Ray):
        lines.field("length", geom.length)
        for flag in _RAY_FLAGS:
            if getattr(geom, flag):
                lines.field(flag, 1)
    elif isinstance(geom, Convex):
        lines.field("points", geom.points)
        lines.field("polygons", [number for face in geom.polygons for number in (len(face), *face)])
    elif isinstance(geom, Trimesh):
        lines.field("vertices", geom.mesh.vertices)
        lines.field("indices", geom.mesh.triangles)
    elif isinstance(geom, Heightfield):
        field, grid = geom.field, reading.grid_of(geom.field)
        lines.field("samples", field.shape[::-1])
        lines.field("size", (field.width, field.depth))
        lines.field("heights", field.heights)
        lines.field("thickness", grid["thickness"])
        lines.field("wrap", field.wrap)
        lines.field("placeable", geom.placeable)
    elif isinstance(geom, GeomTransform):
        lines.field("info", geom.info)
        if geom.geom is not None:
            write_geometry(lines, (geom.geom,))


def _write_place(lines: Lines, geom: Geom) -> None:
    if geom.body is not None:
        if geom.has_offset:
            lines.field("pos", geom.offset_position)
            lines.field("q", geom.offset_quaternion)
    elif geom.placeable:
        lines.field("pos", geom.position)
        lines.field("q", geom.quaternion)
    for key in _BITS:
        if getattr(geom, key) != ALL_BITS:
            lines.field(key, f"{getattr(geom, key):x}")
    if not geom.enabled:
        lines.field("disabled", 1)
    if geom.sensor:
        lines.field("sensor", 1)


def read_geom(fields: Fields, world: World, body: Body | None) -> Geom | None:
    """Create a geom in the world's space, with or without a body; None for one whose data ODE omitted."""
    kind = fields.text("type", None)
    if kind is None and not fields.table.named:
        return None  # ODE's output for a geom transform
    make = _MAKERS.get(kind)
    if make is None:
        known = ", ".join(_MAKERS)
        raise fields.error(f"a geom must have one of the types {known}, not {kind!r}", "leave the geom out")
    position, quaternion = fields.numbers("pos", 3, None), fields.numbers("q", 4, None)
    geom = make(fields)
    if body is None:
        if geom.placeable:
            geom.position = position or (0.0, 0.0, 0.0)
            geom.quaternion = np.array(quaternion or (1.0, 0.0, 0.0, 0.0))
    else:
        geom.body = body
        if position is not None:
            geom.offset_position = position
        if quaternion is not None:
            geom.offset_quaternion = np.array(quaternion)
    for key in _BITS:
        bits = fields.text(key, None)
        if bits is not None:
            setattr(geom, key, int(bits[:32], 16))
    geom.enabled = not fields.flag("disabled", False)
    geom.sensor = fields.flag("sensor", False)
    fields.require_done()
    world.add_geom(geom)
    return geom


def _sized(shape: type[Geom]) -> Callable[[Fields], Geom]:
    """A function that creates a geom with the sizes in its fields."""
    sizes = _SIZES[shape][1]

    def make(fields: Fields) -> Geom:
        values = [fields.numbers(key, count) if count > 1 else fields.number(key) for key, (_, count) in sizes.items()]
        return shape(*values)

    return make


def _ray(fields: Fields) -> Geom:
    flags: dict[str, Any] = {flag: fields.flag(flag, False) for flag in _RAY_FLAGS}
    return Ray(fields.number("length"), **flags)


def _described(fields: Fields, kind: str, key: str) -> None:
    if key not in fields:
        raise fields.error(
            f"the {kind} has no {key}: ODE does not write what it consists of", "add it, or leave it out"
        )


def _convex(fields: Fields) -> Geom:
    _described(fields, "convex", "points")
    return Convex(_rows_of_three(fields, "points"), fields.indices("polygons"))


def _trimesh(fields: Fields) -> Geom:
    _described(fields, "trimesh", "vertices")
    corners = fields.indices("indices")
    if not corners or len(corners) % 3:
        raise fields.error(f"indices must be three for each triangle, not {len(corners)}")
    return Trimesh(_rows_of_three(fields, "vertices"), np.reshape(corners, (-1, 3)))


def _rows_of_three(fields: Fields, key: str) -> Any:
    numbers = fields.numbers(key)
    if not numbers or len(numbers) % 3:
        raise fields.error(f"{key} must be three numbers for each point, not {len(numbers)}")
    return np.reshape(numbers, (-1, 3))


def _heightfield(fields: Fields) -> Geom:
    _described(fields, "heightfield", "heights")
    columns, rows = (int(count) for count in fields.numbers("samples", 2))
    heights = fields.numbers("heights")
    if columns < 2 or rows < 2 or columns * rows != len(heights):
        raise fields.error(f"samples must be how many heights there are each way: {columns} x {rows} of {len(heights)}")
    width, depth = fields.numbers("size", 2)
    thickness, wrap = fields.number("thickness", 0.0), fields.flag("wrap", False)
    placeable = fields.flag("placeable", True)
    grid = np.reshape(heights, (rows, columns))
    return Heightfield(grid, width=width, depth=depth, thickness=thickness, wrap=wrap, placeable=placeable)


def _transform(fields: Fields) -> Geom:
    info, inner = fields.flag("info", False), fields.tables("geometry")
    if len(inner) > 1:
        raise fields.error(f"a transform holds one geom, not {len(inner)}")
    held = None
    for table in inner:
        own = fields.of(table)
        make = _MAKERS.get(own.text("type"))
        if make is None or make is _transform:
            raise own.error("a transform holds a geom that is no transform itself, of a type that is known here")
        position, quaternion = own.numbers("pos", 3, (0.0, 0.0, 0.0)), own.numbers("q", 4, (1.0, 0.0, 0.0, 0.0))
        held = make(own)
        held.position, held.quaternion = position, np.array(quaternion)
        own.require_done()
    return GeomTransform(held, info=info, cleanup=True)


_MAKERS: dict[Any, Callable[[Fields], Geom]] = {name: _sized(shape) for shape, (name, _) in _SIZES.items()}
_MAKERS |= {"ray": _ray, "convex": _convex, "trimesh": _trimesh, "heightfield": _heightfield, "transform": _transform}
