"""What stands beside the picture. One file of this family is one panel, or a part of one.

A member has `ORDER`, its place from top to bottom, and a class `Panel`, made with the session, whose `refresh(now)` is
called in every frame with the time of the clock, s, and whose `renew()` is called after a reset.
"""

from __future__ import annotations

from opendynamics.core.families import Family

PANELS = Family("opendynamics.viewer.live.panels")
