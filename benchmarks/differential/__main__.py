"""Run random programs on both engines for a while; exit status 1 if they disagree.

python -m benchmarks.differential --seconds 60 --seed 1
"""

from __future__ import annotations

import argparse
import collections
import sys
import time

from benchmarks.differential.running import compare
from benchmarks.differential.shrinking import is_rounding, shrunk, written
from benchmarks.differential.worlds import random_program
from benchmarks.peers.libode import LibOde


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differential", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to run (60)")
    parser.add_argument("--seed", type=int, default=0, help="the first program (0)")
    parser.add_argument("--count", type=int, default=sys.maxsize, help="at most so many programs")
    parser.add_argument("--most", type=int, default=1, help="stop after so many disagreements (1)")
    parser.add_argument("--brief", action="store_true", help="do not shrink: list the functions that disagree")
    options = parser.parse_args()
    library, end = LibOde(), time.monotonic() + options.seconds
    seed, calls, rounding = options.seed, 0, 0
    disagreements: collections.Counter[str] = collections.Counter()
    while time.monotonic() < end and seed < options.seed + options.count and disagreements.total() < options.most:
        program = random_program(seed)
        calls += len(program)
        found = compare(program, library)
        if found is not None and is_rounding(found, library):
            rounding += 1
        elif found is not None:
            disagreements[found.call.name] += 1
            print(f"seed {seed}, {found.call}: {found.text}")
            if not options.brief:
                small = shrunk(found, library)
                print(f"{written(small.program)}\n{small.text}")
        seed += 1
    done = seed - options.seed
    print(f"{done} worlds, {calls} calls, {disagreements.total()} disagreements {dict(disagreements)}")
    print(f"{rounding} worlds whose motion depends on rounding in libode, too, were followed until it showed")
    return int(bool(disagreements))


if __name__ == "__main__":
    sys.exit(main())
