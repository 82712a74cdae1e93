"""Runs a program on both engines up to the first difference; libode in its own process, which it may crash."""

from __future__ import annotations

import faulthandler
import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.differential.program import Call, Machine, Raised, difference
from benchmarks.peers.libode import LibOde
from opendynamics import c_api


@dataclass(frozen=True)
class Finding:
    """Where two engines disagree.

    Attributes:
        call: the call whose results differ.
        text: how.
        program: what leads there.
        raised: whether this engine raised an exception.
    """

    call: Call
    text: str
    program: tuple[Call, ...]
    raised: bool = False


def compare(program: Sequence[Call], library: LibOde) -> Finding | None:
    """The first difference between the engines, if there is one before libode ends its process."""
    mine = _run(program, c_api)
    raised = bool(mine) and isinstance(mine[-1], Raised)
    theirs = results_of_library(program[: len(mine)], library)
    for number, (one, other) in enumerate(zip(mine[: len(mine) - raised], theirs, strict=False)):
        text = difference(program[number], one, other)
        if text:
            return Finding(program[number], text, tuple(program[: number + 1]))
    if raised and len(theirs) == len(mine):
        return Finding(program[len(mine) - 1], repr(mine[-1]), tuple(program[: len(mine)]), raised=True)
    return None


def results_of_library(program: Sequence[Call], library: LibOde) -> list[Any]:
    """The results of libode, call by call; fewer than the program has if it fails.

    It ends the process where it is at a loss, and reports "LCP internal error" where its solver is (a row of the deviations).
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            faulthandler.disable()  # an abort of libode is expected
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(write, "wb") as out:
                machine = Machine(library)
                for call in program:
                    result = machine.do(call)
                    if library.has_failed():
                        break
                    pickle.dump(result, out)
                    out.flush()
        finally:
            os._exit(0)
    os.close(write)
    results = []
    with os.fdopen(read, "rb") as results_in:
        while True:
            try:
                results.append(pickle.load(results_in))
            except EOFError:
                break
    os.waitpid(child, 0)
    return results


def _run(program: Sequence[Call], ode: Any) -> list[Any]:
    """Results up to what raised."""
    machine, results = Machine(ode), []
    for call in program:
        results.append(machine.do(call))
        if isinstance(results[-1], Raised):
            break
    machine.close()
    return results
