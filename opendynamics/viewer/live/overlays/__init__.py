"""Overlays over the shapes. One file of this family is one overlay, with a checkbox in the panel.

A member has `LABEL` and `HINT` for its checkbox, `ON`, whether it is initially checked, and a class `Overlay`, created with
viser's scene, whose `draw(session)` shows the current state and whose `clear()` hides it.
"""

from __future__ import annotations

from opendynamics.core.families import Family

OVERLAYS = Family("opendynamics.viewer.live.overlays")
