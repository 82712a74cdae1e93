"""Renderer: pictures of one world, by several threads, each with its own tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.aliases import Alias, also
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.spaces.queries import casting, supply
from opendynamics.api.spaces.space import Space, checked_spaces
from opendynamics.api.suggestions import Closed, explain_calls
from opendynamics.api.threads import processors
from opendynamics.api.types import Colours
from opendynamics.api.world import World
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.viewer.colours import colours_of
from opendynamics.viewer.contents import geoms_of
from opendynamics.viewer.pictures.camera import Camera, checked_size
from opendynamics.viewer.pictures.drawing import Drawing, looks_of
from opendynamics.viewer.pictures.light import Light
from opendynamics.viewer.pictures.marks import MARKS, marks_of
from opendynamics.viewer.pictures.tracing.records import EFFORT
from opendynamics.viewer.pictures.tracing.rows import EVEN, EVERY, ODD, encoding, trace_rows
from opendynamics.viewer.pictures.tracing.samples import on_disk
from opendynamics.viewer.srgb import linear

if TYPE_CHECKING:
    from typing_extensions import Unpack


Picture = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]
Colouring = Literal["body", "state"]

MIN_SEEN = 0.4  # minimum extent of a scene, relative to the distance to the target
# Samples per pixel; shadow rays and ambient rays for each; whether pixels are sampled adaptively.
QUALITY = {"draft": (1, 1, 0, True), "normal": (4, 4, 4, True), "high": (16, 4, 4, False)}

ROWS = 8  # that a thread takes at a time
MAX_RAYS = 1024  # of a kind, per sample; samples per pixel
COLORS: tuple[Colouring, ...] = ("body", "state")
STEPS = encoding()
THIN, THINNEST = 0.0025, 0.75  # radius of rods, relative to the extent; and minimum in pixels


@dataclass(frozen=True)
class Sight:
    """Input of a picture: geoms, camera, light, up direction, and extent, m."""

    geoms: tuple[Geom, ...]
    camera: Camera
    light: Light
    up: Array
    extent: float


@explain_calls
class Renderer(Closed):
    """Renders pictures of a world, one after another, with the same settings.

    Args:
        world: the world.
        size: width and height, pixels.
        samples: rays per pixel.
        shadows: rays towards the sun for each of them; 0: no shadows.
        ambient: rays for each of them that determine how much of the sky is hidden by near geoms; 0: none.
        adaptive: every other pixel is interpolated if its four neighbours are alike (within 4 of 255 in each colour), which
            takes about half the time; False: each pixel is traced.
        light: the light; from the upper left by default.
        colors: "body": one colour per body, or its own; "state": by state (active, sleeping, kinematic, faulty).
        show: marks that are visible through everything: "contacts", "joints", "centres".
        spaces: further spaces, with geoms that are neither in the world's own space nor on its bodies.
        threads: largest number of threads; by default that of the processors. Pictures do not depend on it.
    """

    world: World
    size: tuple[int, int]
    effort: npt.NDArray[Any]
    light: Light | None
    colors: Colouring
    show: tuple[str, ...]
    spaces: tuple[Space, ...]
    threads: int
    camera: Camera | None  # chosen because none was given
    extent: float | None  # m
    adaptive: bool
    colours = Alias[Colouring, Colouring]("colors")

    @also(colours="colors")
    def __init__(
        self,
        world: World,
        size: Any = (1280, 720),
        *,
        samples: int = 4,
        shadows: int = 4,
        ambient: int = 4,
        adaptive: bool = True,
        light: Light | None = None,
        colors: Colouring = "body",
        show: Iterable[str] = (),
        spaces: Iterable[Space] = (),
        threads: int | None = None,
        **aliases: Unpack[Colours],
    ) -> None:
        self.world = world
        self.size = checked_size(size)
        self.effort = np.zeros(1, EFFORT)
        self.effort["samples"] = checks.count("the samples of a picture", samples, 1, MAX_RAYS)
        self.effort["shadows"] = checks.count("the shadow rays of a picture", shadows, 0, MAX_RAYS)
        self.effort["ambient"] = checks.count("the ambient rays of a picture", ambient, 0, MAX_RAYS)
        self.adaptive = checks.flag("adaptive", adaptive)
        if light is not None and not isinstance(light, Light):
            raise TypeError(f"the light of a picture must be a Light, not {light!r}")
        checks.choice("colors", colors, COLORS)
        self.light = light
        self.colors = colors
        self.show = checked_marks(show)
        self.spaces = checked_spaces("the spaces of a picture", spaces)
        self.threads = processors() if threads is None else checks.count("the threads of a picture", threads, 1)
        self._drawings: list[Drawing] = []
        self.camera = None
        self.extent = None

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Renderer of {self.world.name!r}: {width} x {height} pixels>"

    def render(self, camera: Camera | None = None) -> Picture:
        """Render the current world: sRGB, 0 to 255, shape (height, width, 3).

        Without a camera, one is placed so that all bodies are in the picture; it is used for the following pictures too. The
        extent of the scene, which determines the squares on the ground, is that of the first picture.
        """
        given: Any = camera
        if given is not None and not isinstance(given, Camera):
            file = "; to write a file, PIL.Image.fromarray(world.render()).save(path)" if isinstance(given, str) else ""
            raise TypeError(
                f"the camera must be a Camera, such as od.Camera((3, -4, 2), target=(0, 0, 0)), not {given!r}{file}"
            )
        geoms = geoms_of(self.world, self.spaces)
        up = up_of(self.world)
        if camera is None:
            if self.camera is None:
                self.camera = Camera.framing(framed_boxes(geoms), up=up, aspect=self.size[0] / self.size[1])
            camera = self.camera
        if self.extent is None:
            self.extent = extent_of(framed_boxes(geoms), camera)
        return self._draw(Sight(geoms, camera, self.light or Light.above(up), up, self.extent))

    def _draw(self, sight: Sight) -> Picture:
        geoms, camera, extent = sight.geoms, sight.camera, sight.extent
        width, height = self.size
        view = camera.record(width, height)
        pixel = float(np.linalg.norm(view["right"])) * math.dist(camera.position, camera.target)
        thin = max(THIN * extent, THINNEST * pixel)
        marks, mark_colours = marks_of(self.world, self.show, extent, thin)
        self.effort["marks"] = 1 if len(marks) or any(geom.shape == "ray" for geom in geoms) else 0
        while len(self._drawings) < min(self.threads, math.ceil(height / ROWS)):  # more would find no rows
            self._drawings.append(Drawing())
        for drawing in self._drawings:
            drawing.update(geoms, marks, thin, np.array(camera.position))
        colours = linear(colours_of(geoms, self.colors))
        looks = looks_of(self._drawings[0].stage.store[GEOMS], colours, mark_colours, square_size(extent))
        pixels = np.zeros((height, width, 3), np.uint8)
        effort = self.effort[0]
        disks = (on_disk(int(effort["samples"] * effort[rays])) for rays in ("shadows", "ambient"))
        self._trace((view, sight.light.record(sight.up, extent), self.effort, looks, *disks, STEPS, pixels))
        return pixels

    def _trace(self, scene: tuple[Any, ...]) -> None:
        trace_rows.load()
        for which in (EVEN, ODD) if self.adaptive else (EVERY,):
            self._share((*scene, which))

    def _share(self, scene: tuple[Any, ...]) -> None:
        """Distribute the rows; each thread takes the next few when it has finished some."""
        height = self.size[1]
        parts = iter([(row, min(row + ROWS, height)) for row in range(0, height, ROWS)])
        if len(self._drawings) == 1:
            _trace_parts(self._drawings[0], scene, parts, Lock())
            return
        lock = Lock()
        with ThreadPoolExecutor(len(self._drawings), thread_name_prefix="opendynamics render") as pool:
            calls = [pool.submit(_trace_parts, drawing, scene, parts, lock) for drawing in self._drawings]
            try:
                for call in calls:
                    call.result()
            except BaseException:
                with lock:
                    for _ in parts:  # nothing is left to be taken
                        pass
                raise


def _trace_parts(drawing: Drawing, scene: tuple[Any, ...], parts: Iterator[tuple[int, int]], lock: Lock) -> None:
    stage = drawing.stage
    while True:
        with lock:
            part = next(parts, None)
        if part is None:
            return
        row, last = part
        while row < last:
            with casting(stage):
                row = trace_rows(stage.store.tables, drawing.occluders, *scene, row, last)
            if row < last:
                with lock:  # kernels are loaded once
                    supply(stage)


def effort_of(quality: Any) -> dict[str, Any]:
    """Settings of a renderer for a named quality. ValueError if the name is unknown."""
    checks.choice("the quality", quality, tuple(QUALITY))
    return dict(zip(("samples", "shadows", "ambient", "adaptive"), QUALITY[quality], strict=True))


def checked_marks(show: Any) -> tuple[str, ...]:
    """Names of marks."""
    wanted = tuple(show) if isinstance(show, Iterable) and not isinstance(show, str) else (show,)
    for name in wanted:
        checks.choice("each mark of show", name, tuple(MARKS))
    return wanted


def framed_boxes(geoms: Sequence[Geom]) -> Array:
    """Boxes of the geoms on bodies, or of all if there are none; only finite ones, shape (n, 6)."""
    boxes = np.array([geom.aabb for geom in geoms]).reshape(-1, 6)
    ends = np.isfinite(boxes).all(axis=1)
    carried = np.array([geom.body is not None for geom in geoms], bool) & ends
    return np.asarray(boxes[carried if carried.any() else ends])


def up_of(world: World) -> Array:
    """Against gravity, along the nearest axis; z without gravity."""
    gravity = world.gravity
    axis = int(np.argmax(np.abs(gravity)))
    up = np.zeros(3)
    up[axis if gravity[axis] else 2] = 1.0 if gravity[axis] <= 0.0 else -1.0
    return up


def extent_of(boxes: Array, camera: Camera) -> float:
    """Extent of the view, m: the diagonal of all boxes, but not far from what the camera sees at its target."""
    seen = math.dist(camera.position, camera.target)
    if not len(boxes):
        return seen
    diagonal = float(np.linalg.norm(boxes[:, 1::2].max(axis=0) - boxes[:, 0::2].min(axis=0)))
    return min(max(diagonal, MIN_SEEN * seen), seen)


def square_size(extent: float) -> float:
    """Side of the squares of the ground, m: a power of ten, such that a few of them are as long as the scene."""
    return float(10.0 ** round(math.log10(extent / 4.0)))
