"""Sequences and dictionaries whose members are found by name; errors suggest the most similar names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar, overload

from opendynamics.api.describing import count
from opendynamics.api.suggestions import nearest


class _HasName(Protocol):
    @property
    def name(self) -> str: ...


LISTED = 8  # names in a message

Member = TypeVar("Member", bound=_HasName)
Value = TypeVar("Value")


def unknown_name(noun: str, name: object, known: Iterable[str]) -> KeyError:
    """The error for a name that no member has."""
    names = list(known)
    if not names:
        return KeyError(f"no {noun} is called {name!r}; there is none with a name")
    meant = nearest(str(name), names)
    known_names = f"{meant} Known names" if meant else "; known names"
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return KeyError(f"no {noun} is called {name!r}{known_names}: {', '.join(names[:LISTED])}{more}")


class ByName(dict[str, Value]):
    """A dictionary of a robot's parts by name.

    Args:
        noun: the word for a part in messages.
    """

    def __init__(self, noun: str) -> None:
        self._noun = noun

    def __missing__(self, name: object) -> Value:
        raise unknown_name(self._noun, name, self)

    def copy(self) -> ByName[Value]:
        """A copy, with the same parts."""
        other: ByName[Value] = ByName(self._noun)
        other.update(self)
        return other


class Named(Sequence[Member]):
    """Members in order, by index, slice or name: `model.joints["LLEG_KNEE"]`.

    Args:
        members: the members. Those without a name are found by index only; of equal names the first is found.
        noun: the word for a member in messages.
    """

    __slots__ = ("_by_name", "_members", "_noun")

    def __init__(self, members: Any, noun: str) -> None:
        self._members: tuple[Member, ...] = tuple(members)
        self._noun = noun
        self._by_name: dict[str, Member] = {}
        for member in self._members:
            if member.name:
                self._by_name.setdefault(member.name, member)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in order."""
        return tuple(member.name for member in self._members)

    @overload
    def __getitem__(self, key: int | str) -> Member: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Member, ...]: ...

    def __getitem__(self, key: int | str | slice) -> Member | tuple[Member, ...]:
        if not isinstance(key, str):
            try:
                return self._members[key]
            except IndexError:
                there = f"there are {count(len(self), self._noun)}" if len(self) else f"there is no {self._noun}"
                raise IndexError(f"no {self._noun} has the index {key}: {there}") from None
        try:
            return self._by_name[key]
        except KeyError:
            raise unknown_name(self._noun, key, self._by_name) from None

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members)

    def __contains__(self, item: object) -> bool:
        return item in self._by_name if isinstance(item, str) else item in self._members

    def __repr__(self) -> str:
        return f"<{count(len(self), self._noun)}: {', '.join(self.names)}>"
