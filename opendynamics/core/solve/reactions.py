"""What a solver's rows do to the bodies, where it has written REACTIONS itself, instead of `update/move.py` from FORCES."""

from __future__ import annotations

# Value of ISLAND.corrected: the reactions are given, and poses move by CORRECTIONS, too.
REACTIONS_GIVEN = 2
