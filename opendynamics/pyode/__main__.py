"""Run a script that imports `ode` and `xode`: python -m opendynamics.pyode [--raise] script.py [arguments]."""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from opendynamics.pyode.callbacks import raiseCallbackErrors
from opendynamics.pyode.names import provide


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the script given on the command line, with the remaining arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m opendynamics.pyode", description="Run a PyODE script with `ode` and `xode` of opendynamics."
    )
    parser.add_argument(
        "--raise", dest="raises", action="store_true", help="let exceptions of callbacks end the script"
    )
    parser.add_argument("script", help="file to run")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the script's own arguments")
    given = parser.parse_args(arguments)
    script = Path(given.script)
    if not script.is_file():
        parser.error(f"there is no file {given.script!r}")
    provide()
    raiseCallbackErrors(given.raises)
    sys.argv = [given.script, *given.arguments]
    sys.path.insert(0, str(script.resolve().parent))
    runpy.run_path(given.script, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
