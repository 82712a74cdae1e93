"""Functions of numbers alone: rotations, quaternions, closest points, boxes and random numbers."""

from __future__ import annotations

from benchmarks.differential.settings import Table
from benchmarks.differential.writer import Writer

FORMULAS: Table = {
    "dRFromAxisAndAngle": lambda w: (*w.vector(), w.number(-4, 4)),
    "dRFromEulerAngles": lambda w: w.vector(),
    "dRFromZAxis": lambda w: w.vector(),
    "dRFrom2Axes": lambda w: (*w.vector(), *w.vector()),
    "dQFromAxisAndAngle": lambda w: (*w.vector(), w.number(-4, 4)),
    **dict.fromkeys((f"dQMultiply{number}" for number in range(4)), lambda w: (w.turn(), w.turn())),
    "dRfromQ": lambda w: (w.turn(),),
    "dQfromR": lambda w: (w.rotation(),),
    "dDQfromW": lambda w: (w.vector(), w.turn()),
    "dPlaneSpace": lambda w: (w.unit(aligned=0.2),),
    "dClosestLineSegmentPoints": lambda w: (w.vector(), w.vector(), w.vector(), w.vector()),
    "dBoxTouchesBox": lambda w: (*_box(w), *_box(w)),
    "dRand": lambda w: (),
    "dRandInt": lambda w: (w.draw.choice((1, 2, 3, 5, 16, 17, 255, 1000, 70000)),),
    "dRandReal": lambda w: (),
}


def _box(w: Writer) -> tuple[tuple[float, ...], ...]:
    """Centre, rotation and lengths."""
    return w.vector(), w.rotation(), (w.number(0.3, 1.2), w.number(0.3, 1.2), w.number(0.3, 1.2))
