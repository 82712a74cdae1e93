"""The window of drawstuff: the live view of a world with a body for each drawn shape.

Uses its own world, in which nothing moves by itself; bodies are reused for the same shapes of the next frame.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import TracebackType
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.mass import Mass
from opendynamics.api.rotation import from_z_axis
from opendynamics.api.world import World
from opendynamics.drawstuff.canvas import Drawn
from opendynamics.drawstuff.looks import Tone, colour_of, parts_of
from opendynamics.scenes import Scene


class Window:
    """A view that shows frames; as a context manager, closed at the end.

    Args:
        xyz: position of the camera, m.
        hpr: heading, pitch and roll, degrees.
    """

    def __init__(self, xyz: Any, hpr: Any) -> None:
        from opendynamics.viewer.live.viewer import Viewer

        self._shown = Shown()
        self._view_point = tuple(xyz), tuple(hpr)
        self._viewer = Viewer(Scene(self._shown.world, camera=tuple(xyz), target=target_of(xyz, hpr)), threaded=False)

    @property
    def closed(self) -> bool:
        """Whether the view has ended."""
        return self._viewer.closed

    def show(self, frame: list[Drawn]) -> None:
        """Show exactly the shapes of a frame."""
        self._shown.show(frame)
        self._viewer.sync()

    def look(self, xyz: Any, hpr: Any) -> None:
        """Move the camera; if the viewpoint is unchanged, users keep their own camera."""
        if (tuple(xyz), tuple(hpr)) != self._view_point:
            self._view_point = tuple(xyz), tuple(hpr)
            self._viewer.look(xyz, target_of(xyz, hpr))

    def __enter__(self) -> Window:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._viewer.close()


def target_of(xyz: Any, hpr: Any) -> tuple[float, float, float]:
    """The point 1 m ahead, for heading and pitch in degrees; the view has no roll."""
    heading, pitch = math.radians(hpr[0]), math.radians(hpr[1])
    return (
        xyz[0] + math.cos(heading) * math.cos(pitch),
        xyz[1] + math.sin(heading) * math.cos(pitch),
        xyz[2] + math.sin(pitch),
    )


class Shown:
    """A world with a body for each shown shape, on drawstuff's ground."""

    def __init__(self) -> None:
        self.world = World(name="drawstuff")
        self.world.add_plane()
        self._bodies: dict[Any, list[Body]] = {}
        self._tones: dict[Body, list[Tone]] = {}
        self._colours: dict[Body, tuple[float, ...]] = {}

    def show(self, frame: list[Drawn]) -> None:
        """Create or reuse bodies for exactly these shapes."""
        free, self._bodies = self._bodies, {}
        for drawn in joined(frame):
            key = drawn.shape, drawn.sizes, drawn.faces, drawn.texture
            kept = free.get(key)
            body = kept.pop() if kept else self._made(drawn)
            place_body(body, drawn)
            self._paint(body, drawn)
            self._bodies.setdefault(key, []).append(body)
        for bodies in free.values():
            for body in bodies:
                body.destroy()
                del self._tones[body], self._colours[body]

    def _made(self, drawn: Drawn) -> Body:
        parts = parts_of(drawn)
        body = self.world.add_body(*(geom for geom, _ in parts), mass=Mass.sphere(1.0, mass=1.0), kinematic=True)
        self._tones[body] = [tone for _, tone in parts]
        return body

    def _paint(self, body: Body, drawn: Drawn) -> None:
        if self._colours.get(body) != drawn.colour:
            self._colours[body] = drawn.colour
            for geom, tone in zip(body.geoms, self._tones[body], strict=True):
                geom.color = colour_of(drawn, tone)


def place_body(body: Body, drawn: Drawn) -> None:
    """Set the pose of a shape's body."""
    if drawn.shape == "line":
        start, end = np.array(drawn.sizes[:3]), np.array(drawn.sizes[3:])
        body.position = 0.5 * (start + end)
        if np.any(start != end):
            body.rotation = from_z_axis(end - start)
    else:
        body.position, body.rotation = drawn.position, drawn.rotation


def joined(frame: list[Drawn]) -> list[Drawn]:
    """The shapes of a frame, with consecutive triangles at one place merged to one mesh."""
    found: list[Drawn] = []
    for drawn in frame:
        before = found[-1] if found else None
        if before is not None and drawn.shape == before.shape == "triangles" and _belong_together(drawn, before):
            found[-1] = replace(drawn, sizes=before.sizes + drawn.sizes)
        else:
            found.append(drawn)
    return found


def _belong_together(one: Drawn, other: Drawn) -> bool:
    same_place = np.array_equal(one.position, other.position) and np.array_equal(one.rotation, other.rotation)
    return same_place and (one.colour, one.texture) == (other.colour, other.texture)
