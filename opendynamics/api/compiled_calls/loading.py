"""Loads the machine code of ODE's loop, and writes down what it has to know of Python's objects (`loop.py`)."""

from __future__ import annotations

from sys import intern
from typing import Any

from opendynamics.api.body_pairs import BodyPairs
from opendynamics.api.compiled_calls.loop import KNOWN, SLOTS
from opendynamics.api.compiled_calls.vectorcall import UNLOADED, load_compiled_calls, offset_of_slot
from opendynamics.api.contact import CONTACTS, Contacts
from opendynamics.api.contact_rows import ContactRows
from opendynamics.api.contact_run import NOW, ContactRun, Now
from opendynamics.api.home import Edition
from opendynamics.api.listed_pairs import FREE_EDITION, ListedPairs

_CLASSES: tuple[type, ...] = (list, Contacts, ListedPairs)
_OBJECTS: dict[str, Any] = {
    **{"none": None, "now": NOW, "free_edition": FREE_EDITION, "maker": CONTACTS, "default_limit": 8},
    **{name: intern(name) for name in ("max_contacts", "surface", "group")},
    **{kind.__name__: kind for kind in _CLASSES},
}
_OWNERS = {
    **{"now": Now, "edition": Edition, "listed": ListedPairs, "run": ContactRun, "rows": ContactRows},
    "pairs": BodyPairs,
}


def prepare_loop() -> None:
    """Load the machine code of the loop's calls. If attributes are not where they are expected, it is never used."""
    try:
        for owner, slots in SLOTS.items():
            for slot in slots:
                KNOWN[f"{owner}_{slot.strip('_')}"] = offset_of_slot(_OWNERS[owner], slot)
    except ValueError:
        UNLOADED.clear()
    for name, value in _OBJECTS.items():
        KNOWN[name] = id(value)
    load_compiled_calls()
