"""The window of drawstuff: the live view of a world that has a body for each shape that a frame draws.

Writes a world of its own, in which nothing moves by itself; bodies are used again for the same shapes of the next frame.
"""

from __future__ import annotations

import math
from types import TracebackType
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.mesh_data import MeshData
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.mass import Mass
from opendynamics.api.rotation import from_z_axis
from opendynamics.api.world import World
from opendynamics.drawstuff.canvas import Drawn
from opendynamics.scenes import Scene

LINE = 0.005  # m, radius of a line


class Window:
    """A view that shows frames; with `with`, closed at the end.

    Args:
        xyz: where to look from, m.
        hpr: heading, pitch and roll, degrees.
    """

    def __init__(self, xyz: Any, hpr: Any) -> None:
        from opendynamics.viewer.live.viewer import Viewer

        self._shown = Shown()
        heading, pitch = math.radians(hpr[0]), math.radians(hpr[1])
        along = (math.cos(heading) * math.cos(pitch), math.sin(heading) * math.cos(pitch), math.sin(pitch))
        target = (xyz[0] + along[0], xyz[1] + along[1], xyz[2] + along[2])
        self._viewer = Viewer(Scene(self._shown.world, camera=tuple(xyz), target=target), threaded=False)

    @property
    def closed(self) -> bool:
        """Whether the view has ended."""
        return self._viewer.closed

    def show(self, frame: list[Drawn]) -> None:
        """Show what a frame drew, and nothing else."""
        self._shown.show(frame)
        self._viewer.sync()

    def __enter__(self) -> Window:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._viewer.close()


class Shown:
    """A world with a body for each shape that is shown, on drawstuff's ground."""

    def __init__(self) -> None:
        self.world = World(name="drawstuff")
        self.world.add_plane()
        self._bodies: dict[Any, list[Body]] = {}

    def show(self, frame: list[Drawn]) -> None:
        """Let there be exactly these shapes."""
        free, self._bodies = self._bodies, {}
        for drawn in joined(frame):
            key = drawn.shape, drawn.sizes, drawn.faces
            kept = free.get(key)
            body = kept.pop() if kept else self._made(drawn)
            place_body(body, drawn)
            self._bodies.setdefault(key, []).append(body)
        for bodies in free.values():
            for body in bodies:
                for geom in body.geoms:
                    geom.destroy()
                body.destroy()

    def _made(self, drawn: Drawn) -> Body:
        return self.world.add_body(shape_of(drawn), mass=Mass.sphere(1.0, mass=1.0), kinematic=True)


def place_body(body: Body, drawn: Drawn) -> None:
    """Put the body of a shape where it was drawn."""
    if drawn.shape == "line":
        start, end = np.array(drawn.sizes[:3]), np.array(drawn.sizes[3:])
        body.position = 0.5 * (start + end)
        if np.any(start != end):
            body.rotation = from_z_axis(end - start)
    else:
        body.position, body.rotation = drawn.position, drawn.rotation


def joined(frame: list[Drawn]) -> list[Drawn]:
    """The shapes of a frame, triangles that were drawn one after another at one place as one mesh."""
    found: list[Drawn] = []
    for drawn in frame:
        before = found[-1] if found else None
        if before is not None and drawn.shape == before.shape == "triangles" and _same_place(drawn, before):
            found[-1] = Drawn("triangles", drawn.position, drawn.rotation, before.sizes + drawn.sizes)
        else:
            found.append(drawn)
    return found


def _same_place(one: Drawn, other: Drawn) -> bool:
    return np.array_equal(one.position, other.position) and np.array_equal(one.rotation, other.rotation)


def shape_of(drawn: Drawn) -> Geom:
    """A geom of the shape."""
    sizes = drawn.sizes
    if drawn.shape == "box":
        return Box(sizes)
    if drawn.shape == "sphere":
        return Sphere(sizes[0])
    if drawn.shape == "capsule":
        return Capsule(*sizes)
    if drawn.shape == "cylinder":
        return Cylinder(*sizes)
    if drawn.shape == "line":
        return Capsule(LINE, max(math.dist(sizes[:3], sizes[3:]), LINE))
    points = np.reshape(sizes, (-1, 3))
    if drawn.shape == "convex":
        return Convex(points, drawn.faces)
    corners = np.arange(len(points)).reshape(-1, 3)
    return Trimesh(MeshData(points, corners, repair=True))
