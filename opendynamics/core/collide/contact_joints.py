"""Contact joints of ODE's loop: the records of many, made by one call before a step.

Reads contact points that a collision found, with the places of their geoms, and the bodies at these places; writes CONTACTS.
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.arrays.contacts import ALIVE, CONTACT_DETAILS, CONTACTS, ENABLED, POINTS, REVERSED, SURFACE
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.contacts import put_details, put_surface
from opendynamics.core.collide.geom_copies import INDICES
from opendynamics.core.kernels import entry

# A surface, with the first friction direction that its mode may require.
GIVEN_SURFACE = np.dtype([("surface", SURFACE), ("direction1", "f8", (3,))])


def _rows(dtype):
    return types.Array(dtype, 1, "C")


@entry(types.void(TABLES, types.int64, _rows(POINTS.dtype), INDICES, INDICES, INDICES, _rows(GIVEN_SURFACE)))
def make_contact_joints(tables, first, points, bodies, chosen, numbers, surfaces):
    """Make the contact joints of the rows from `first` on.

    Joint i has point number chosen[i], or ~chosen[i] if it joins nothing yet, and surface numbers[i]. `bodies` are the rows
    of the bodies at the places that points name as their geoms.
    """
    for i in range(len(chosen)):
        k = chosen[i]
        joined = k >= 0
        if not joined:
            k = ~k
        contact = CONTACTS.rows(tables)[first + i]
        contact.point = points[k]
        contact.point.geom_a = contact.point.geom_b = -1
        surface = surfaces[numbers[i]]
        put_surface(tables, contact.surface, surface.surface, first + i)
        contact.surface.detail = first + i
        details = CONTACT_DETAILS.rows(tables)[first + i]
        put_details(details, surface.surface)
        for axis in range(3):
            details.direction1[axis] = surface.direction1[axis]
            details.apart[axis] = 0.0
        contact.flags = ALIVE | ENABLED
        contact.body0 = contact.body1 = 0
        contact.row_count = 0
        contact.first_row = 0
        if joined:
            contact.body0 = bodies[points[k].geom_a]
            contact.body1 = bodies[points[k].geom_b]
            if contact.body0 == 0 and contact.body1 != 0:
                contact.body0 = contact.body1
                contact.body1 = 0
                contact.flags |= REVERSED
