"""Run a scene and print a summary."""

from __future__ import annotations

import argparse

from opendynamics.cli.arguments import add_duration, add_json
from opendynamics.cli.errors import Interrupted
from opendynamics.cli.recorder import add_record, play_recorded
from opendynamics.cli.report import print_json, print_summary
from opendynamics.cli.sources import add_scene, list_scenes, opened, setting_words
from opendynamics.cli.viewing import add_view, show, wanted_seconds

DEFAULT = "wall"

EXAMPLES = """\
examples:
  opendynamics demo --list
  opendynamics demo wall --set rows=4 columns=8 ball=True
  opendynamics demo car --seconds 5 --json
  opendynamics demo pit --record pit.odr --with contacts velocities
  opendynamics demo car --view
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_scene(parser, DEFAULT)
    parser.add_argument("--list", action="store_true", help="list the scenes, with what can be set of each")
    add_duration(parser)
    add_record(parser)
    add_json(parser)
    add_view(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.list:
        _list_scenes(options.json)
        return 0
    with opened(options.scene, options.set) as source:
        if options.view:
            return show(options, source, wanted_seconds(options, source.scene))
        summary, well = play_recorded(options, source)
    print_summary(summary, options.json)
    if summary.interrupted:
        raise Interrupted
    return 0 if well else 1


def _list_scenes(as_json: bool) -> None:
    listed = list_scenes()
    if as_json:
        print_json(listed)
        return
    width = max(len(scene["name"]) for scene in listed)
    for scene in listed:
        print(f"{scene['name']:<{width}}  {scene['description']}")
        words = setting_words(scene["options"])
        if words:
            print(f"{'':<{width}}  --set {' '.join(words)}")
