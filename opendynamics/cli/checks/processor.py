"""The processor, and whether threads run in parallel on it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import llvmlite.binding as llvm

from opendynamics.cli.checks import BROKEN, FINE, MISSING, Finding
from opendynamics.cli.machine import processor

TITLE, ORDER = "processor", 20

WIDE = ("avx2", "neon", "asimd")


def findings() -> Iterator[Finding]:
    """The processor with its vector instructions; threads."""
    try:
        features = [name for name, there in llvm.get_host_cpu_features().items() if there]
    except RuntimeError:
        features = []
    vectors = [name for name in (*WIDE, "avx512f") if name in features]
    cores = os.cpu_count() or 1
    yield Finding(TITLE, FINE, f"{processor()}, {cores} logical cores{', ' + ', '.join(vectors) if vectors else ''}")
    arrived = threading.Barrier(2, timeout=10.0)
    other = threading.Thread(target=arrived.wait, daemon=True)
    try:
        other.start()
        arrived.wait()
    except (RuntimeError, threading.BrokenBarrierError) as error:
        yield Finding("threads", BROKEN, str(error) or "a second one does not run", "allow the process more threads")
        return
    text = f"islands are shared by up to {cores}" if cores > 1 else "one core: everything is serial"
    yield Finding("threads", FINE if cores > 1 else MISSING, text)
