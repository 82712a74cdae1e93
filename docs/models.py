"""Makes the picture of robot models, one small picture each.

    python docs/models.py [FOLDER]

shows those in a folder, the test data unless given, which lacks some large meshes.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

from opendynamics.cli.errors import UserError
from opendynamics.cli.robots import model_scene
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.renderer import Renderer

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "tests" / "data" / "models"
SHEET = ROOT / "docs" / "pictures" / "models.jpg"

# pixels of one picture, and how many stand side by side.
SIZE, ACROSS = (180, 150), 8


def main(folder: Path) -> None:
    """Picture every model of a folder that can be shown."""
    from PIL import Image, ImageDraw

    tiles = []
    for path in sorted([*folder.rglob("*.body"), *folder.rglob("*.urdf"), *folder.glob("legacy*/**/*.wrl")]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                scene = model_scene(path)
            except UserError as error:
                print(f"{path.name}: {error}")
                continue
        if not len(scene.world.geoms):
            print(f"{path.name}: has no shapes")
            continue
        renderer = Renderer(scene.world, size=SIZE, samples=4, shadows=2, ambient=2)
        picture = Image.fromarray(np.asarray(renderer.render(Camera(scene.camera, scene.target))))
        ImageDraw.Draw(picture).text((4, 2), path.name, fill=(20, 20, 20))
        tiles.append(picture)
    rows = -(-len(tiles) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * SIZE[0], rows * SIZE[1]), (255, 255, 255))
    for place, tile in enumerate(tiles):
        sheet.paste(tile, (place % ACROSS * SIZE[0], place // ACROSS * SIZE[1]))
    sheet.save(SHEET, quality=80)
    print(f"{len(tiles)} models in {SHEET}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else MODELS)
