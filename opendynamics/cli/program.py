"""Runs a command line; exit status: 0 success, 1 failure, 2 wrong usage, 130 interrupted."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

import opendynamics
from opendynamics.cli.errors import Interrupted, UserError
from opendynamics.cli.nearest import did_you_mean, one_of
from opendynamics.core.families import Family

PROGRAM = "opendynamics"
COMMANDS = Family("opendynamics.cli.commands")

EXAMPLES = """\
examples:
  opendynamics demo                          a wall of bricks, with a summary
  opendynamics demo --list                   the built-in scenes
  opendynamics demo car --seconds 5 --json
  opendynamics view pit                      live in the browser
  opendynamics run my_scene.py               a scene of your own
  opendynamics demo pit --record pit.odr     a recording, to look at, plot and export
  opendynamics plot pit.odr --what energy
  opendynamics render pit --mp4 pit.mp4      a film of a scene
  opendynamics warmup                        compile everything ahead of time
  opendynamics doctor                        checks that everything needed is installed

exit status:
  0 success; 1 failure: the run deviates from its recording, a recording could not be written, bodies were frozen, a script
  failed, the doctor found something broken; 2 wrong usage; 130 interrupted
"""


# The scene determines the step size, as its controller depends on it.
STEP_WORDS = ("--h", "--dt", "--timestep", "--time-step", "--step")
STEP_SIZE = "a scene has its own step size: in a script's build(), return Scene(world, h=0.005)"


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, with the most similar valid word."""

    def error(self, message: str) -> NoReturn:
        """Report the error, and exit with status 2."""
        several = re.fullmatch(r"ambiguous option: (\S+) could match (.*)", message)
        if several is not None:
            message = f"{several[1]!r} may be {several[2].replace(', ', ' or ')}"
        if several is not None and several[1].partition("=")[0] in STEP_WORDS:
            message = f"unrecognized arguments: {several[1]}"
        unknown = re.fullmatch(r"unrecognized arguments: (.*)", message, re.DOTALL)
        if unknown is not None:
            word = unknown[1].split()[0]
            name = word.partition("=")[0]
            message = f"there is no argument {word!r}; {STEP_SIZE if name in STEP_WORDS else did_you_mean(name, self._words())}"
        missing = re.fullmatch(r"the following arguments are required: (.*)", message)
        if missing is not None:
            message = f"{missing[1]} is missing"
            if missing[1] == "COMMAND":
                message += f"; there are: {', '.join(COMMANDS.names)}"
        message = message.strip().rstrip("?").removesuffix(";")
        last = message.rpartition(";")[2]
        mark = "?" if "did you mean" in last and "? " not in last else ""
        self.exit(2, f"opendynamics: {message}{mark}{'' if mark else '.'} `{self.prog} --help` lists what there is\n")

    def _words(self) -> list[str]:
        """All options of this command."""
        return list(self._option_string_actions)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            is_command = isinstance(action, argparse._SubParsersAction)
            noun = "command" if is_command else f"{action.dest} for {'/'.join(action.option_strings)}"
            raise argparse.ArgumentError(None, f"there is no {noun} {value!r}; {one_of(str(value), names)}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Each command parses all of its words, so that it reports unknown ones itself."""
        first = str(args[0]).partition("=")[0] if args and self.prog == PROGRAM else ""
        if first.startswith("-") and first not in self._words():
            self.error(f"unrecognized arguments: {first}")
        found, rest = super().parse_known_args(args, namespace)
        if rest and self.prog != PROGRAM:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = Parser(
        prog=PROGRAM,
        description="Articulated rigid-body dynamics: runs, shows, records and plots scenes.",
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


def with_points(words: Sequence[str]) -> list[str]:
    """The words, with points whose first coordinate is negative joined to their option: `--camera -3,8,5`.

    The parser recognises numbers with a minus sign, but takes such points for unknown options.
    """
    found: list[str] = []
    for word in words:
        if found and re.fullmatch(r"--[a-z]+", found[-1]) and re.match(r"-[\d.][^,]*,", word):
            found[-1] += f"={word}"
        else:
            found.append(word)
    return found


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning in the format of the command line, without the line of code that caused it."""
    print(f"opendynamics: {message}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; `arguments` are by default those of the process."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            options = make_parser().parse_args(with_points(sys.argv[1:] if arguments is None else arguments))
            status: int = options.run(options)
        sys.stdout.flush()
    except UserError as error:
        print(f"opendynamics: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as interruption:
        why = "" if isinstance(interruption, Interrupted) else " before there was anything to report"
        print(f"\nopendynamics: interrupted{why}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has exited (`| head`). Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status
