"""`--record`: the arguments of commands that can record, and the recorder."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from opendynamics.cli.arguments import chosen_steps, count
from opendynamics.cli.errors import UserError
from opendynamics.cli.playing import Summary, play
from opendynamics.cli.sources import Source, require_playable
from opendynamics.io.recording.recorder import Recorder

MORE = {"velocities": "velocities", "contacts": "contacts", "forces": "joint_forces"}


def add_record(parser: argparse.ArgumentParser) -> None:
    """`--record` and related options."""
    group = parser.add_argument_group("recording")
    group.add_argument("--record", type=Path, metavar="FILE.odr", help="record what happens; Ctrl-C leaves it readable")
    group.add_argument("--every", type=count, default=1, metavar="N", help="record every Nth step only")
    group.add_argument(
        "--with", dest="more", nargs="+", choices=MORE, default=[], help="what to record besides poses and energies"
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="time the smaller stages of the steps, and count pairs, rows and iterations",
    )
    group.add_argument("--overwrite", action="store_true", help="replace a recording that is there already")


@contextmanager
def recorded(options: argparse.Namespace, source: Source) -> Iterator[Recorder | None]:
    """Context that records the scene's world, if the options request it."""
    if options.record is None:
        if options.more or options.every != 1 or options.overwrite:
            raise UserError("--every, --with and --overwrite say how to record: add --record FILE.odr")
        yield None
        return
    if options.record.suffix != ".odr":
        raise UserError(f"the name of a recording ends with .odr, so that other commands know it: {options.record}.odr")
    scene = source.scene
    about = {"scene": source.name, "camera": scene.camera, "target": scene.target, "note": scene.note, "h": scene.h}
    try:
        recorder = Recorder(
            scene.world,
            options.record,
            options.every,
            overwrite=options.overwrite,
            velocities="velocities" in options.more,
            contacts="contacts" in options.more,
            joint_forces="forces" in options.more,
            channels=scene.channels,
            about=about,
        )
    except (OSError, ValueError) as error:
        raise UserError(str(error)) from None
    with recorder:
        yield recorder


def play_recorded(options: argparse.Namespace, source: Source) -> tuple[Summary, bool]:
    """Play a scene and record it according to the options: the summary, and whether everything succeeded."""
    require_playable(source)
    with recorded(options, source) as recorder:
        summary = play(source.name, source.scene, chosen_steps(options, source.scene), profile=options.profile)
    well = not summary.faults
    if recorder is not None:
        facts: dict[str, str | int] = {"file": str(recorder.path), "frames": recorder.frames}
        summary = replace(summary, recording=facts | {"bytes": recorder.path.stat().st_size})
        well = well and recorder.error is None
    return summary, well
