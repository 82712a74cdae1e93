"""How long it takes from nothing to a ball that has made its first step, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

# A whole first program, as a user would write it: what `make bench` calls start-up.
FIRST_PROGRAM = """
import time
start = time.perf_counter()
import opendynamics as od
world = od.World(gravity=(0, 0, -9.81))
world.add_plane(normal=(0, 0, 1))
ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
world.advance(1 / 60)
assert ball.position[2] < 2
print("seconds", time.perf_counter() - start)
"""


def measure_start_up(repeat: int) -> dict[str, list[float]]:
    """Seconds until a ball has made its first step, in fresh processes with a kernel cache of their own.

    "cold": the cache is empty (once); "warm": it is not; "... process": the same from the start of
    the interpreter to its end. Raises ``RuntimeError`` with the program's words if it fails.
    """
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="opendynamics-bench-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "OPENDYNAMICS_CACHE_DIR": folder}
        for run in range(repeat + 1):
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", FIRST_PROGRAM],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            whole = time.perf_counter() - start
            if done.returncode != 0:
                raise RuntimeError(f"the first program failed: {done.stderr.strip().splitlines()[-1:]}")
            kind = "warm" if run else "cold"
            seconds.setdefault(kind, []).append(float(done.stdout.split()[-1]))
            seconds.setdefault(f"{kind} process", []).append(whole)
    return seconds
