"""Accelerations of the bodies by their rows: a solver may write REACTIONS itself; otherwise `update/move.py` derives them from
FORCES."""

from __future__ import annotations

# Values of ISLAND.corrected: the solver wrote REACTIONS and poses also move by CORRECTIONS; it wrote REACTIONS alone.
REACTIONS_GIVEN, REACTIONS_SUMMED = 2, 3
