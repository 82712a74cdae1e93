"""What a solver hands on: FORCES alone, from which `update/move.py` sums up the REACTIONS of the bodies, or more than that."""

from __future__ import annotations

# Values of ISLAND.corrected: the solver wrote the new velocities to REACTIONS, and poses also move by CORRECTIONS; it wrote the
# REACTIONS. In the first case, the corrections of DEFERRED bodies are all that they turn by, as free rotation is computed
# once, later.
VELOCITIES_GIVEN, REACTIONS_SUMMED = 2, 3
