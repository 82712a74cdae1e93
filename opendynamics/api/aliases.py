"""Aliases: the second name that a property or an argument may have. Nothing has a third.

With `limits = Alias[...]("stops")` in a class, `joint.limits` is `joint.stops`, and its constructor accepts `limits` for `stops`.
With `@also(d="offset")`, a method accepts `d` for its argument `offset`. `pairs()` lists all aliases, for docs/names.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar, overload

Read = TypeVar("Read")
Write = TypeVar("Write")
F = TypeVar("F", bound=Callable[..., Any])

# Where a function keeps the aliases of its arguments.
_ALIASES = "_aliases"


class Alias(Generic[Read, Write]):
    """Second name of the property `name`; it returns `Read` and accepts `Write`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__doc__ = f"Alias of `{name}`."

    @overload
    def __get__(self, thing: None, owner: type) -> Alias[Read, Write]: ...

    @overload
    def __get__(self, thing: object, owner: type | None = None) -> Read: ...

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        return self if thing is None else getattr(thing, self.name)

    def __set__(self, thing: Any, value: Write) -> None:
        setattr(thing, self.name, value)


def also(**names: str) -> Callable[[F], F]:
    """Decorator that lets a method accept arguments by an alias: `also(alias="argument")`."""

    def note(method: F) -> F:
        setattr(method, _ALIASES, names)
        return method

    return note


def attribute_aliases(kind: type) -> dict[str, str]:
    """Properties of a class that have an alias: alias to name."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= {alias: value.name for alias, value in vars(base).items() if isinstance(value, Alias)}
    return found


def argument_aliases(method: Callable[..., Any]) -> dict[str, str]:
    """Arguments of a method that have an alias: alias to name."""
    found: dict[str, str] = getattr(method, _ALIASES, {})
    return found


def by_name(call: str, aliases: dict[str, str], options: dict[str, Any]) -> dict[str, Any]:
    """The `options` of a call, with aliases replaced by names."""
    renamed: dict[str, Any] = {}
    for option, value in options.items():
        name = aliases.get(option, option)
        if name in renamed or (name != option and name in options):
            alias = next(alias for alias in aliases if aliases[alias] == name)
            raise TypeError(f"{call}() was given {name!r} and {alias!r}, which are two names of one argument; give one")
        renamed[name] = value
    return renamed


def pairs(kinds: Iterable[type]) -> Iterator[tuple[str, str, str]]:
    """Name, alias and where, of all properties and of all arguments of methods, in classes."""
    for kind in kinds:
        yield from ((name, alias, kind.__name__) for alias, name in attribute_aliases(kind).items())
        for method in dir(kind):
            if not method.startswith("_"):
                found = argument_aliases(getattr(kind, method)).items()
                yield from ((name, alias, f"{kind.__name__}.{method}") for alias, name in found)
