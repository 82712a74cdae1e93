"""Summaries as text for users and as JSON for programs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from opendynamics.api.describing import count
from opendynamics.cli.playing import Energy, Summary


def print_summary(summary: Summary, as_json: bool) -> None:
    """Print a summary of a run."""
    if as_json:
        print_json(asdict(summary))
    else:
        print_rows(summary.scene, _rows(summary))
        if summary.profile is not None:
            print(f"\n{summary.profile}")
        if summary.note:
            print(f"\n{summary.note}")


def print_json(value: Any) -> None:
    """Print a value as JSON; a number that JSON cannot write is null."""
    print(json.dumps(_finite(value), indent=1, ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_rows(title: str, rows: list[tuple[str, str]]) -> None:
    """Print a title, and names and values in two columns."""
    print(title)
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        print(f"  {name:<{width}}  {value}")


def members(bodies: int, joints: int, geoms: int) -> str:
    """Numbers of objects in a world."""
    return f"{count(bodies, 'body')}, {count(joints, 'joint')}, {count(geoms, 'geom')}"


def _rows(run: Summary) -> list[tuple[str, str]]:
    stages = ", ".join(f"{stage} {number(ms)}" for stage, ms in run.ms_per_step.items())
    rows = [
        ("world", members(run.bodies, run.joints, run.geoms)),
        ("simulated", f"{number(run.simulated)} s in {run.steps} steps of {number(run.h)} s"),
        ("wall time", f"{number(run.real)} s, real-time factor {number(run.speed)}"),
        ("step time", f"{number(sum(run.ms_per_step.values()))} ms: {stages}"),
        (
            "contacts",
            f"{run.contacts_at_end} at the end, {number(run.contacts_on_average)} on average, "
            f"{run.contacts_at_most} maximum",
        ),
        ("penetration", f"{number(1000.0 * run.deepest)} mm maximum"),
        ("energy", f"{_energy(run.energy_at_start)} at the start"),
        ("", f"{_energy(run.energy_at_end)} at the end"),
    ]
    if run.recording is not None:
        megabytes, frames = int(run.recording["bytes"]) / 1e6, count(int(run.recording["frames"]), "frame")
        rows.append(("recorded", f"{run.recording['file']}, {frames}, {number(megabytes)} MB"))
    if run.interrupted:
        rows.append(("interrupted", "by Ctrl-C; the numbers are those of the steps made"))
    if run.faults:
        names = ", ".join(run.faults[:5]) + (", ..." if len(run.faults) > 5 else "")
        rows.append(("faults", f"{count(len(run.faults), 'body')} frozen, as the motion is not finite: {names}"))
    return rows


def _energy(energy: Energy) -> str:
    return f"{number(energy.total, 5)} J ({number(energy.kinetic)} kinetic, {number(energy.potential)} potential)"


def number(value: float, digits: int = 3) -> str:
    """`value` with `digits` significant digits, and an exponent only instead of many zeros."""
    if value != 0.0 and not 1e-4 <= abs(value) < 1e9:
        return f"{value:.{digits - 1}e}"
    if abs(value) >= 10**digits:
        return f"{value:.0f}"
    return f"{value:.{digits}g}"
