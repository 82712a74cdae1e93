"""Tables for the documentation from what ``python -m benchmarks.run --json FILE`` measured: ``python -m benchmarks.table FILE``.

For each stepper: milliseconds a step of this engine, its time relative to each other engine's (below 1 is faster), and the errors
that the engines end with, in millimetres: the deepest overlap in scenes with contacts, the largest gap of a joint in others.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.run import STEPPERS, number, spread

OURS = "opendynamics"


def lines(cases: Sequence[dict[str, Any]], stepper: str) -> list[str]:
    """The rows of a table in Markdown, its heading first."""
    own = [case for case in cases if case["stepper"] == stepper and OURS in case["ms_per_step"]]
    others = list(dict.fromkeys(name for case in own for name in case["ms_per_step"] if name != OURS))
    heading = ["scene", "ms a step", *(f"relative to {name}" for name in others), "error, mm"]
    rows = [heading, ["---"] * len(heading)]
    for case in own:
        ratios = [spread(case["ratios"].get(name, [])).replace("-", "–") for name in others]
        rows.append([case["scene"], spread(case["ms_per_step"][OURS]).replace("-", "–"), *ratios, errors(case, others)])
    return [f"| {' | '.join(row)} |" for row in rows]


def errors(case: dict[str, Any], others: Sequence[str]) -> str:
    """This engine's error, and in brackets those of the others."""
    found = {name: max(one["depth"], one["joint"]) * 1e3 for name, one in case["errors"].items()}
    theirs = ", ".join(f"{name} {number(found[name])}" for name in others if name in found)
    return number(found[OURS]) + (f" ({theirs})" if theirs else "")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    chosen = parser.parse_args(arguments)
    measured = json.loads(chosen.file.read_text())
    for name, fact in measured["machine"].items():
        print(f"{name}: {fact}")
    for stepper in STEPPERS:
        print(f"\n## {stepper}\n", *lines(measured["cases"], stepper), sep="\n")


if __name__ == "__main__":
    main()
