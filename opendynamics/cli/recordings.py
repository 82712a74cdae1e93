"""Replays a recorded scene and compares it with the recording."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from opendynamics.api.files import FileError, parse_json, read_bytes
from opendynamics.api.progress import progress
from opendynamics.io.recorded_scene import MAX_BYTES, MAX_MEMORY, RecordedScene

CHECKED = (10, 50, 100, 200)
EARLY, REDUNDANT, LATE = 1e-9, 1e-6, 1e-6
MAGNIFIED = 1000.0  # allowed in addition to the effect of a change of 1e-13 in the recorded engine itself


@dataclass(frozen=True)
class Comparison:
    """Comparison of a run with its recording.

    Deviations are relative to the recorded number, absolute where that is below 1.

    Attributes:
        deviations: largest of any body, by step.
        allowed: limits, by step.
        overall, overall_step: the largest of any step, and that step.
        agrees: whether no deviation exceeds its limit.
    """

    scene: str
    stepper: str
    bodies: int
    joints: int
    steps: int
    deviations: dict[int, float]
    allowed: dict[int, float]
    overall: float
    overall_step: int
    agrees: bool


def compare(recorded: RecordedScene, allowed: dict[int, float]) -> Comparison:
    """Play the recording to its end and compare each step."""
    deviations: dict[int, float] = {}
    overall, overall_step = 0.0, 0
    with progress(recorded.steps, recorded.name) as update:
        for step in recorded.play():
            deviation = recorded.deviation(step)
            # NaN agrees with nothing.
            if not deviation <= overall:
                overall, overall_step = deviation, step
            if step in allowed:
                deviations[step] = deviation
            update(step, "")
    return Comparison(
        scene=recorded.name,
        stepper=recorded.scene["world"]["stepper"],
        bodies=len(recorded.bodies),
        joints=len(recorded.joints),
        steps=recorded.steps,
        deviations=deviations,
        allowed=allowed,
        overall=overall,
        overall_step=overall_step,
        agrees=all(deviations[step] <= allowed[step] for step in deviations),
    )


def allowed_deviations(recorded: RecordedScene, path: Path, tolerance: float | None = None) -> dict[int, float]:
    """Limits at each of the checked steps and at the last one.

    1e-9 up to step 10, or 1e-6 with more contact points than a body needs, whose forces are not unique. Later, errors
    grow with the scene's sensitivity: 1000 times the value in a file sensitivity.json next to the recording, if there is one,
    else 1e-6. `tolerance` replaces all of them.
    """
    steps = sorted({*(step for step in CHECKED if step < recorded.steps), recorded.steps})
    if tolerance is not None:
        return dict.fromkeys(steps, tolerance)
    redundant = any(len(rule.get("points", ())) > 3 for rule in recorded.scene["contacts"])
    least = REDUNDANT if redundant else EARLY
    known = _sensitivity(path.parent / "sensitivity.json", recorded.name)

    def allowed(step: int) -> float:
        if step <= CHECKED[0]:
            return least
        return max(least, MAGNIFIED * known[str(step)] if str(step) in known else LATE)

    return {step: allowed(step) for step in steps}


def _sensitivity(path: Path, name: str) -> dict[str, float]:
    fail = partial(FileError, path)
    try:
        table: Any = parse_json(read_bytes(path, MAX_BYTES, fail), MAX_MEMORY, fail)
        found: dict[str, float] = {step: float(value) for step, value in table[name].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}
    return found
