"""The panel next to the picture. One file of this family is one part of it.

A member has `ORDER`, its position from top to bottom, and a class `Panel`, created with the session, whose `refresh(now)` is
called in every frame with the wall-clock time, s, and whose `renew()` is called after a reset.
"""

from __future__ import annotations

from opendynamics.core.families import Family

PANELS = Family("opendynamics.viewer.live.panels")
