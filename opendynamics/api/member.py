"""Member: an object whose attributes are part of a saved world, in addition to its tables.

Bodies, joints, geoms, spaces, groups and the world itself hold data in Python that no table has: names, users' data,
relations between objects, callbacks, generations, free rows. All of it is in attributes of members, so that a world is saved
by its tables and its members' attributes, and a new attribute is saved automatically. An attribute that is a cache, or
belongs to the process, is listed as transient.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from inspect import ismemberdescriptor as isslot
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from opendynamics.api.checks import require_name
from opendynamics.api.suggestions import Closed, Suggesting, class_attributes, refusal

T = TypeVar("T")


def _once_per_class(function: Callable[[type], T]) -> Callable[[type], T]:
    """Cache the result of `function` for each class."""
    known: dict[type, T] = {}

    def ask(kind: type) -> T:
        if kind not in known:
            known[kind] = function(kind)
        return known[kind]

    return ask


class ChangeListener(Protocol):
    """Notified of the next change before it is made."""

    def before_change(self) -> None:
        """An attribute of some member, or a container it holds, is about to change."""


class _Edition:
    """Counts the changes of members' attributes in this process.

    Attributes:
        number: of all changes, after which a saved manifest is out of date.
        steps: of those that may change how a world steps: not of companions, such as robots that are read in every step.
    """

    def __init__(self) -> None:
        self.number = 0
        self.steps = 0
        self.listeners: list[weakref.ref[ChangeListener]] = []


EDITION = _Edition()
_lock = threading.RLock()


# Sets the attributes of a new object, which is no change of an existing one.
set_first = object.__setattr__


def note_change() -> None:
    """Record that an attribute of a member, or a container it holds, is about to change."""
    note_saved_change()
    EDITION.steps += 1


def note_saved_change() -> None:
    """The same, where it cannot change how a world steps."""
    if EDITION.listeners:
        _notify_listeners()
    EDITION.number += 1


def listen_for_change(listener: ChangeListener) -> None:
    """Notify an object of the next change before it is made, if it still exists then."""
    with _lock:
        EDITION.listeners.append(weakref.ref(listener))


def _notify_listeners() -> None:
    with _lock:  # a change in another thread waits until all have been notified
        for reference in EDITION.listeners:
            listener = reference()
            if listener is not None:
                listener.before_change()
        EDITION.listeners.clear()


@_once_per_class
def transient_attributes(kind: type) -> dict[str, Callable[[], Any]]:
    """Transient attributes of a class of members, including those of its bases."""
    found: dict[str, Callable[[], Any]] = {}
    for base in reversed(kind.__mro__):
        found |= base.__dict__.get("_transient", {})
    return found


def _uncounted_attributes(kind: type) -> frozenset[str]:
    """Attributes that may be set without counting a change: transient ones, and properties, which store elsewhere."""
    found = {
        name for name, value in class_attributes(kind).items() if hasattr(type(value), "__set__") and not isslot(value)
    }
    return frozenset(found | transient_attributes(kind).keys())


class Member:
    """An object whose attributes are part of a saved world.

    Objects that users hold are also `Suggesting`. Internal ones are read more often, and attribute access in a class with a
    `__getattr__` takes three times as long.

    `_transient`: attributes that are not saved, with a function that gives their value in a loaded world.
    `_shared`: attributes whose values never change, so that copies of a world share them.
    """

    __slots__ = ()

    _transient: ClassVar[dict[str, Any]] = {}
    _shared: ClassVar[frozenset[str]] = frozenset()
    _changing: ClassVar[frozenset[type]] = frozenset((dict, list, set))  # attributes of these types are copied
    _uncounted: ClassVar[frozenset[str]] = frozenset()
    _noted: ClassVar[Callable[[], None]] = staticmethod(note_change)  # called before an attribute changes

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._uncounted = _uncounted_attributes(cls)

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in self._uncounted:
                self._noted()
            try:
                object.__setattr__(self, name, value)
            except AttributeError as error:
                raise refusal(self, name, error) from None

    def _reinstated(self) -> None:
        """Called when the saved attributes and the tables are restored: update what depends on them."""


class Sealed(Closed, Member):
    """A member with a `__dict__`, of which only known public attributes may be set; a user's subclass may have others."""

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            if name[:1] != "_" and self._settable is not None and name not in self._settable:
                raise refusal(self, name, None)
            Member.__setattr__(self, name, value)


class Named(Sealed):
    """A sealed member with a name for messages."""

    _noun: ClassVar[str]

    @property
    def name(self) -> str:
        """Its name in messages; "world", or the class of a space, unless given."""
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
        """The world with which it is saved; None if there is none."""
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
    """An object unknown to the engine that is saved with a world, such as a robot; see `following.accompany`.

    Array attributes are saved with their current contents, so they may be changed in place. Any other object that changes in
    place must be a companion too, and an attribute of one.
    """

    _changing = Belonging._changing | {np.ndarray}
    _noted = staticmethod(note_saved_change)

    def _owned_geoms(self) -> Any:
        """Its geoms, if it can be given where a body or a geom can; None otherwise."""
        return None


def _member_of(world: Any, number: int) -> Any:
    """Member `number` of a world that has just been loaded."""
    return world._saved_manifest.entries[number][0]


@_once_per_class
def shared_attributes(kind: type) -> frozenset[str]:
    """Attributes that copies share, including those of the bases."""
    return frozenset().union(*(base.__dict__.get("_shared", ()) for base in kind.__mro__))


class SavedSlots(NamedTuple):
    """The saved slots of a class of members, and whether its objects may have other attributes."""

    names: tuple[str, ...]
    read: Callable[[Member], tuple[Any, ...]]  # the values of all of them; AttributeError if one is not set
    has_dict: bool


@_once_per_class
def saved_slots(kind: type) -> SavedSlots:
    """The saved slots of a class of members."""
    slots = [slot for base in kind.__mro__ for slot in base.__dict__.get("__slots__", ())]
    kept = [slot for slot in slots if slot not in transient_attributes(kind) and not slot.startswith("__")]
    own = tuple(slot for slot in kept if isslot(getattr(kind, slot)))  # a subclass may compute some
    read: Any = attrgetter(*own) if len(own) > 1 else lambda member: tuple(getattr(member, slot) for slot in own)
    return SavedSlots(own, read, kind.__dictoffset__ != 0)


def attributes_of(member: Member) -> dict[str, Any]:
    """The saved attributes of a member; containers are copied."""
    kind = type(member)
    names, read, has_dict = saved_slots(kind)
    try:  # thousands of members are read before the first step of a world
        found = dict(zip(names, read(member), strict=True))
    except AttributeError:
        found = {name: getattr(member, name) for name in names if _is_set(member, name)}
    if has_dict:
        transient = transient_attributes(kind)
        found |= {name: value for name, value in member.__dict__.items() if name not in transient}
    if not kind._changing.isdisjoint(map(type, found.values())):
        found = {name: _kept(member, name, value) for name, value in found.items()}
    return found


def _is_set(member: Member, slot: str) -> bool:
    try:
        getattr(type(member), slot).__get__(member)  # not by `getattr`, which would look for suggestions
    except AttributeError:
        return False
    return True


def _kept(member: Member, name: str, value: Any) -> Any:
    """Copy containers that are attributes, as they change; but not `data`, which belongs to the user."""
    return value.copy() if type(value) in member._changing and name != "data" else value


def reinstate(member: Member, attributes: dict[str, Any]) -> None:
    """Set the attributes that `attributes_of` returned, and remove all others but the transient ones."""
    note_change()
    kind = type(member)
    transient = transient_attributes(kind)
    if saved_slots(kind).has_dict:
        for name in [name for name in member.__dict__ if name not in attributes and name not in transient]:
            object.__delattr__(member, name)
    for slot in saved_slots(kind).names:
        if slot not in attributes:
            with suppress(AttributeError):  # not set now either
                object.__delattr__(member, slot)
    for name, value in attributes.items():
        object.__setattr__(member, name, _kept(member, name, value))
