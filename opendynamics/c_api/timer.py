"""timer.h: stopwatches, and a timer for the parts of a computation."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from opendynamics.c_api.ids import text, the


class dStopwatch:
    """Sums up the time between starts and stops."""

    __slots__ = ("started", "time")

    def __init__(self) -> None:
        self.time = 0.0
        self.started = 0.0


def dStopwatchReset(s: dStopwatch) -> None:
    the(dStopwatch, s).time = s.started = 0.0


def dStopwatchStart(s: dStopwatch) -> None:
    the(dStopwatch, s).started = time.perf_counter()


def dStopwatchStop(s: dStopwatch) -> None:
    the(dStopwatch, s).time += time.perf_counter() - s.started


def dStopwatchTime(s: dStopwatch) -> float:
    """Seconds between all starts and stops."""
    return the(dStopwatch, s).time


# Start times of the current parts with their descriptions, the time of each in the last run and in total, and the number of
# runs.
_marks: list[tuple[str, float]] = []
_last: dict[str, float] = {}
_totals: dict[str, float] = {}
_runs = [0]


def dTimerStart(description: str) -> None:
    """Start a run with its first part."""
    _marks[:] = [(text(description), time.perf_counter())]


def dTimerNow(description: str) -> None:
    """End a part and start the next."""
    _marks.append((text(description), time.perf_counter()))


def dTimerEnd() -> None:
    """End the last part and the run."""
    ends = [start for _, start in _marks[1:]] + [time.perf_counter()]
    _last.clear()
    for (description, start), end in zip(_marks, ends, strict=True):
        _last[description] = _last.get(description, 0.0) + end - start
        _totals[description] = _totals.get(description, 0.0) + end - start
    _runs[0] += 1


def dTimerReport(fout: TextIO | None, average: int) -> None:
    """Print the time of each part, in the last run or on average over all runs, in ms and relative to the total."""
    if fout is not None and not hasattr(fout, "write"):
        raise TypeError(f"the report goes to a text file, or with None to the standard output, not to {fout!r}")
    times, runs = (_totals, max(_runs[0], 1)) if average else (_last, 1)
    whole = sum(times.values()) or 1.0
    for description, seconds in times.items():
        line = f"{description:<40} {1e3 * seconds / runs:12.3f} ms {100 * seconds / whole:6.1f}%"
        print(line, file=fout or sys.stdout)


def dTimerTicksPerSecond() -> float:
    return 1.0 / dTimerResolution()


def dTimerResolution() -> float:
    """The shortest time, s, that the timer resolves."""
    return time.get_clock_info("perf_counter").resolution
