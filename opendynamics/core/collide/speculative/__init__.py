"""Speculative contacts: created before touching, across gaps that may close in the step, they prevent penetration.

A body that a step would carry through a gap g, at a speed above g/h, is overlapping before anything holds it. A contact
with the depth -g lets the gap close and no further: J v >= -g/h in place of J v >= 0 (Catto 2013, Continuous collision;
Firth 2011, Speculative contacts). Its force can only push, and is zero where the gap stays open.

The stages are `near_pairs.find_near_pairs` in place of the broadphase's, and `near_contacts.add_near_contacts` after all
contacts of what touches. They are loaded when a world first has a margin.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES

# Signature of both stages: tables, step size in s; 0 where it could not continue.
NEAR = types.int64(TABLES, types.float64)
