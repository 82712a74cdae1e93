"""A world in a notebook: its picture, with its `repr` below; only that where there is nothing to see or no way to write it."""

from __future__ import annotations

import base64
import html
import io
from typing import TYPE_CHECKING

from opendynamics.viewer.contents import geoms_of
from opendynamics.viewer.pictures.extras import require
from opendynamics.viewer.pictures.renderer import Renderer

if TYPE_CHECKING:
    from opendynamics.api.world import World

SIZE = (480, 270)  # pixels
SAMPLES, SHADOWS, AMBIENT = 2, 1, 0


def picture_page(world: World) -> str:
    """HTML of a small picture of the world as it is now."""
    words = f"<pre>{html.escape(repr(world))}</pre>"
    if not world.alive or not geoms_of(world):
        return words
    try:
        image = require("PIL.Image", "pillow", "render")
    except ImportError:
        return words
    picture = Renderer(world, SIZE, samples=SAMPLES, shadows=SHADOWS, ambient=AMBIENT).render()
    data = io.BytesIO()
    image.fromarray(picture).save(data, "png")
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}">{words}'
