"""Take pictures and films of a scene, without a display.

Several files may be written in one run. Ctrl-C ends films early; they remain playable.
"""

from __future__ import annotations

import argparse
import math
import re
from dataclasses import asdict
from typing import Any

from opendynamics.api.describing import count
from opendynamics.cli.arguments import add_json, not_negative, positive
from opendynamics.cli.errors import Interrupted, UserError
from opendynamics.cli.filming import Plan, Taken, film
from opendynamics.cli.report import number, print_json, print_rows
from opendynamics.cli.sources import add_scene, opened
from opendynamics.scenes import Scene
from opendynamics.viewer.pictures.backends import BACKENDS
from opendynamics.viewer.pictures.camera import MAX_PIXELS, Camera
from opendynamics.viewer.pictures.extras import require
from opendynamics.viewer.pictures.ffmpeg import require_ffmpeg
from opendynamics.viewer.pictures.files import checked_path
from opendynamics.viewer.pictures.marks import MARKS
from opendynamics.viewer.pictures.renderer import COLORS, QUALITY, effort_of, up_of

EXAMPLES = """\
examples:
  opendynamics render wall --png wall.png --at 2.5
  opendynamics render pit --mp4 pit.mp4 --seconds 5 --fps 30 --size 1280x720
  opendynamics render my_scene.py --gif clip.gif --seconds 2 --size 480x270 --quality draft
  opendynamics render chain --png chain.png --at 1 --show joints --camera 3,-8,5 --target 2,0,4
"""

PATHS = 16  # of the path tracer, for each of those samples

SUFFIXES = {"png": (".png",), "mp4": (".mp4",), "gif": (".gif",), "webp": (".webp",)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_scene(parser)
    files = parser.add_argument_group("files")
    files.add_argument("--png", metavar="FILE", help="a picture, at the time --at")
    for kind in ("mp4", "gif", "webp"):
        files.add_argument(f"--{kind}", metavar="FILE", help="a film, of --seconds")
    files.add_argument(
        "--at", type=not_negative("a time", "2.5"), metavar="T", help="simulated seconds (default: the scene's)"
    )
    files.add_argument("--seconds", type=positive("a time"), metavar="T", help="how long (default: the scene's)")
    files.add_argument("--fps", type=positive("a number of frames"), metavar="N", default=30.0, help="(default: 30)")
    files.add_argument(
        "--speed", type=positive("a speed"), metavar="X", default=1.0, help="0.25 is slow motion (default: 1)"
    )
    look = parser.add_argument_group("look")
    look.add_argument("--size", type=_size, metavar="WxH", default=(1280, 720), help="pixels (default: 1280x720)")
    look.add_argument("--quality", choices=QUALITY, default="normal", help="(default: normal)")
    look.add_argument("--backend", choices=BACKENDS, default="rays", help="mitsuba: a path tracer (default: rays)")
    look.add_argument("--camera", type=_point, metavar="X,Y,Z", help="where to look from, m (default: the scene's)")
    look.add_argument("--target", type=_point, metavar="X,Y,Z", help="where to look, m")
    look.add_argument(
        "--fov", type=positive("an angle"), metavar="DEG", default=40.0, help="angle of view (default: 40)"
    )
    look.add_argument("--frame", action="store_true", help="place the camera so that all bodies are in the picture")
    look.add_argument("--colours", choices=COLORS, default="body", help="(default: body)")
    look.add_argument("--show", choices=MARKS, nargs="+", default=[], help="marks")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    _check_files(options)
    with opened(options.scene, options.set) as source:
        plan = _plan(options, source.scene)
        try:
            taken = film(source, plan)
        except (OSError, ImportError) as error:
            raise UserError(str(error)) from error
    _report(taken, options)
    if taken.interrupted:
        raise Interrupted
    return 1 if taken.faults else 0


def _check_files(options: argparse.Namespace) -> None:
    """Whether everything can be written, before anything is built."""
    wanted = {kind: getattr(options, kind) for kind in SUFFIXES if getattr(options, kind) is not None}
    if not wanted:
        raise UserError("no output file is given; give --png, --mp4, --gif or --webp with the path of a file")
    try:
        for kind, path in wanted.items():
            checked_path(path, SUFFIXES[kind], f"what --{kind} writes")
            if kind == "png":
                require("PIL.Image", "pillow", "render")
            else:
                require_ffmpeg()
        if options.backend == "mitsuba":
            require("mitsuba", "mitsuba", "render-mitsuba")
            if options.show:
                raise ValueError("--show needs the backend 'rays': leave out --backend mitsuba")
    except (OSError, ValueError, ImportError) as error:
        raise UserError(str(error)) from None


def _plan(options: argparse.Namespace, scene: Scene) -> Plan:
    effort = effort_of(options.quality)
    settings: dict[str, Any] = effort | {"show": options.show}
    if options.backend == "mitsuba":
        settings = {"samples": PATHS * effort["samples"]}
    return Plan(
        stills=((options.png, scene.moment if options.at is None else options.at),) if options.png is not None else (),
        films=tuple(path for path in (options.mp4, options.gif, options.webp) if path is not None),
        seconds=options.seconds if options.seconds is not None else scene.seconds,
        fps=options.fps,
        speed=options.speed,
        camera=_camera(options, scene),
        settings=settings | {"size": options.size, "colors": options.colours},
        backend=options.backend,
    )


def _camera(options: argparse.Namespace, scene: Scene) -> Camera | None:
    if options.frame:
        if options.camera or options.target:
            raise UserError("--frame places the camera: leave out --camera and --target, or --frame")
        return None
    if scene.camera is Scene.camera and not options.camera and not options.target:
        return None  # the scene has no camera
    try:
        where, at = options.camera or scene.camera, options.target or scene.target
        return Camera(where, at, tuple(up_of(scene.world)), options.fov)
    except ValueError as error:
        raise UserError(str(error)) from None


def _report(taken: Taken, options: argparse.Namespace) -> None:
    if options.json:
        print_json(asdict(taken))
        return
    width, height = taken.size
    rows = [("wrote", path) for path in taken.files]
    rows.append(("size", f"{width} x {height}" + (f", {count(taken.frames, 'frame')}" if taken.frames else "")))
    rows.append(("simulated", f"{number(taken.simulated)} s"))
    if taken.interrupted:
        rows.append(("interrupted", "by Ctrl-C; the files hold what was seen until then"))
    if taken.faults:
        rows.append(("faults", f"{count(len(taken.faults), 'body')} frozen, as the motion is not finite"))
    print_rows(taken.scene, rows)


def _size(word: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)x(\d+)", word)
    if not found or not all(1 <= int(side) <= MAX_PIXELS for side in found.groups()):
        raise argparse.ArgumentTypeError(
            f"{word!r} is not a size; write width x height in pixels, like 1280x720, each at most {MAX_PIXELS}"
        )
    return int(found[1]), int(found[2])


def _point(word: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in word.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"{word!r} is not a point; write x,y,z in metres, like 3,-8,5")
    return numbers
