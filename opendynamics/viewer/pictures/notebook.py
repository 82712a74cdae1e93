"""Worlds, bodies, geoms, meshes and recordings in a notebook: a picture, with the `repr` below.

Only the `repr` if nothing is visible, or no picture can be written.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from typing import Any

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.world import World
from opendynamics.viewer.contents import geoms_of
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.extras import require
from opendynamics.viewer.pictures.light import Light
from opendynamics.viewer.pictures.renderer import Picture, Renderer, Sight, extent_of, framed_boxes, up_of

SIZE = (480, 270)  # pixels
SAMPLES, SHADOWS, AMBIENT = 2, 1, 0


class _SightRenderer(Renderer):
    """Draws geoms whether or not they are in the world."""

    def picture(self, sight: Sight) -> Picture:
        return self._draw(sight)


def picture_page(thing: Any, world: World | None, looked_at: Sequence[Geom] | None = None) -> str:
    """HTML of a small picture of the current state of `thing`: of its world, such that its geoms fill the picture.

    Args:
        thing: the object whose `repr` is below.
        world: the shown world; None: only the geoms.
        looked_at: geoms in the view; by default all of the world.
    """
    words = f"<pre>{html.escape(repr(thing))}</pre>"
    seen = geoms_of(world) if world is not None and world.alive else tuple(looked_at or ())
    if not seen or (looked_at is not None and not len(framed_boxes(looked_at))):
        return words
    try:
        image = require("PIL.Image", "pillow", "render")
    except ImportError:
        return words
    shown = World() if world is None else world
    up = up_of(shown)
    boxes = framed_boxes(seen if looked_at is None else looked_at)
    camera = Camera.framing(boxes, up=up, aspect=SIZE[0] / SIZE[1])
    renderer = _SightRenderer(shown, SIZE, samples=SAMPLES, shadows=SHADOWS, ambient=AMBIENT)
    picture = renderer.picture(Sight(seen, camera, Light.above(up), up, extent_of(framed_boxes(seen), camera)))
    data = io.BytesIO()
    image.fromarray(picture).save(data, "png")
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}">{words}'
