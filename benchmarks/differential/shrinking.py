"""Makes a program that shows a difference smaller, and asks whether the difference is one of rounding."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.differential.program import Call, difference
from benchmarks.differential.running import Finding, compare, results_of_library
from benchmarks.peers.libode import LibOde

_ROUNDING = 1e-14
_TRIES = 4
_MAX_TRIES = 400  # programs that shrinking runs
_GETTER = re.compile(r"^d[A-Za-z]+?(Get|Is)[A-Z]")  # changes nothing
_HEAD = 30  # characters of a message that identify the failure
_DISTURBED = re.compile(
    r"^d(Body|Geom)Set(Position|\w+Vel)$|^dBodyAdd|^dWorldSetGravity$|^dJointSet.*(Anchor|Axis)|^touch$"
)


def shrunk(finding: Finding, library: LibOde) -> Finding:
    """A finding in the same function with fewer calls: without getters, then without halves, quarters... of the program."""
    asked = tuple(call for call in finding.program[:-1] if not _GETTER.search(call.name))
    finding = _if_alike(compare((*asked, finding.program[-1]), library), finding)
    size, tries = len(finding.program) // 2, 0
    while size and tries < _MAX_TRIES:
        start = 0
        while start < len(finding.program) - 1 and tries < _MAX_TRIES:
            before, tries = len(finding.program), tries + 1
            shorter = (*finding.program[:start], *finding.program[min(start + size, before - 1) :])
            finding = _if_alike(compare(shorter, library), finding)
            if len(finding.program) == before:
                start += size
        size //= 2
    return finding


def _if_alike(found: Finding | None, finding: Finding) -> Finding:
    return found if found is not None and _alike(found, finding) else finding


def _alike(one: Finding, other: Finding) -> bool:
    """Whether two findings are of one function, and of one message if there is one.

    Both set the CFM or neither, on which the forces of redundant constraints depend.
    """
    same = not one.raised or one.text[:_HEAD] == other.text[:_HEAD]
    soft = ["dWorldSetCFM" in [call.name for call in found.program] for found in (one, other)]
    return one.call.name == other.call.name and one.raised == other.raised and same and soft[0] == soft[1]


def is_rounding(finding: Finding, library: LibOde) -> bool:
    """Whether libode's own results change as much when the start is changed in the last digits."""
    if finding.raised:
        return False
    exact = results_of_library(finding.program, library)[-1]
    disturbed = (results_of_library(_disturbed(finding.program, seed), library) for seed in range(_TRIES))
    return any(len(found) < len(finding.program) or difference(finding.call, found[-1], exact) for found in disturbed)


def _disturbed(program: Sequence[Call], seed: int) -> list[Call]:
    draw = random.Random(seed)

    def near(value: Any) -> Any:
        if isinstance(value, tuple) and all(isinstance(part, float) for part in value):
            return tuple(map(near, value))
        return value * (1.0 + draw.uniform(-_ROUNDING, _ROUNDING)) if isinstance(value, float) else value

    return [
        replace(call, arguments=tuple(map(near, call.arguments))) if _DISTURBED.match(call.name) else call
        for call in program
    ]


def written(program: Sequence[Call]) -> str:
    """The program as Python."""
    with np.printoptions(precision=17):
        return "\n".join(map(repr, program))
