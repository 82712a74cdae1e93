"""Makes the gallery: a page, and a picture and a short clip of every registered scene. Run it by `make gallery`.

    python docs/gallery.py [SCENE ...]

With names, only their pictures are made anew; `hero` is that of the README. The page always lists all.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opendynamics import scenes
from opendynamics.cli.filming import Plan, film
from opendynamics.cli.sources import Source, setting_words, settings
from opendynamics.scenes import SCENES, Scene
from opendynamics.viewer.pictures.camera import Camera

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures" / "gallery"

# Scenes that are shown otherwise than they are built without options.
VARIED: dict[str, dict[str, Any]] = {"wall": {"ball": True}}

STILL, CLIP = (800, 450), (400, 225)
SECONDS, FPS = 5.0, 12.0
FINE, QUICK = {"samples": 12, "shadows": 4, "ambient": 4}, {"samples": 4, "shadows": 2, "ambient": 2}

# The picture of the README.
HERO = DOCS / "pictures" / "hero.jpg"
HERO_SCENE, HERO_OPTIONS = "terrain", {"bodies": 130}
HERO_MOMENT, HERO_SIZE = 2.4, (1280, 560)
HERO_CAMERA = Camera((4.5, -4.95, 2.75), (0.45, -0.1, 0.16), field_of_view=31)

HEAD = """\
# Gallery

<!-- Made by `make gallery`; what is changed here by hand is lost. -->

The built-in scenes. Each runs with `opendynamics demo NAME`; pictures and clips on this page were made by
the project's own [renderer](rendering.md), as `opendynamics render NAME` does it, without a display.
"""


def main(arguments: Sequence[str]) -> int:
    """Make the pictures of the scenes that are named, or of all, and the page."""
    known = ("hero", *SCENES.names)
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"there is no scene {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in arguments or known:
        print(name, flush=True)
        if name == "hero":
            take_hero()
        else:
            take(name)
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")
    return 0


def take(name: str) -> None:
    """Picture and clip of a scene."""
    scene = _build(name)
    camera = Camera(scene.camera, scene.target)
    still = str(PICTURES / f"{name}.jpg")
    film(Source(name, scene), Plan(stills=((still, scene.moment),), camera=camera, settings={"size": STILL, **FINE}))
    clip = str(PICTURES / f"{name}.webp")
    seconds = min(SECONDS, scene.seconds)
    plan = Plan(films=(clip,), seconds=seconds, fps=FPS, camera=camera, settings={"size": CLIP, **QUICK})
    film(Source(name, _build(name)), plan)


def take_hero() -> None:
    """The picture of the README."""
    source = Source("hero", scenes.build(HERO_SCENE, **HERO_OPTIONS))
    plan = Plan(stills=((str(HERO), HERO_MOMENT),), camera=HERO_CAMERA, settings={"size": HERO_SIZE, **FINE})
    film(source, plan)


def page() -> str:
    """The page about all scenes."""
    return "\n".join([HEAD, *map(section, SCENES.names)])


def section(name: str) -> str:
    """What the page says of one scene."""
    options = " ".join(setting_words(settings(SCENES[name].build)))
    shown = " ".join(f"{key}={value}" for key, value in VARIED.get(name, {}).items())
    command = f"opendynamics demo {name}" + (f" --set {shown}" if shown else "")
    return f"""\
## {name}

{scenes.describe(name)} {_build(name).note}

| | |
|---|---|
| ![{name}](pictures/gallery/{name}.jpg) | ![{name}, moving](pictures/gallery/{name}.webp) |

    {command}

Can be set: `{options}`
"""


def _build(name: str) -> Scene:
    return scenes.build(name, **VARIED.get(name, {}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
