"""Stacks on the iterative solver at its 20 iterations: how far they creep."""

from __future__ import annotations

from benchmarks.peers.libode import LibOde
from benchmarks.peers.solids import Solids, creep, ode_creep, pyramid, tower
from benchmarks.validation import Row, at_most

TITLE = "Stacks"
TEXT = """
Cubes of 0.2 m at steps of 10 ms, solver "pgs" with its 20 iterations: how far a cube moves in a minute, after a second to settle.
ODE: `dWorldQuickStep`, 20 iterations, what moves in 5 s, times 12.
"""
SCENES: dict[str, Solids] = {
    "tower of 10": tower(10),
    "100 : 1 on five boxes": tower(6, top=100.0),
    "tower of 50": tower(50),
    "pyramid of base 20": pyramid(20),
    "pyramid of base 50": pyramid(50),
}
ODE_SCENES = ("tower of 10", "100 : 1 on five boxes", "tower of 50")


def measure() -> list[Row]:
    """Every scene."""
    rows = []
    for name, scene in SCENES.items():
        theirs = 1e3 * ode_creep(scene, LibOde(), 5.0) if LibOde.available() and name in ODE_SCENES else None
        rows.append(at_most(f"{name}: mm a minute", 1e3 * creep(scene, 60.0, solver="pgs"), 1.0, theirs))
    return rows
