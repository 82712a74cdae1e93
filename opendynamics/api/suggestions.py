"""Names that do not exist: errors that give the nearest that do.

`Strict` refuses attributes that a class does not have. `explain` and `explain_calls` let the TypeError for an unknown keyword
name the public call and its arguments. Both cost time only where something is wrong, but for one more Python call.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from opendynamics.api.aliases import Alias, argument_aliases, attribute_aliases, by_name
from opendynamics.api.other_engines import TOO_MANY, argument_remedy, remedy

BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
UNNAMED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

# `**aliases` shows type checkers the aliases of a method's arguments; it gets nothing, as those are replaced by names.
UNUSED = "aliases"

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

# What is defined here is complete; classes that users derive may have more.
PACKAGE = "opendynamics.api."

# Names of other engines, and of everyday language, that are not spelled like those they mean.
MEANT = {
    "inertia_tensor": ("inertia",),
    "omega": ("angular_velocity",),
    "pos": ("position",),
    "quat": ("quaternion",),
    "rot": ("rotation", "quaternion"),
    "size": ("radius",),
    "colour": ("color",),
    "colours": ("colors",),
    "rgba": ("color",),
    "centre": ("center",),
    "height": ("length",),
    "timestep": ("h",),
    "dt": ("h",),
    "vel": ("linear_velocity",),
    "velocity": ("linear_velocity", "rate"),
    "xpos": ("position",),
    "xquat": ("quaternion",),
}


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message: `; did you mean 'gravity'?` for a name that is nearly one of `names`, else nothing."""
    from difflib import get_close_matches

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
        text = f"{name!r} of {label} can only be read{remedy((base.__name__ for base in kind.__mro__), name)}"
    else:
        names = public_names(kind)
        if given:  # what can be set
            names = [other for other in names if not callable(inspect.getattr_static(kind, other, None))]
        end = remedy((base.__name__ for base in kind.__mro__), name) or nearest(name, names)
        if given and not end and "data" in names:
            end = "; put values of your own into its 'data', or derive a class"
        text = f"{label} has no attribute {name!r}{end}"
    return AttributeError(text, obj=owner)  # without a name, for which Python would add a guess of its own


def refusal(owner: Any, name: str, error: AttributeError | None) -> AttributeError:
    """The error to raise where an attribute could not be set: that of a setter as it is, or what is wrong with the name."""
    found = inspect.getattr_static(type(owner), name, None)
    if error is not None and (isinstance(found, Alias) or (isinstance(found, property) and found.fset is not None)):
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

    if not TYPE_CHECKING:  # type checkers would let any name be set

        def __setattr__(self, name: str, value: Any) -> None:
            try:
                object.__setattr__(self, name, value)
            except AttributeError as error:
                raise refusal(self, name, error) from None


def class_attributes(kind: type) -> dict[str, Any]:
    """What stands in a class and its bases, as it stands there: the first of each name."""
    return {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}


def settable_names(kind: type) -> frozenset[str] | None:
    """Public names that may be set on instances with a `__dict__`; None: any, as the class is a user's."""
    if not kind.__module__.startswith(PACKAGE):
        return None
    declared = {name for base in kind.__mro__ for name in inspect.get_annotations(base)}
    descriptors = {
        name
        for name, found in class_attributes(kind).items()
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
        if not any(p.kind is inspect.Parameter.VAR_KEYWORD and p.name != UNUSED for p in parameters):
            return names
    return [] if kind is None else names


def takes_names(function: Callable[..., Any]) -> bool:
    """Whether a method has arguments that may be given by name."""
    code = function.__code__
    return code.co_argcount + code.co_kwonlyargcount > 1


def plain_call(function: F) -> F:
    """Mark a method that is called too often to be explained."""
    function._plain = True  # type: ignore[attr-defined]
    return function


def unknown_keyword(
    call: str, option: str, known: list[str], aliases: Iterable[str], made: type | None = None
) -> TypeError:
    """The error for an argument that a call does not have; what it has `made` may have an attribute of the name."""
    end = nearest(option, [*known, *aliases]) or argument_remedy(option, call) or "."
    if made is not None and option in (settable_names(made) or ()):
        end = f"; set the attribute {option!r} of what it returns."
    return TypeError(f"{call}() has no argument {option!r}{end} Its arguments are {', '.join(known)}")


def wrong_count(
    call: str, function: Callable[..., Any], values: Any, options: Any, known: list[str]
) -> TypeError | None:
    """The error for arguments that are missing, or too many without names; None if it is something else."""
    try:
        inspect.signature(function).bind(*values, **options)
    except TypeError as error:
        missing = re.search("missing a required .*argument: '(.*)'", str(error))
        if missing is not None:
            return TypeError(f"{call}() lacks the argument {missing[1]!r}. Its arguments are {', '.join(known)}")
        if "too many positional" in str(error):
            vectors = (
                "; a vector is one argument: (x, y, z)" if all(isinstance(v, int | float) for v in values[1:]) else ""
            )
            unnamed = [p.name for p in inspect.signature(function).parameters.values() if p.kind in UNNAMED][1:]
            most = f"at most {len(unnamed)} ({', '.join(unnamed)})" if unnamed else "none"
            others = [name for name in known if name not in unnamed]
            named = f". By their names it takes {', '.join(others)}" if others else TOO_MANY.get(call, "")
            return TypeError(
                f"{call}() was given {len(values) - 1} arguments without names and takes {most}{vectors}{named}"
            )
    return None


def explain(function: F, name: str = "", kind: type | None = None) -> F:
    """Let a method, or the constructor of `kind`, take its arguments by their aliases too.

    The TypeError for an unknown keyword names the public call, a method by its public `name`, its arguments and the nearest.
    """
    own = argument_aliases(function)
    aliases, known = own, arguments_of(function, kind) if own else []
    if kind is not None and (properties := attribute_aliases(kind)):
        known = arguments_of(function, kind)
        aliases = own | {alias: name for alias, name in properties.items() if name in known}

    def problem_with(values: Any, options: Any) -> TypeError | None:
        made = type(values[0]) if function.__name__ == "__init__" else None
        names = arguments_of(function, made)
        wrong = next((option for option in options if names and option not in names), None)
        if wrong is not None:
            return unknown_keyword(called(values[0]), wrong, names, aliases, made)
        return wrong_count(called(values[0]), function, values, options, names)

    def called(owner: Any) -> str:
        of = (owner if isinstance(owner, type) else type(owner)).__name__
        return of if function.__name__ == "__init__" else f"{of}.{name or function.__name__}"

    @functools.wraps(function)
    def explained(*values: Any, **options: Any) -> Any:
        if options and aliases:
            options = by_name(called(values[0]), aliases, options)
            if own and known and not options.keys() <= set(known):  # what `**aliases` would swallow
                raise problem_with(values, options) or TypeError(f"unknown arguments: {options}")
        try:
            return function(*values, **options)
        except TypeError as error:
            inside = error.__traceback__ is not None and error.__traceback__.tb_next is not None
            problem = None if inside and not options else problem_with(values, options)
            if problem is None:
                raise
        raise problem

    return explained  # type: ignore[return-value]


def explain_function(function: F) -> F:
    """Let the TypeError for wrong arguments of a public function name them, those that it has and the nearest."""

    def problem_with(values: Any, options: Any) -> TypeError | None:
        found = inspect.signature(function).parameters.values()
        known = [p.name for p in found if p.kind in BY_NAME]
        wrong = next((option for option in options if option not in known), None)
        if wrong is not None and not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in found):
            return unknown_keyword(function.__name__, wrong, known, ())
        try:
            inspect.signature(function).bind(*values, **options)
        except TypeError as error:
            return TypeError(f"{function.__name__}(): {error}. Its arguments are {', '.join(known)}")
        return None

    @functools.wraps(function)
    def explained(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except TypeError as error:
            inside = error.__traceback__ is not None and error.__traceback__.tb_next is not None
            problem = None if inside else problem_with(values, options)
            if problem is None:
                raise
        raise problem

    return explained  # type: ignore[return-value]


def explain_own_calls(kind: type) -> None:
    """Explain the constructor and the public methods that a class of this package defines itself."""
    for name, found in list(vars(kind).items()) if kind.__module__.startswith(PACKAGE) else ():
        if not inspect.isfunction(found) or hasattr(found, "_plain"):
            continue
        if name == "__init__" or (not name.startswith("_") and takes_names(found)):
            setattr(kind, name, explain(found, name, kind if name == "__init__" else None))


def explain_calls(kind: C) -> C:
    """Explain all public methods of a class, those of its bases too, as methods of this class."""
    for name, found in class_attributes(kind).items():
        if name.startswith("_") or hasattr(found, "_plain"):
            continue
        if inspect.isfunction(found) and (takes_names(found) or f"{kind.__name__}.{name}" in TOO_MANY):
            setattr(kind, name, explain(found, name))
        elif isinstance(found, classmethod) and takes_names(found.__func__):
            setattr(kind, name, type(found)(explain(found.__func__, name)))
    return kind
