"""Names that do not exist: errors that give the nearest that do.

`Strict` refuses attributes that a class does not have. `explain` and `explain_calls` let the TypeError for an unknown keyword
name the public call and its arguments. Both cost time only where something is wrong, but for one more Python call.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

# What is defined here is complete; classes that users derive may have more.
PACKAGE = "opendynamics.api."

# Names of other engines, and of everyday language, that are not spelled like those they mean.
MEANT = {
    "friction": ("mu",),
    "inertia_tensor": ("inertia",),
    "limits": ("stops",),
    "omega": ("angular_velocity",),
    "orientation": ("quaternion", "rotation"),
    "pos": ("position",),
    "quat": ("quaternion",),
    "restitution": ("bounce",),
    "rot": ("rotation", "quaternion"),
    "size": ("lengths", "radius"),
    "timestep": ("h",),
    "dt": ("h",),
    "vel": ("linear_velocity",),
    "velocity": ("linear_velocity", "rate"),
    "xpos": ("position",),
    "xquat": ("quaternion",),
}


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message: `; did you mean 'gravity'?` for a name that is nearly one of `names`, else nothing."""
    known = sorted(names)
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    plain = re.sub(r"^(get|set)_(?=.)", "", plain)
    meant = [other for other in MEANT.get(plain, ()) if other in known]
    close = [plain] if plain in known else meant[:1] or get_close_matches(plain, known, 1, 0.65)
    return f"; did you mean {close[0]!r}?" if close else ""


def public_names(kind: type) -> list[str]:
    """Public attributes of a class, those that are only declared too."""
    declared = [name for base in kind.__mro__ for name in inspect.get_annotations(base)]
    return [name for name in {*dir(kind), *declared} if not name.startswith("_")]


def unknown_attribute(owner: Any, name: str, *, given: bool) -> AttributeError:
    """The error for an attribute that is not there, or that cannot be set if one was `given`."""
    kind = type(owner)
    found = inspect.getattr_static(kind, name, None)
    named = hasattr(kind, "name") or "name" in getattr(owner, "__dict__", ())
    label = f"{kind.__name__} {owner.name!r}" if named else kind.__name__
    if callable(found):
        text = f"{name!r} of {label} is a method: call it, it cannot be set"
    elif isinstance(found, property):
        text = f"{name!r} of {label} can only be read"
    else:
        names = public_names(kind)
        if given:  # what can be set
            names = [other for other in names if not callable(inspect.getattr_static(kind, other, None))]
        remedy = nearest(name, names)
        if given and not remedy and "data" in names:
            remedy = "; put values of your own into its 'data', or derive a class"
        text = f"{label} has no attribute {name!r}{remedy}"
    return AttributeError(text, name=name, obj=owner)


def refusal(owner: Any, name: str, error: AttributeError | None) -> AttributeError:
    """The error to raise where an attribute could not be set: that of a setter as it is, or what is wrong with the name."""
    found = inspect.getattr_static(type(owner), name, None)
    if error is not None and isinstance(found, property) and found.fset is not None:
        return error
    return unknown_attribute(owner, name, given=True)


class Suggesting:
    """Reading an attribute that the class does not have raises an AttributeError that gives the nearest that it has."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers would take every name for good

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises what was raised
            raise unknown_attribute(self, name, given=False)


class Strict(Suggesting):
    """Setting one does so too."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            object.__setattr__(self, name, value)
        except AttributeError as error:
            raise refusal(self, name, error) from None


def settable_names(kind: type) -> frozenset[str] | None:
    """Public names that may be set on instances with a `__dict__`; None: any, as the class is a user's."""
    if not kind.__module__.startswith(PACKAGE):
        return None
    declared = {name for base in kind.__mro__ for name in inspect.get_annotations(base)}
    descriptors = {
        name
        for name in dir(kind)
        for found in [inspect.getattr_static(kind, name)]
        if hasattr(type(found), "__set__") and not (isinstance(found, property) and found.fset is None)
    }
    return frozenset(declared | descriptors)


# -- keywords ------------------------------------------------------------------------------------------------------


def arguments_of(function: Callable[..., Any], kind: type | None) -> list[str]:
    """Arguments that may be given by name; for a constructor of `kind`, those that it hands on to its bases too."""
    functions = [function]
    if kind is not None:
        makers = [base.__dict__["__init__"] for base in kind.__mro__ if "__init__" in base.__dict__]
        functions = makers[[inspect.unwrap(maker) for maker in makers].index(inspect.unwrap(function)) :]
    names: list[str] = []
    for each in functions:
        parameters = list(inspect.signature(each).parameters.values())[1:]
        by_name = BY_NAME[:1] if names else BY_NAME  # the others of bases are filled
        names += [p.name for p in parameters if p.kind in by_name and p.name not in names]
        if not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
            return names
    return [] if kind is None else names


def takes_names(function: Callable[..., Any]) -> bool:
    """Whether a method has arguments that may be given by name."""
    code = function.__code__
    return code.co_argcount + code.co_kwonlyargcount > 1


def explain(function: F, call: str | None = None) -> F:
    """Let the TypeError for an unknown keyword of `function` name the public `call`, its arguments and the nearest."""

    @functools.wraps(function)
    def explained(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except TypeError:
            making = function.__name__ == "__init__"
            kind = type(values[0]) if making else None
            name = kind.__name__ if kind is not None else call or function.__qualname__
            known = arguments_of(function, kind)
            wrong = [option for option in options if known and option not in known]
            if not wrong:
                raise
            remedy = nearest(wrong[0], known) or "."
            problem = TypeError(f"{name}() has no argument {wrong[0]!r}{remedy} Its arguments are {', '.join(known)}")
        raise problem

    return explained  # type: ignore[return-value]


def explain_own_calls(kind: type) -> None:
    """Explain the constructor and the public methods that a class of this package defines itself."""
    for name, found in list(vars(kind).items()) if kind.__module__.startswith(PACKAGE) else ():
        if inspect.isfunction(found) and (name == "__init__" or (not name.startswith("_") and takes_names(found))):
            setattr(kind, name, explain(found, f"{kind.__name__}.{name}"))


def explain_calls(kind: C) -> C:
    """Explain all public methods of a class, those of its bases too, as methods of this class."""
    for name in dir(kind):
        found = inspect.getattr_static(kind, name)
        call = f"{kind.__name__}.{name}"
        if name.startswith("_"):
            continue
        if inspect.isfunction(found) and takes_names(found):
            setattr(kind, name, explain(found, call))
        elif isinstance(found, classmethod) and takes_names(found.__func__):
            setattr(kind, name, classmethod(explain(found.__func__, call)))
    return kind
