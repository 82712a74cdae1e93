"""Renders the pictures of the live view for the documentation, with Chromium: python -m tests.viewer.live_pictures
docs/pictures
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

import opendynamics as od
from opendynamics import scenes
from opendynamics.viewer.live.viewer import Viewer
from tests.viewer.chromium import PATIENCE, Chromium
from tests.viewer.fake_browser import until

# From where the car is seen: camera and target, m.
NEAR = {"camera": (0.4, -5.6, 2.6), "target": (3.6, 0.0, 0.3)}

# Name, scene, options, what of it is other, s at which the picture is taken, overlays, colours, the body that is picked.
PICTURES = (
    ("live_wall", "wall", {"ball": True, "rows": 8, "columns": 8}, {}, 0.75, (), "body", None),
    ("live_pit", "pit", {}, {}, 2.0, ("contacts",), "body", None),
    ("live_overlays", "car", {}, NEAR, 1.6, ("contacts", "joints", "trails"), "body", 0),
)


def take(
    name: str, scene: scenes.Scene, seconds: float, overlays: tuple[str, ...], by: str, picked: int | None
) -> Image:
    with Viewer(scene, play=False, open_browser=False, quiet=True, name=name) as viewer:
        session = viewer._session
        looks = next(panel for panel in session.panels if "looks" in type(panel).__module__)
        for overlay in overlays:
            looks.boxes[overlay].value = True
        looks.colours.value = by
        looks.glass.value = name == "live_pit"
        viewer.play()
        until(lambda: viewer.time >= seconds)
        viewer.pause()
        if picked is not None:
            viewer.call(lambda: session.pick(viewer.world.bodies[picked].geoms[0]))
        chromium = Chromium(1280, 860)
        try:
            chromium.open(viewer.url)
            until(lambda: viewer._server.get_clients() and "standing still" in chromium.text, PATIENCE)
            until(lambda: chromium.picture().std() > 8 and "Software" in chromium.text, PATIENCE)
            chromium.close_notes()
            until(lambda: "Software" not in chromium.text, PATIENCE)
            return Image.fromarray(chromium.screen().astype(np.uint8))
        finally:
            chromium.close()


def main(folder: str) -> None:
    for name, scene, options, others, seconds, overlays, by, picked in PICTURES:
        built = replace(scenes.build(scene, **options), **others)
        picture = take(scene, built, seconds, overlays, by, picked)
        target = Path(folder) / f"{name}.png"
        picture.quantize(255, dither=Image.Dither.FLOYDSTEINBERG).save(target, optimize=True)
        print(f"{target}: {picture.width} x {picture.height}, {target.stat().st_size / 1000:.0f} kB, {od.__version__}")


if __name__ == "__main__":
    main(sys.argv[1])
