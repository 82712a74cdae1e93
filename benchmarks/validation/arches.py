"""Arches of wedges, held by friction and their own weight."""

from __future__ import annotations

from benchmarks.peers.solids import arch, creep
from benchmarks.validation import Row, at_most, settings

TITLE = "Arches"
TEXT = """
Half-circular arches of wedges, radii 1 and 1.3 m, friction 0.8, at steps of 10 ms. The figure is how far a stone moves in
a minute, after a second of settling. "auto" solves arches exactly, and so does "pgs", as they are nearly at rest.
ODE cannot run the scene, as the contacts of its convex shapes are not reliable.
"""

COUPLED = {"friction_bounds": "coupled"}


def measure() -> list[Row]:
    """11 and 21 stones."""
    return [
        at_most(
            f"{stones} stones, {solver}: mm per minute",
            1e3 * creep(arch(stones), 60.0 * settings.part, solver=solver, **COUPLED),
            1.0,
        )
        for stones in (11, 21)
        for solver in ("exact", "soft", "auto", "pgs")
    ]
