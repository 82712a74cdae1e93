"""Check that opendynamics can work here, and say what is missing.

Checks Python and the required packages, the processor and its threads, the folder for compiled kernels, the compiler,
the extras, a port for the viewer and ffmpeg for films; then simulates a falling body, a sliding box and a pendulum, and
compares with known results. The exit status is 1 if something is broken; anything that is only missing is optional.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from opendynamics.api.progress import progress
from opendynamics.cli.arguments import add_json
from opendynamics.cli.checks import BROKEN, CHECKS, FINE, MISSING, Finding, examine, in_order
from opendynamics.cli.report import print_json

EXAMPLES = """\
examples:
  opendynamics doctor
  opendynamics doctor --json > doctor.json      to send along with a report
"""

SIGNS = {FINE: "ok", MISSING: "--", BROKEN: "!!"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    names, found = in_order(), list[Finding]()
    with progress(len(names), "checking") as update:
        for k, name in enumerate(names):
            update(k, f"checking {CHECKS[name].TITLE}")
            found += examine(name)
    broken = [finding.title for finding in found if finding.state == BROKEN]
    if options.json:
        print_json({"well": not broken, "findings": [asdict(finding) for finding in found]})
    else:
        _print(found, broken)
    return 1 if broken else 0


def _print(found: list[Finding], broken: list[str]) -> None:
    width = max(len(finding.title) for finding in found)
    for finding in found:
        print(f"{SIGNS[finding.state]}  {finding.title:<{width}}  {finding.text}")
        if finding.remedy:
            print(f"    {'':<{width}}  {finding.remedy}")
    print(f"\nbroken: {', '.join(broken)}" if broken else "\nEverything that is needed works.")
