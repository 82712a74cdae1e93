"""Time of each stage of a step, if the steps were timed: `opendynamics demo --record` times them."""

from __future__ import annotations

import numpy as np

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Curve, chosen

STAGES = ("collide", "constrain", "solve", "move")


def words(frames: Frames) -> list[str]:
    """All stages, or one of them."""
    return ["stages", *(f"stages.{stage}" for stage in STAGES)]


def curves(frames: Frames, rest: str) -> list[Curve]:
    """ms for each stage."""
    series = frames.series
    if rest in ("", *STAGES) and len(frames) and not np.isfinite(series["solve_seconds"]).any():
        raise ValueError(
            f"the steps of {frames.path} were not timed; record with `opendynamics demo --record`, or make the steps by "
            "world.time_stages(h)"
        )
    return chosen([Curve(f"stages.{s}", "ms", "time", 1000.0 * series[f"{s}_seconds"]) for s in STAGES], rest)
