"""Stills by a path tracer: the world as meshes, lit by an environment with a sun, with Mitsuba 3.

    pip install 'opendynamics[render-mitsuba]'

Slower than the engine's own ray casts by an order of magnitude, with indirect light. The variant scalar_rgb is used, which
needs only its wheel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.plane import Plane
from opendynamics.api.world import World
from opendynamics.viewer.colours import colours_of
from opendynamics.viewer.meshes import Detail, Mesh, mesh_of, place_of, scale_of
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.drawing import DARKER, DARKER_SQUARES
from opendynamics.viewer.pictures.extras import require
from opendynamics.viewer.pictures.renderer import Picture, Renderer, Sight, square_size
from opendynamics.viewer.pictures.tracing.lighting import FALLOFF
from opendynamics.viewer.srgb import encoded, linear

Array = npt.NDArray[np.float64]

VARIANT = "scalar_rgb"
DEEPEST = 5  # number of surfaces that light is followed over
RESOLUTION = 64  # edges around round shapes
GROUND = 400.0  # side of the shown part of planes, in extents
SKY_SIZE = (1024, 512)  # of the picture of the sky used as a light
GLOSSY = 1.3  # refractive index of the bodies' lacquer


class MitsubaRenderer(Renderer):
    """Renders pictures of a world with Mitsuba. See `Renderer`; settings without a meaning here are rejected.

    Args:
        samples: paths per pixel.
        settings: `light`, `colours`, `spaces`, as for Renderer.
    """

    def __init__(self, world: World, size: Any = (1280, 720), *, samples: int = 64, **settings: Any) -> None:
        self._mitsuba = require("mitsuba", "mitsuba", "render-mitsuba")
        for name in ("shadows", "ambient", "adaptive", "threads", "show"):
            if settings.get(name):
                raise ValueError(f"{name} has no meaning to Mitsuba: leave it out, or take the backend 'rays'")
        super().__init__(world, size, samples=samples, **settings)

    def _draw(self, sight: Sight) -> Picture:
        mi = self._mitsuba
        width, height = self.size
        with _variant(mi):
            scene = {
                "type": "scene",
                "integrator": {"type": "path", "max_depth": DEEPEST + 1, "hide_emitters": True},
                "sensor": self._sensor(sight),
                "sky": {"type": "envmap", "bitmap": mi.Bitmap(sky_light(sight)), "to_world": _to_world(mi, sight.up)},
            }
            colours = linear(colours_of(sight.geoms, self.colors))
            for k, (geom, colour) in enumerate(zip(sight.geoms, colours, strict=True)):
                if isinstance(geom, Plane):
                    if geom.normal @ np.array(sight.camera.position) < geom.offset:
                        continue  # so that rooms of planes can be seen from outside
                    scene[f"geom{k}"] = _ground(mi, geom, colour, sight)
                else:
                    scene |= dict(_shapes(mi, f"geom{k}", geom, colour, sight))
            found = np.array(mi.render(mi.load_dict(scene)), dtype=np.float64)
        opaque = np.clip(found[..., 3:4], 0.0, 1.0)
        behind = sky_seen(_directions(sight.camera, width, height), sight)
        return encoded(found[..., :3] + (1.0 - opaque) * behind)

    def _sensor(self, sight: Sight) -> dict[str, Any]:
        mi, camera = self._mitsuba, sight.camera
        width, height = self.size
        _, up, ahead = camera.axes
        eye = np.array(camera.position)
        return {
            "type": "perspective",
            "fov": camera.field_of_view,
            "fov_axis": "y",
            "near_clip": 1e-3 * sight.extent,
            "far_clip": 1e4 * sight.extent,
            "to_world": mi.ScalarTransform4f().look_at(
                origin=eye.tolist(), target=(eye + ahead).tolist(), up=up.tolist()
            ),
            "film": {
                "type": "hdrfilm",
                "width": width,
                "height": height,
                "pixel_format": "rgba",
                "component_format": "float32",
                "rfilter": {"type": "box"},
            },
            "sampler": {"type": "multijitter", "sample_count": int(self.effort["samples"][0])},
        }


@contextmanager
def _variant(mi: Any) -> Iterator[None]:
    """Mitsuba has one variant at a time: keep the one that the program selected."""
    before = mi.variant()
    mi.set_variant(VARIANT)
    try:
        yield
    finally:
        if before is not None:
            mi.set_variant(before)


def _shapes(mi: Any, name: str, geom: Geom, colour: Array, sight: Sight) -> Iterator[tuple[str, Any]]:
    """A geom's faces of either tone, each as one mesh."""
    detail = Detail(resolution=RESOLUTION, size=4.0 * sight.extent, around=sight.camera.target)  # type: ignore[arg-type]
    mesh, scale = mesh_of(geom, detail), scale_of(geom, detail)
    place, turn = place_of(geom, detail)
    for tone, factor in ((0, 1.0), (1, DARKER)):
        part = mesh.of_tone(tone)
        if not len(part.faces):
            continue
        vertices = place + (part.vertices * scale) @ turn.T
        normals = (part.normals / scale) @ turn.T
        yield f"{name}_{tone}", _mesh(mi, name, vertices, normals, part, factor * colour)


def _mesh(mi: Any, name: str, vertices: Array, normals: Array, part: Mesh, colour: Array) -> Any:
    properties = mi.Properties()
    lacquer = {
        "type": "plastic",
        "diffuse_reflectance": {"type": "rgb", "value": colour.tolist()},
        "int_ior": GLOSSY,
        "nonlinear": True,
    }
    properties["bsdf"] = mi.load_dict({"type": "twosided", "surface": lacquer})
    shape = mi.Mesh(name, len(vertices), len(part.faces), has_vertex_normals=True, props=properties)
    arrays = mi.traverse(shape)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    arrays["vertex_positions"] = vertices.astype(np.float32).ravel()
    arrays["vertex_normals"] = (normals / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32).ravel()
    arrays["faces"] = part.faces.astype(np.uint32).ravel()
    arrays.update()
    return shape


def _ground(mi: Any, geom: Plane, colour: Array, sight: Sight) -> dict[str, Any]:
    """The part of a plane around the target, with the same squares as in the ray casts."""
    normal, square = geom.normal, square_size(sight.extent)
    along = np.eye(3)[0 if abs(normal[0]) < 0.9 else 1]
    along = along - (along @ normal) * normal
    along /= np.linalg.norm(along)
    across = np.cross(normal, along)
    pairs = math.ceil(0.5 * GROUND * sight.extent / square)  # number of squares, to either side of the middle
    half = 2.0 * pairs * square
    middle = geom.offset * normal
    for axis in (along, across):
        middle = middle + 2.0 * square * round((axis @ np.asarray(sight.camera.target)) / (2.0 * square)) * axis
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([half * along, half * across, normal, middle])
    dark = (DARKER_SQUARES * colour).tolist()
    squares = {
        "type": "checkerboard",
        "color0": {"type": "rgb", "value": colour.tolist()},
        "color1": {"type": "rgb", "value": dark},
        "to_uv": mi.ScalarTransform4f().scale([2.0 * pairs, 2.0 * pairs, 1.0]),
    }
    surface = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": squares}}
    return {"type": "rectangle", "to_world": mi.ScalarTransform4f(matrix), "bsdf": surface}


# -- sky -------------------------------------------------------------------------------------------------------------


def sky_seen(directions: Array, sight: Sight) -> Array:
    """Colour of the sky along unit vectors (..., 3): from the horizon to the zenith or nadir, as in `tracing`."""
    light = sight.light
    height = directions @ sight.up
    beyond = np.where(height[..., None] > 0.0, light.zenith, light.nadir)
    part = np.exp(-FALLOFF * np.abs(height))[..., None]
    return np.asarray(part * light.horizon + (1.0 - part) * beyond)


def sky_light(sight: Sight) -> npt.NDArray[np.float32]:
    """The environment light as a picture of all directions: up in the middle of the upper edge, the sun as a disk."""
    width, height = SKY_SIZE
    light = sight.light
    polar = (np.arange(height) + 0.5) / height * math.pi
    round_ = (np.arange(width) + 0.5) / width * 2.0 * math.pi
    # Mitsuba's frame: y up; the direction of u = 0 is rotated by `_to_world`, so that only the sun's direction matters.
    up = np.cos(polar)[:, None] * np.ones(width)
    directions = np.stack(
        [np.sin(polar)[:, None] * np.sin(round_), up, -np.sin(polar)[:, None] * np.cos(round_)], axis=-1
    )
    level = (0.5 + 0.5 * up)[..., None]
    glow = level * np.array(light.sky) + (1.0 - level) * np.array(light.ground)
    sun = _frame(sight.up).T @ np.array(light.sun)
    radius = max(math.radians(0.5 * light.sun_angle), 2.0 * math.pi / width)
    disk = directions @ sun > math.cos(radius)
    solid_angle = float((np.sin(polar)[:, None] * disk).sum()) * (math.pi / height) * (2.0 * math.pi / width)
    glow[disk] += math.pi * np.array(light.sun_color) / solid_angle
    return np.asarray(glow, np.float32)


def _frame(up: Array) -> Array:
    """The world's axes of Mitsuba's x, y and z in the sky's picture, as columns."""
    side = np.roll(up, 1)
    return np.column_stack([side, up, np.cross(side, up)])


def _to_world(mi: Any, up: Array) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3] = _frame(up)
    return mi.ScalarTransform4f(matrix)


def _directions(camera: Camera, width: int, height: int) -> Array:
    """Unit vectors through the middles of all pixels, shape (height, width, 3)."""
    view = camera.record(width, height)[0]
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    directions = view["corner"] + x[..., None] * view["right"] + y[..., None] * view["down"]
    return np.asarray(directions / np.linalg.norm(directions, axis=-1, keepdims=True))
