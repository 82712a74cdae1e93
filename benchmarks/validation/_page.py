"""Results of topics, stored as JSON, and the page generated from them."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, settings

DOCS = Path(__file__).parents[2] / "docs"
KEPT = "pictures/validation"

HEAD = """# Validation

This page measures accuracy where engines are usually wrong. Each table has the figure of opendynamics, its goal, and the
figures of ODE (libode, double precision) and of MuJoCo where they can run the scene. A goal in bold is not reached.

`python -m benchmarks.validation` writes this page, topic by topic; if only a fraction of the samples was taken (`--samples`,
`--quick`), a note below the table gives it. Each goal is also tested at smaller size (`tests/laws`). Settings are the
defaults of `od.World()`, which [differ from ODE's in places](deviations.md); `od.World(like="ode")` restores ODE's.
"""


@dataclass(frozen=True)
class Result:
    """The measured result of a topic.

    Attributes:
        title, text: of the topic.
        rows: its figures.
        picture: path of the picture; empty if there is none.
        seconds: processor time, s.
        samples: fraction of the samples.
        when: day.
        where: machine and software versions.
    """

    title: str
    text: str
    rows: list[Row]
    picture: str
    seconds: float
    samples: float
    when: str
    where: str


def result_file(name: str) -> Path:
    """Path of the stored result of a topic."""
    return DOCS / KEPT / f"{name}.json"


def measure(name: str, topic: ModuleType) -> Result:
    """Measure a topic and store its result."""
    (DOCS / KEPT).mkdir(parents=True, exist_ok=True)
    start = time.process_time()
    rows, picture = topic.measure(), ""
    if hasattr(topic, "plot"):
        picture = f"{KEPT}/{name}.svg"
        topic.plot(DOCS / picture)
    spent = time.process_time() - start
    day = time.strftime("%Y-%m-%d", time.gmtime())
    result = Result(topic.TITLE, topic.TEXT.strip(), rows, picture, spent, settings.part, day, _machine())
    result_file(name).write_text(json.dumps(asdict(result), indent=1) + "\n")
    return result


def _machine() -> str:
    """The processor, and the versions of the other engines."""
    peers = ["ODE's libode" if LibOde.available() else "no ODE"]
    try:
        peers.append("MuJoCo " + version("mujoco"))
    except PackageNotFoundError:
        peers.append("no MuJoCo")
    return f"{platform.machine()}, Python {platform.python_version()}, {', '.join(peers)}"


def read(name: str) -> Result:
    """The stored result of a topic."""
    kept = json.loads(result_file(name).read_text())
    return Result(**{**kept, "rows": [Row(**row) for row in kept["rows"]]})


def write(names: Sequence[str]) -> None:
    """Write the page from the stored results."""
    parts = [HEAD, *(section(read(name)) for name in names if result_file(name).exists())]
    if missing := [name for name in names if not result_file(name).exists()]:
        parts.append(f"Not measured: {', '.join(missing)}.\n")
    (DOCS / "validation.md").write_text("\n".join(parts))


def section(result: Result) -> str:
    """The topic as Markdown."""
    lines = [f"## {result.title}", "", result.text, ""]
    lines += ["| | opendynamics | goal | ODE | MuJoCo |", "|---|---|---|---|---|"]
    for row in result.rows:
        goal = row.goal if row.reached else f"**{row.goal}: not reached**"
        lines.append(f"| {row.what} | {number(row.figure)} | {goal} | {number(row.ode)} | {number(row.mujoco)} |")
    part = "" if result.samples == 1.0 else f" with {100 * result.samples:.0f} % of the samples"
    lines += ["", f"{result.when}, {result.seconds:.0f} s of processor time{part}; {result.where}."]
    if result.picture:
        lines += ["", f"![{result.title}]({result.picture.removeprefix('docs/')})"]
    return "\n".join([*lines, ""])


def number(value: float | None) -> str:
    """A figure with three digits."""
    return "" if value is None else f"{value:.3g}"
