"""Contacts: a dot where geoms touch, and a line along the normal, as long as the normal force is large.

Reads the contacts and forces of the last step. The first row of a contact is its normal (`constrain/parts/contact.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import ENABLED, MOTIONS
from opendynamics.core.arrays.contacts import ALIVE, CONTACTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.viewer.live.overlays.drawing.dots import Dots
from opendynamics.viewer.live.overlays.drawing.lines import Lines

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

LABEL = "Contacts"
HINT = "Where geoms touch; lines along the normals, as long as the normal forces are large"
ON = False

COLOUR = (20, 92, 214)
DOT = 0.12  # size, in units of what is usual in the scene
FORCE = 0.6  # length of a line for the weight of a usual body, in the same units


class Overlay:
    """Dots and lines."""

    def __init__(self, scene: Any) -> None:
        self._dots = Dots(scene, "/overlays/contacts/points", COLOUR)
        self._lines = Lines(scene, "/overlays/contacts/forces", 3.0)

    def draw(self, session: Session) -> None:
        """Show the contacts of the last step."""
        places, forces = contact_forces(session.world)
        self._dots.show(places, DOT * session.unit)
        along = FORCE * session.unit / session.weight * forces
        shown = (along * along).sum(axis=1) > (0.02 * session.unit) ** 2
        self._lines.show(np.stack([places[shown], (places + along)[shown]], axis=1), COLOUR)

    def clear(self) -> None:
        """Hide them."""
        self._dots.hide()
        self._lines.hide()


def contact_forces(world: World) -> tuple[Any, Any]:
    """Places of contacts, m, and their normal forces on the first geom, N, both (n, 3), in the last step."""
    store = world._store
    # Those that `advance` made stand behind those that the user made, and are not counted as in use.
    contacts = store[CONTACTS][: store.used(CONTACTS) + int(store[REPORTS]["contacts"][0])]
    contacts = contacts[contacts["flags"] & ALIVE != 0]
    rows = contacts["first_row"]
    # Bodies at rest took no part in the step: what stands in the rows of their contacts is older.
    flags = store[MOTIONS]["flags"]
    awake = (flags[contacts["body0"]] | flags[contacts["body1"]]) & ENABLED != 0
    solved = awake & (contacts["row_count"] > 0) & (rows >= 0) & (rows < store.used(ROWS))
    strength = np.where(solved, store[FORCES][np.where(solved, rows, 0)], 0.0)
    return contacts["point"]["position"].copy(), contacts["point"]["normal"] * strength[:, None]
