"""The command line: `opendynamics COMMAND ...`. One file of `commands` is one command."""

from opendynamics.cli.program import main

__all__ = ["main"]
