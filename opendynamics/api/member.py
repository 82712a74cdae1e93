"""Member: what a saved world consists of besides its tables.

Bodies, joints, geoms, spaces, groups and the world itself hold in Python what no table has: names, users' data, what belongs
to what, callbacks, generations, free rows. All of it is in attributes of members, so that a world is saved by its tables and
its members' attributes, and a new attribute is saved without further ado. An attribute that is a cache, or belongs to the
process, is listed as transient.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from inspect import ismemberdescriptor as isslot
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from opendynamics.api.checks import require_name
from opendynamics.api.suggestions import Closed, Suggesting, class_attributes, refusal

T = TypeVar("T")


def _once_per_class(function: Callable[[type], T]) -> Callable[[type], T]:
    """Remember the result of `function` for each class."""
    known: dict[type, T] = {}

    def ask(kind: type) -> T:
        if kind not in known:
            known[kind] = function(kind)
        return known[kind]

    return ask


class _Edition:
    """Counts the changes of members' attributes in this process."""

    number = 0


EDITION = _Edition()


# Gives what is new its attributes: no change of what was there.
set_first = object.__setattr__


def note_change() -> None:
    """Note that a container which is an attribute of a member is about to change."""
    EDITION.number += 1


@_once_per_class
def transient_attributes(kind: type) -> dict[str, Callable[[], Any]]:
    """Transient attributes of a class of members, those of its bases too."""
    found: dict[str, Callable[[], Any]] = {}
    for base in reversed(kind.__mro__):
        found |= base.__dict__.get("_transient", {})
    return found


def _uncounted_attributes(kind: type) -> frozenset[str]:
    """What may be set without being counted as a change: transient attributes, and properties, which store elsewhere."""
    found = {
        name for name, value in class_attributes(kind).items() if hasattr(type(value), "__set__") and not isslot(value)
    }
    return frozenset(found | transient_attributes(kind).keys())


class Member:
    """Something whose attributes are part of a saved world.

    What users hold is `Suggesting` too. What they do not is read more often, and each look at a class with a `__getattr__` takes
    three times as long.

    `_transient`: attributes that are not, with a function that gives what they are in a world that is loaded.
    `_shared`: attributes whose values never change, so that copies of a world share them.
    """

    __slots__ = ()

    _transient: ClassVar[dict[str, Any]] = {}
    _shared: ClassVar[frozenset[str]] = frozenset()
    _changing: ClassVar[tuple[type, ...]] = (dict, list, set)  # attributes of these types are copied
    _uncounted: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._uncounted = _uncounted_attributes(cls)

    if not TYPE_CHECKING:  # type checkers would let any name be set

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in self._uncounted:
                EDITION.number += 1
            try:
                object.__setattr__(self, name, value)
            except AttributeError as error:
                raise refusal(self, name, error) from None

    def _reinstated(self) -> None:
        """The saved attributes are back, and the tables too: bring what depends on them up to date."""


class Sealed(Closed, Member):
    """A member without slots whose public attributes are all known; those of a user's subclass are not."""

    if not TYPE_CHECKING:  # type checkers would let any name be set

        def __setattr__(self, name: str, value: Any) -> None:
            if name[:1] != "_" and self._settable is not None and name not in self._settable:
                raise refusal(self, name, None)
            Member.__setattr__(self, name, value)


class Named(Sealed):
    """A sealed member that messages call by a name."""

    _noun: ClassVar[str]

    @property
    def name(self) -> str:
        """What messages call it; "world", or the class of a space, unless given."""
        name: str = self.__dict__["name"]
        return name

    @name.setter
    def name(self, name: str | None) -> None:
        require_name(f"the name of a {self._noun}", name)
        self.__dict__["name"] = name or self._noun


class Belonging(Suggesting, Member):
    """A member that users hold. It is copied and pickled with its world."""

    __slots__ = ()

    name: str

    def _saved_with(self) -> Any:
        """The world that it is saved with, None if there is none."""
        raise NotImplementedError

    def __copy__(self) -> Any:
        raise TypeError(f"{self.name} cannot be copied by itself: it belongs to a world; use copy.copy(world)")

    def __reduce_ex__(self, protocol: Any) -> Any:
        world = self._saved_with()
        number = -1 if world is None else world._manifest().number_of(self)
        if number < 0:
            raise TypeError(f"{self.name} cannot be copied or pickled by itself: no world that still exists holds it")
        return _member_of, (world, number)


class Companion(Belonging):
    """Something that a world is saved with though the engine does not know it, such as a robot; see `following.accompany`.

    Arrays that are attributes are saved as they are then, so they may be changed in place. What else changes in place has
    to be a companion, too, and an attribute of one.
    """

    _changing = (*Belonging._changing, np.ndarray)


def _member_of(world: Any, number: int) -> Any:
    """Member `number` of a world that has just been loaded."""
    return world._saved_manifest.entries[number][0]


@_once_per_class
def shared_attributes(kind: type) -> frozenset[str]:
    """Attributes that copies share, those of the bases too."""
    return frozenset().union(*(base.__dict__.get("_shared", ()) for base in kind.__mro__))


@_once_per_class
def saved_slots(kind: type) -> tuple[tuple[str, Callable[[Member], Any]], ...]:
    """The slots of a class of members that are saved, and what reads each: AttributeError if it is not set."""
    slots = [slot for base in kind.__mro__ for slot in base.__dict__.get("__slots__", ())]
    kept = [slot for slot in slots if slot not in transient_attributes(kind) and not slot.startswith("__")]
    own = {slot: getattr(kind, slot) for slot in kept}
    return tuple((slot, found.__get__) for slot, found in own.items() if isslot(found))  # a subclass may work some out


def attributes_of(member: Member) -> dict[str, Any]:
    """The attributes of a member that are saved; containers are copied."""
    kind = type(member)
    found: dict[str, Any] = {}
    for slot, read in saved_slots(kind):
        try:  # `suppress` would be a context for each of them
            found[slot] = read(member)
        except AttributeError:
            continue
    if hasattr(member, "__dict__"):
        transient = transient_attributes(kind)
        found |= {name: value for name, value in member.__dict__.items() if name not in transient}
    for name, value in found.items():
        if type(value) in member._changing and name != "data":  # the user's own affair
            found[name] = value.copy()
    return found


def _kept(member: Member, name: str, value: Any) -> Any:
    """Containers that are attributes are copied, as they change; `data` is the user's own affair."""
    return value.copy() if type(value) in member._changing and name != "data" else value


def reinstate(member: Member, attributes: dict[str, Any]) -> None:
    """Give a member the attributes that `attributes_of` returned, and no others but the transient ones."""
    kind = type(member)
    transient = transient_attributes(kind)
    if hasattr(member, "__dict__"):
        for name in [name for name in member.__dict__ if name not in attributes and name not in transient]:
            object.__delattr__(member, name)
    for slot, _ in saved_slots(kind):
        if slot not in attributes:
            with suppress(AttributeError):  # not set now, either
                object.__delattr__(member, slot)
    for name, value in attributes.items():
        object.__setattr__(member, name, _kept(member, name, value))
    EDITION.number += 1
