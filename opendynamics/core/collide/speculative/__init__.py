"""Speculative contacts: created before touching, across gaps that may close in the step, they prevent penetration.

A body that crosses a gap g in a step, at a speed above g/h, would penetrate before it has a contact. A contact with depth -g
allows the gap to close, but no penetration: J v >= -g/h instead of J v >= 0 (Catto 2013, Continuous collision; Firth 2011,
Speculative contacts). Its force can only push, and is zero if the gap stays open.

The stages are `near_pairs.find_near_pairs` instead of the broadphase's, and `near_contacts.add_near_contacts` after the contacts
of touching geoms. They are loaded when a world first has a margin.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

# Signature of both stages: tables, step size in s; 0 where it could not continue.
NEAR = types.int64(TABLES, types.float64)
