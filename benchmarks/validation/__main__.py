"""``python -m benchmarks.validation [TOPIC ...]`` measures and writes docs/validation.md.

With topics it measures only those, and prints them instead. 1 if a goal is not reached.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import benchmarks.validation as family
from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = "pictures/validation"

HEAD = """# Validation

Where engines usually are wrong, measured: each table has the figure of opendynamics, its goal, and the figures of ODE
({ode}) and of MuJoCo where it can run the scene. `python -m benchmarks.validation` writes this page. Each goal is also a test
(`tests/laws`), at smaller size. Defaults are those of `od.World()`; [where they differ from ODE's](deviations.md) is listed, and
`od.World(like="ode")` brings ODE's back.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    names = sorted(module.name for module in pkgutil.iter_modules(family.__path__) if not module.name.startswith("_"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="only these: " + ", ".join(names))
    chosen = parser.parse_args(arguments).topics
    if unknown := sorted(set(chosen) - set(names)):
        parser.error(f"unknown topics: {', '.join(unknown)}; write some of: {', '.join(names)}")
    parts, reached = [HEAD.format(ode="libode, double precision" if LibOde.available() else "not installed")], True
    for name in chosen or names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        topic = importlib.import_module(f"{family.__name__}.{name}")
        rows: list[Row] = topic.measure()
        parts.append(section(topic, rows, picture_of(name, topic)))
        reached = reached and all(row.reached for row in rows)
        if chosen:
            print(parts[-1], flush=True)
    if not chosen:
        (DOCS / "validation.md").write_text("\n".join(parts))
    return 0 if reached else 1


def picture_of(name: str, topic: ModuleType) -> str:
    """Draw the topic's plot; the path of the picture within docs, or none."""
    if not hasattr(topic, "plot"):
        return ""
    (DOCS / PICTURES).mkdir(parents=True, exist_ok=True)
    path = f"{PICTURES}/{name}.svg"
    topic.plot(DOCS / path)
    return path


def section(topic: ModuleType, rows: Sequence[Row], picture: str) -> str:
    """The topic as Markdown."""
    lines = [f"## {topic.TITLE}", "", topic.TEXT.strip(), ""]
    lines += ["| | opendynamics | goal | ODE | MuJoCo |", "|---|---|---|---|---|"]
    for row in rows:
        goal = row.goal if row.reached else f"**{row.goal}: not reached**"
        lines.append(f"| {row.what} | {number(row.figure)} | {goal} | {number(row.ode)} | {number(row.mujoco)} |")
    if picture:
        lines += ["", f"![{topic.TITLE}]({picture})"]
    return "\n".join([*lines, ""])


def number(value: float | None) -> str:
    """A figure with three digits."""
    return "" if value is None else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
