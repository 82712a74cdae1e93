"""Show a scene live in the browser: play, pause, step, pick bodies and pull them.

Needs the extra `view`: pip install 'opendynamics[view]'. Only connections from this machine are accepted unless --host is given.
"""

from __future__ import annotations

import argparse

from opendynamics.cli.sources import add_scene, opened
from opendynamics.cli.viewing import add_end, add_serving, show

DEFAULT = "pit"

EXAMPLES = """\
examples:
  opendynamics view
  opendynamics view wall --set ball=True --paused
  opendynamics view my_scene.py --port 8080
  opendynamics view SR1.body
  opendynamics view car --host 0.0.0.0      for everyone who can reach this machine
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_scene(parser, DEFAULT)
    add_serving(parser)
    add_end(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    with opened(options.scene, options.set) as source:
        return show(options, source, options.seconds)
