"""The part of a world that says what touched in the last `advance`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.clock import Clock
from opendynamics.api.contact_events import ContactEvents, ContactTracker
from opendynamics.api.step_contacts import StepContacts, contacts_of_step

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom


class ContactReports(Clock):
    """Contacts with their forces, and events."""

    _transient: ClassVar[dict[str, Any]] = {"_first_contact": type(None), "_tracker": type(None)}

    _watchers: list[Any]
    _first_contact: int | None = None  # row of the first contact that the last `advance` made; None: rows are gone
    _tracker: ContactTracker | None = None

    def _note_call(self: Any, h: float, *, alone: bool = True) -> None:
        """A call begins that makes steps of this size; in a batch, the rows behind the forces will be others'."""
        Clock._note_call(self, h)
        own = vars(self)
        first = own["_contact_rows"].count if alone else None
        if first != self._first_contact:
            self._first_contact = first
        if own.get("_tracker") is not None:
            own["_tracker"].begin()

    def _forget_contact_forces(self) -> None:
        """The world was restored: it has the contact points of the step before, but not their rows."""
        self._first_contact = None
        if self._tracker is not None:
            self._tracker.start()
            self._tracker.begin()

    @property
    def contacts(self: Any) -> StepContacts:
        """The contacts of the last `advance`, with their forces: one by one, and as arrays.

        Contacts across a gap (see `speculative_margin`) have a negative depth.
        """
        return contacts_of_step(self, self._first_contact, self._step_size)

    def contact_force(self, thing: Body | Geom, other: Body | Geom | None = None) -> npt.NDArray[np.float64]:
        """The contact force on a body or geom in the last `advance`, N, shape (3,), in the world.

        Args:
            thing: a body or a geom.
            other: count only the force of this body or geom; by default, of everything that touches `thing`.
        """
        return self.contacts.force(thing, other)

    @property
    def contact_events(self) -> ContactEvents:
        """Contacts that began, persisted or ended during the last `advance`.

        Zones (`geom.sensor`) are among it. Asking for the first time begins to keep track, which brings `advance` back to
        Python after every step, and gives what touches then as begun. What is returned is of one `advance` and stays as it is:
        ask anew after the next.
        """
        if self._tracker is None:
            self._tracker = ContactTracker(self)  # type: ignore[arg-type]
            self._watchers.append(self._tracker)
        return self._tracker.events
