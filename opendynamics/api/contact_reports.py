"""Contacts, contact forces and contact events of the last `advance`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api.clock import Clock
from opendynamics.api.contact_events import ContactEvents, ContactTracker
from opendynamics.api.step_contacts import StepContacts, contacts_of_step
from opendynamics.api.sub_steps import Means

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.member import Companion


class ContactReports(Clock):
    """Mixin of a world with its contacts, contact forces and events."""

    _transient: ClassVar[dict[str, Any]] = {
        "_first_contact": type(None),
        "_means": type(None),
        "_tracker": type(None),
    }

    _say: Any
    _watchers: list[Any]
    _first_contact: int | None = None  # row of the first contact of the last `advance`; None: the rows are gone
    _means: Means | None = None  # of the last step that was divided
    _tracker: ContactTracker | None = None
    _tracks: bool = False  # whether there is a tracker, in copies and files
    _touching_asleep: tuple[Geom, ...] = ()  # sleeping pairs that it holds to touch, one after the other

    def _note_call(self: Any, h: float) -> None:
        """Called at the start of a call that takes steps of this size."""
        Clock._note_call(self, h)
        own = vars(self)
        first = own["_contact_rows"].count
        if first != self._first_contact:
            self._first_contact = first
        if own.get("_tracker") is not None:
            own["_tracker"].begin()

    def _forget_contact_forces(self) -> None:
        """Called when the world was restored: it has the contact points of the last step, but not their rows."""
        self._first_contact = self._means = None
        if self._tracks and self._tracker is None:
            self._start_tracking()
        elif self._tracker is not None:
            self._tracker.start()
        if self._tracker is not None:
            self._tracker.begin()
            self._note_tracker()

    def _drop_lost_geoms(self: Any) -> None:
        """Called before the attributes are saved: sleeping pairs with geoms that were destroyed, or left, cannot be."""
        pairs = self._touching_asleep
        if pairs and not all(map(self._has_geom, pairs)):
            flat = iter(pairs)
            kept = [pair for pair in zip(flat, flat, strict=True) if all(map(self._has_geom, pair))]
            vars(self)["_touching_asleep"] = tuple(geom for pair in kept for geom in pair)  # without another change

    def _has_geom(self: Any, geom: Geom) -> bool:
        return geom.alive and self.space.find(geom._row) is geom

    def _note_tracker(self) -> None:
        """Save that there is a tracker, also where the state is older; not a change, after which restoring takes longer."""
        vars(self)["_tracks"] = True

    def _start_tracking(self) -> ContactTracker:
        self._tracker = ContactTracker(self)  # type: ignore[arg-type]
        self._watchers.append(self._tracker)
        return self._tracker

    def _means_now(self: Any) -> Means | None:
        """The means over the last step, if it was divided into sub-steps."""
        means: Means | None = self._means
        return means if means is not None and means.moves == self._steps_made else None

    @property
    def contacts(self: Any) -> StepContacts:
        """Contacts of the last step of `advance` with their forces, as objects and as arrays.

        With `substeps`, forces are means over the step, and a pair of geoms that parted within it has its last contacts.
        Speculative contacts (see `speculative_margin`) have a negative depth.
        """
        return contacts_of_step(self, self._first_contact, self._step_size, self._means_now())

    def contact_force(
        self, thing: Body | Geom | Companion, other: Body | Geom | Companion | None = None
    ) -> npt.NDArray[np.float64]:
        """Contact force on a body, geom or robot in the last step of `advance`, N, shape (3,), in the world frame.

        With `substeps`, it is the mean over the step.

        Args:
            thing: a body, a geom or a robot.
            other: include only the force of this body, geom or robot; by default, of everything that touches `thing`.

        Raises:
            ValueError: one of them is, or is on, a body of another world.
        """
        for one in (thing, other):
            body = getattr(one, "body", one)
            if one is not None and getattr(body, "world", self) is not self:
                raise ValueError(f"{one.name} lives in another world than {self._say('the contacts')}")
        return self.contacts.force(thing, other)

    @property
    def contact_events(self) -> ContactEvents:
        """Contacts that began, persisted or ended during the last `advance`, in any step or sub-step of it.

        Includes zones (`geom.sensor`). The first access starts the tracking and reports all current contacts as begun; those
        at the start begin in the first step. From then on `advance` returns to Python after every step. The result is not changed
        by later steps: read the property again.
        """
        tracker = self._tracker
        if tracker is None:
            tracker = self._start_tracking()
            self._note_tracker()
        return tracker.events
