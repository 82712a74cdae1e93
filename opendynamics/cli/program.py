"""From the words of a command line to an exit status: 0 done, 1 done but not well, 2 misused, 130 interrupted."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import opendynamics
from opendynamics.cli.errors import UserError
from opendynamics.core.families import Family

COMMANDS = Family("opendynamics.cli.commands")

EXAMPLES = """\
examples:
  opendynamics demo                          a wall of bricks, with a summary
  opendynamics demo --list                   the scenes that come along
  opendynamics demo car --seconds 5 --json
  opendynamics view pit                      live in the browser
  opendynamics run my_scene.py               a scene of your own
  opendynamics warmup                        compile everything ahead of time

exit status:
  0 done; 1 done, but a recording was not met, bodies were frozen or a script failed; 2 misused; 130 interrupted
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(
        prog="opendynamics",
        description="Articulated rigid-body dynamics: runs scenes and tells how that went.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"opendynamics {opendynamics.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS.names:
        member = COMMANDS[name]
        text = (member.__doc__ or "").strip()
        command = commands.add_parser(
            name,
            help=text.splitlines()[0].rstrip("."),
            description=text,
            epilog=getattr(member, "EXAMPLES", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        member.add_arguments(command)
        command.set_defaults(run=member.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; `arguments` are those of the process unless given."""
    try:
        options = make_parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
    except UserError as error:
        print(f"opendynamics: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nopendynamics: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`). Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status
