"""What a solver's rows do to the bodies, where it has written REACTIONS itself, instead of `update/move.py` from FORCES."""

from __future__ import annotations

# Values of ISLAND.corrected: the reactions are given, and poses move by CORRECTIONS, too; they are given, and poses do not.
REACTIONS_GIVEN, REACTIONS_SUMMED = 2, 3
