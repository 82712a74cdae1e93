"""The command line: `opendynamics COMMAND ...`. One file of `commands` is one command."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; Ctrl-C during imports exits silently."""
    try:
        from opendynamics.cli.program import main as run
    except KeyboardInterrupt:
        return 130
    return run(arguments)
