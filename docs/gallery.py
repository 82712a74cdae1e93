"""Makes the gallery: a page with a picture and a clip of every registered scene, and one with a picture of every example.

    python docs/gallery.py [NAME ...]        (make gallery)

With names of scenes or examples, only their pictures are made anew; `hero` and `film` are those of the README. The pages
always list all.
"""

from __future__ import annotations

import ast
import itertools
import json
import math
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opendynamics import scenes
from opendynamics.api.spaces.space import Space
from opendynamics.cli.filming import Plan, film
from opendynamics.cli.sources import Source, setting_words, settings
from opendynamics.scenes import SCENES, Scene, Vector
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.renderer import up_of
from opendynamics.viewer.pictures.video import Video

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures" / "gallery"
EXAMPLES = DOCS.parent / "examples"
EXAMPLE_PICTURES = DOCS / "pictures" / "examples"

# Scenes that are shown otherwise than they are built without options.
VARIED: dict[str, dict[str, Any]] = {"wall": {"ball": True}}

# Bodies that films follow, and where the camera and its target are from there, m along the ground.
FOLLOWED: dict[str, tuple[str, Vector, Vector]] = {"car": ("chassis", (-1.2, -5.2, 2.3), (0.9, 0.0, 0.3))}

STILL, CLIP, SMALL = (800, 450), (400, 225), (480, 270)
SECONDS, FPS = 5.0, 12.0
FINE, QUICK = {"samples": 12, "shadows": 4, "ambient": 4}, {"samples": 4, "shadows": 2, "ambient": 2}

# The picture of the README.
HERO = DOCS / "pictures" / "hero.jpg"
HERO_SCENE, HERO_OPTIONS = "terrain", {"bodies": 130}
HERO_MOMENT, HERO_SIZE = 2.4, (1280, 560)
HERO_CAMERA = Camera((4.5, -4.95, 2.75), (0.45, -0.1, 0.16), field_of_view=31)

# The film of the README: scenes, options, and what is shown of each, s.
FILM, FILM_SIZE, FILM_FPS = DOCS / "pictures" / "film.webp", (600, 320), 15.0
FILM_PARTS: tuple[tuple[str, dict[str, Any], float, float], ...] = (
    ("wall", {"ball": True, "rows": 8, "columns": 8}, 0.1, 1.7),
    ("walker", {}, 1.0, 3.0),
    ("car", {}, 1.4, 3.6),
    ("terrain", {}, 0.5, 2.1),
)

# Examples by subject, in the order of the page.
SUBJECTS = {
    "First steps": ("hello", "classic_loop", "contact_forces", "collision_filters", "trigger_zone", "pyode_port"),
    "Classics": (
        "slope", "newtons_cradle", "dominoes", "brick_wall", "card_house", "arch", "pit", "pendulum_wave",
        "chain_and_whip", "spinning_tops",
    ),
    "Vehicles": ("car", "suspension_car", "tank_tracks"),
    "Mechanisms": (
        "slider_crank_engine", "gear_train", "jansen_walker", "crane", "breaking_bridge", "conveyor",
        "kinematic_lift", "spring_tuning",
    ),
    "Robots and control": (
        "arm_pd_torques", "arm_inverse_kinematics", "cart_pole", "gripper", "quadruped_gait", "ragdolls_on_stairs",
        "lidar", "force_and_inertial_sensors", "planning",
    ),
    "Shapes and speed": ("mesh_on_terrain", "constant_width", "bullet_through_thin_wall"),
    "Recordings": ("recording", "notebook"),
}  # fmt: skip

SOURCES = "https://github.com/opendynamics/opendynamics/blob/main/examples"

HEAD = """\
# Gallery

<!-- Made by `make gallery`; changes by hand are lost. -->

The built-in scenes. Each runs with `opendynamics demo NAME`. The pictures and clips on this page were rendered by the project's
own [renderer](rendering.md), like those of `opendynamics render NAME`, without a display. The [examples](examples.md) are
programs of at most 80 lines, with a picture of each.
"""

EXAMPLES_HEAD = """\
# Examples

<!-- Made by `make gallery`; changes by hand are lost. -->

Each example is a stand-alone program of at most 80 lines that prints its results; the tests run it and, where possible, compare
its results with theory. `opendynamics view FILE` shows it in the browser, `opendynamics render FILE --png PICTURE` renders the
picture. The [tutorials](tutorials.md) are shorter still; the [gallery](gallery.md) has the built-in scenes.
"""


TAIL = """\
## Robot models

![Robot models](pictures/models.jpg)

Choreonoid's sample models, as `opendynamics view SR1.body` and `opendynamics render SR1.body --png sr1.png` show them;
rendered by `python docs/models.py FOLDER`. [Robots](robots.md) explains how to load and simulate them.
"""


def main(arguments: Sequence[str]) -> int:
    """Render the pictures of the named scenes, or of all, and write the pages."""
    known = ("hero", "film", *SCENES.names, *examples())
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"there is no scene {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for folder in (PICTURES, EXAMPLE_PICTURES):
        folder.mkdir(parents=True, exist_ok=True)
    for name in arguments or known:
        print(name, flush=True)
        if name == "hero":
            take_hero()
        elif name == "film":
            take_film()
        elif name in SCENES.names:
            take(name)
        if name in examples():
            take_example(name)
    (DOCS / "gallery.md").write_text(page(), encoding="utf-8")
    (DOCS / "examples.md").write_text(examples_page(), encoding="utf-8")
    return 0


def take(name: str) -> None:
    """Picture and clip of a scene."""
    scene = _build(name)
    camera = camera_of(scene)
    still = str(PICTURES / f"{name}.jpg")
    film(Source(name, scene), Plan(stills=((still, scene.moment),), camera=camera, settings={"size": STILL, **FINE}))
    with Video(PICTURES / f"{name}.webp", fps=FPS, size=CLIP, **QUICK) as clip:
        add_frames(clip, name, _build(name), 0.0, min(SECONDS, scene.seconds))


def add_frames(video: Video, name: str, scene: Scene, first: float, last: float) -> None:
    """Run a scene up to `last` s, and record it from `first` s on in a video."""
    frame = math.ceil(first * video.fps)
    for step in itertools.chain((0,), scene.play(round(last / scene.h))):
        while frame < last * video.fps and round(frame / video.fps / scene.h) == step:
            video.add(scene.world, film_camera(name, scene))
            frame += 1


def film_camera(name: str, scene: Scene) -> Camera:
    """Camera of a film: it follows a body, if there is one to follow."""
    if name not in FOLLOWED:
        return camera_of(scene)
    body, position, target = FOLLOWED[name]
    x, y, _ = scene.world.find(body).position
    return Camera((x + position[0], y + position[1], position[2]), (x + target[0], y + target[1], target[2]))


def take_example(name: str) -> None:
    """Picture of an example: of its scene, or of its world as the program leaves it."""
    found = load_example(name)
    scene = found["build"]() if "build" in found else Scene(found["world"])
    camera = camera_of(scene) if "build" in found else None
    still = str(EXAMPLE_PICTURES / f"{name}.jpg")
    spaces = [value for value in found.values() if isinstance(value, Space)]
    settings = {"size": SMALL, "spaces": spaces, **FINE}
    film(Source(name, scene), Plan(stills=((still, scene.moment),), camera=camera, settings=settings))


def camera_of(scene: Scene) -> Camera:
    """Camera of a scene, with the up direction of its world."""
    return Camera(scene.camera, scene.target, tuple(up_of(scene.world)))


def load_example(name: str) -> dict[str, Any]:
    """Names defined by an example; a program without `build` is run, and a notebook up to the cell that defines it."""
    path = example_path(name)
    if path.suffix == ".py":
        text = path.read_text(encoding="utf-8")
        return runpy.run_path(str(path), run_name="example" if "\ndef build(" in text else "__main__")
    scope: dict[str, Any] = {}
    for cell in notebook_cells(path, "code"):
        if "build" not in scope:
            exec(compile(cell, str(path), "exec"), scope)
    return scope


def examples() -> list[str]:
    """Names of all examples, in the order of the page."""
    return [name for names in SUBJECTS.values() for name in names]


def example_path(name: str) -> Path:
    """Path of an example."""
    (path,) = (path for path in EXAMPLES.glob(f"{name}.*") if path.suffix in (".py", ".ipynb"))
    return path


def notebook_cells(path: Path, kind: str) -> list[str]:
    """Cells of a notebook of one kind."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def take_hero() -> None:
    """The picture of the README."""
    source = Source("hero", scenes.build(HERO_SCENE, **HERO_OPTIONS))
    plan = Plan(stills=((str(HERO), HERO_MOMENT),), camera=HERO_CAMERA, settings={"size": HERO_SIZE, **FINE})
    film(source, plan)


def take_film() -> None:
    """The film of the README: some scenes, one after another."""
    with Video(FILM, fps=FILM_FPS, quality="normal", size=FILM_SIZE, progress=True) as video:
        for name, options, first, last in FILM_PARTS:
            add_frames(video, name, scenes.build(name, **options), first, last)


def page() -> str:
    """The page about all scenes."""
    return "\n".join([HEAD, *map(section, SCENES.names), TAIL])


def examples_page() -> str:
    """The page about all examples."""
    parts = [EXAMPLES_HEAD]
    for subject, names in SUBJECTS.items():
        parts += [f"## {subject}\n", *map(example_section, names)]
    return "\n".join(parts)


def example_section(name: str) -> str:
    """The section of one example: its docstring, or the first cell of a notebook."""
    path = example_path(name)
    if path.suffix == ".py":
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    else:
        text = notebook_cells(path, "markdown")[0].partition("\n")[2].strip()
    title = name.replace("_", " ").capitalize()
    file = f"[examples/{path.name}]({SOURCES}/{path.name})"
    return f"### {title}\n\n![{title}](pictures/examples/{name}.jpg)\n\n{text}\n\n{file}\n"


def section(name: str) -> str:
    """The section of one scene."""
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
