"""What can be drawn over the shapes. One file of this family is one overlay, with a box to tick in the panel.

A member has `LABEL` and `HINT` for its box, `ON`, whether it is ticked at first, and a class `Overlay`, made with viser's
scene, whose `draw(session)` shows it as the world is now and whose `clear()` hides it.
"""

from __future__ import annotations

from opendynamics.core.families import Family

OVERLAYS = Family("opendynamics.viewer.live.overlays")
