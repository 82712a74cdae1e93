"""Errors for names that do not exist: they suggest the most similar existing name.

`Strict` rejects attributes that a class does not have. `explain_calls` and `explain_function` let the TypeError for wrong
arguments name the public call and its arguments. Apart from one additional Python call, both cost time only in case of an
error.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from opendynamics.api.aliases import Alias, argument_aliases, attribute_aliases, by_name
from opendynamics.api.other_arguments import LACKING, TOO_MANY, argument_remedy
from opendynamics.api.other_engines import names_of, remedy

BY_NAME = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
MAKERS = ("__init__", "__new__")
UNNAMED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

# `**aliases` shows type checkers the aliases of a method's arguments; it is always empty, as aliases are replaced by names.
UNUSED = "aliases"

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

# Arguments that geoms without a place, such as planes, do not have.
PLACE = ("position", "quaternion", "rotation", "body")

# Classes defined here are complete; classes derived by users, and those of other APIs, may have more attributes.
PACKAGE = "opendynamics.api."
OURS = (PACKAGE, "opendynamics.io.", "opendynamics.robot.", "opendynamics.viewer.")

# Names of other engines, and everyday words, whose spelling differs from the names they mean.
MEANT = {
    "inertia_tensor": ("inertia",),
    "omega": ("angular_velocity",),
    "pos": ("position",),
    "quat": ("quaternion",),
    "rot": ("rotation", "quaternion"),
    "size": ("radius",),
    "r": ("radius",),
    "colour": ("color",),
    "colours": ("colors",),
    "angles": ("positions",),
    "open": ("open_browser",),
    "browser": ("open_browser",),
    "fov": ("field_of_view",),
    "fovy": ("field_of_view",),
    "disable": ("enabled",),
    "enable": ("enabled",),
    "rgba": ("color",),
    "centre": ("center",),
    "height": ("length",),
    "timestep": ("h",),
    "dt": ("h",),
    "vel": ("linear_velocity",),
    "velocity": ("linear_velocity", "rate"),
    "xpos": ("position",),
    "started": ("begin",),
    "entered": ("begin",),
    "exited": ("end",),
    "left": ("end",),
    "touching": ("persist",),
    "xquat": ("quaternion",),
}


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message: `; did you mean 'gravity'?` for a name that is nearly one of `names`, else empty."""
    from difflib import get_close_matches

    known = sorted(names)
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    plain = re.sub(r"^(get|set)_(?=.)", "", plain)
    meant = [other for other in MEANT.get(plain, ()) if other in known]
    # Case-insensitive; of names that differ only in case, the first.
    lower = {other.lower(): other for other in reversed(known)}
    like = [lower[other] for other in get_close_matches(plain, lower, 1, 0.65)]
    close = [plain] if plain in known else meant[:1] or like
    return f"; did you mean {close[0]!r}?" if close else ""


def public_names(kind: type) -> list[str]:
    """Public attributes of a class, including those that are only declared."""
    declared = [name for base in kind.__mro__ for name in inspect.get_annotations(base)]
    return [name for name in {*dir(kind), *declared} if not name.startswith("_")]


def unknown_attribute(owner: Any, name: str, *, given: bool) -> AttributeError:
    """The error for an attribute that does not exist, or that cannot be set if a value was `given`."""
    kind: Any = type(owner)
    named = hasattr(kind, "name") or "name" in getattr(owner, "__dict__", ())
    label = f"{kind.__name__} {owner.name!r}" if named else kind.__name__
    before, after = _fault(kind, name, given)
    # Without a name, for which Python would add its own suggestion.
    return AttributeError(f"{before}{label}{after}", obj=owner)


@functools.lru_cache(1024)  # `hasattr` may ask in a loop
def _fault(kind: type, name: str, given: bool) -> tuple[str, str]:
    """What is wrong with an attribute of a class, and what may have been meant: what comes before the object, and after it."""
    found, bases = inspect.getattr_static(kind, name, None), names_of(kind)
    if callable(found):
        return f"{name!r} of ", " is a method: call it, it cannot be set"
    if isinstance(found, property):
        return f"{name!r} of ", f" can only be read{remedy(bases, name)}"
    names = public_names(kind)
    if given:  # settable attributes
        names = [other for other in names if not callable(inspect.getattr_static(kind, other, None))]
    end = remedy(bases, name) or nearest(name, names) or remedy(bases, "*")
    if given and not end and "data" in names:
        end = "; put values of your own into its 'data', or derive a class"
    return "", f" has no attribute {name!r}{end}"


def refusal(owner: Any, name: str, error: AttributeError | None) -> AttributeError:
    """The error to raise if an attribute could not be set: that of its setter, or an explanation of the name."""
    found = inspect.getattr_static(type(owner), name, None)
    if error is not None and (isinstance(found, Alias) or (isinstance(found, property) and found.fset is not None)):
        return error
    return unknown_attribute(owner, name, given=True)


class Suggesting:
    """Reading an attribute that the class does not have raises an AttributeError that suggests the most similar one."""

    __slots__ = ()

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises the original error
            raise unknown_attribute(self, name, given=False)


class Strict(Suggesting):
    """Setting such an attribute does so too."""

    __slots__ = ()

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            try:
                object.__setattr__(self, name, value)
            except AttributeError as error:
                raise refusal(self, name, error) from None


class Closed(Suggesting):
    """Setting such an attribute does so if instances have a `__dict__`: the class declares the names. Users' subclasses may
    have more.
    """

    _settable: ClassVar[frozenset[str] | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._settable = settable_names(cls)

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

        def __setattr__(self, name: str, value: Any) -> None:
            if self._settable is not None and name not in self._settable and not name.startswith("_"):
                raise refusal(self, name, None)
            object.__setattr__(self, name, value)


def class_attributes(kind: type) -> dict[str, Any]:
    """The raw attributes of a class and its bases: the first of each name."""
    return {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}


def settable_names(kind: type) -> frozenset[str] | None:
    """Public names that may be set on instances with a `__dict__`; None: any, as the class is a user's."""
    if not kind.__module__.startswith(OURS):
        return None
    declared = {name for base in kind.__mro__ for name in inspect.get_annotations(base)}
    descriptors = {
        name
        for name, found in class_attributes(kind).items()
        if hasattr(type(found), "__set__") and not (isinstance(found, property) and found.fset is None)
    }
    return frozenset(declared | descriptors)


# -- keywords ------------------------------------------------------------------------------------------------------


def arguments_of(function: Callable[..., Any], kind: type | None) -> list[str] | None:
    """Arguments of a method that may be given by name, None: any; for a constructor of `kind`, including those of its bases.

    `_further_arguments` of a class are those that its constructor passes on; None if it checks them itself.
    """
    functions, further = [function], getattr(kind, "_further_arguments", ())
    if further is None:
        return None
    if kind is not None:
        makers = [base.__dict__["__init__"] for base in kind.__mro__ if "__init__" in base.__dict__]
        functions = makers[[inspect.unwrap(maker) for maker in makers].index(inspect.unwrap(function)) :]
    names: list[str] = list(further)
    for each in functions:
        parameters = list(inspect.signature(each).parameters.values())[1:]
        by_name = BY_NAME[:1] if names else BY_NAME  # the others of bases are filled in
        names += [p.name for p in parameters if p.kind in by_name and p.name not in names]
        if not any(p.kind is inspect.Parameter.VAR_KEYWORD and p.name != UNUSED for p in parameters):
            return [name for name in names if getattr(kind, "placeable", True) or name not in PLACE]
    return None if kind is None else names


def plain_call(function: F) -> F:
    """Mark a method whose calls are not explained: it is called too often, or never by users."""
    function._plain = True  # type: ignore[attr-defined]
    return function


def alone(quick: Callable[[Any, Any], Any]) -> Callable[[F], F]:
    """Mark a method whose calls with its one required argument alone are `quick(owner, argument)`."""

    def mark(function: F) -> F:
        function._alone = quick  # type: ignore[attr-defined]
        return function

    return mark


def unknown_keyword(
    call: str, option: str, known: list[str], aliases: Iterable[str] = (), made: type | None = None
) -> TypeError:
    """The error for an argument that a call does not have; the class `made` by the call may have an attribute of that name."""
    end = nearest(option, [*known, *aliases]) or argument_remedy(option, call, known) or "."
    takes = f"Its arguments are {', '.join(known)}" if known else "It has none"
    if made is not None and option in PLACE and not getattr(made, "placeable", True):
        end = f"; a {made.__name__.lower()} cannot be placed or put on a body."
    elif made is not None and option in (settable_names(made) or ()):
        end = f"; set the attribute {option!r} of what it returns."
    return TypeError(f"{call}() has no argument {option!r}{end} {takes}")


def wrong_call(
    call: str,
    function: Callable[..., Any],
    values: Any,
    options: Any,
    known: list[str] | None,
    aliases: Iterable[str] = (),
    made: type | None = None,
    owners: int = 0,
) -> TypeError | None:
    """The error for arguments that `function` does not take, by the public name of the `call`; None if it takes them.

    Args:
        known: arguments that may be given by name; None: any.
        aliases: their aliases.
        made: the class whose object the call creates.
        owners: number of leading values that the user does not pass: `self`, or a class. Arguments that the public call fills
            in, as `world.add_hinge` does with the world of a joint, do not count either.
    """
    wrong = None if known is None else next((option for option in options if option not in known), None)
    if known is not None and wrong is not None:
        return unknown_keyword(call, wrong, known, aliases, made)
    signature = inspect.signature(function)
    owners = max(owners, sum(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in signature.parameters.values()))
    named = [p.name for p in signature.parameters.values() if p.kind in BY_NAME][owners:]
    listed = [*named, "..."] if known is None else known
    arguments = f". Its arguments are {', '.join(listed)}" if listed else ""
    try:
        signature.bind(*values, **options)
    except TypeError as error:
        if "missing a required" in str(error):
            have = signature.bind_partial(*values, **options).arguments
            lacking = [
                n
                for n, p in signature.parameters.items()
                if p.kind not in REST and p.default is p.empty and n not in have
            ]
            noun = "argument" if len(lacking) == 1 else "arguments"
            return TypeError(
                f"{call}() lacks the {noun} {' and '.join(map(repr, lacking))}{LACKING.get(call, '')}{arguments}"
            )
        if "too many positional" not in str(error):
            return TypeError(f"{call}(): {error}{arguments}")
        given = values[owners:]
        numbers = len(given) > 1 and all(isinstance(value, int | float) for value in given)
        vectors = "; a vector is one argument: (x, y, z)" if numbers else ""
        unnamed = [p.name for p in signature.parameters.values() if p.kind in UNNAMED][owners:]
        most = f"at most {len(unnamed)} ({', '.join(unnamed)})" if unnamed else "none"
        others = [name for name in known or () if name not in unnamed]
        end = f". By their names it takes {', '.join(others)}" if others else TOO_MANY.get(call, "")
        return TypeError(
            f"{call}() was given {len(given)} argument{'s' * (len(given) != 1)} without names and takes {most}{vectors}{end}"
        )
    return None


def explain(function: F, name: str = "", kind: type | None = None) -> F:
    """Let a method, or the constructor of `kind`, accept the aliases of its arguments.

    The TypeError for wrong arguments names the public call (a method by its public `name`), its arguments and the most
    similar one.
    """
    own = argument_aliases(function)
    aliases, known = own, arguments_of(function, kind) if own else None
    if kind is not None and (properties := attribute_aliases(kind)):
        known = arguments_of(function, kind)
        aliases = own | {alias: name for alias, name in properties.items() if name in (known or ())}
    swallowing = frozenset(known) if own and known else None  # `**aliases` would take any other argument

    def problem_with(values: Any, options: Any) -> TypeError | None:
        made = type(values[0]) if function.__name__ == "__init__" else None
        names = arguments_of(function, made)
        return wrong_call(called(values[0]), function, values, options, names, aliases, made, 1)

    def called(owner: Any) -> str:
        of = (owner if isinstance(owner, type) else type(owner)).__name__
        return of if function.__name__ in MAKERS else f"{of}.{name or function.__name__}"

    def in_full(*values: Any, **options: Any) -> Any:
        if options and aliases:
            if not aliases.keys().isdisjoint(options):
                options = by_name(called(values[0]), aliases, options)
            if swallowing is not None and not swallowing.issuperset(options):
                raise problem_with(values, options) or TypeError(f"unknown arguments: {options}")
        try:
            return function(*values, **options)
        except TypeError:
            problem = problem_with(values, options)
            if problem is None:
                raise
        raise problem

    explained = functools.wraps(function)(_quicker(function, in_full))
    explained._explained = True  # type: ignore[attr-defined]
    return explained  # type: ignore[return-value]


_LACKING: Any = object()


def _quicker(function: Callable[..., Any], in_full: Callable[..., Any]) -> Callable[..., Any]:
    """`in_full`, which calls `function`, or a wrapper that passes calls that are certainly right to `function` directly."""
    code, with_first = function.__code__, getattr(function, "_alone", function)
    lacking = code.co_argcount - len(function.__defaults__ or ()) - 1

    def without(owner: Any, /, *values: Any, **options: Any) -> Any:
        return in_full(owner, *values, **options) if values or options else function(owner)

    def with_one(owner: Any, first: Any = _LACKING, /, *values: Any, **options: Any) -> Any:
        if values or options or first is _LACKING:
            return in_full(owner, *(() if first is _LACKING else (first,)), *values, **options)
        return with_first(owner, first)

    if code.co_kwonlyargcount > len(function.__kwdefaults__ or ()):
        return in_full
    return without if lacking == 0 else with_one if lacking == 1 else in_full


def explain_function(function: F) -> F:
    """Let the TypeError for wrong arguments of a public function name them, its arguments and the most similar one."""

    @functools.wraps(function)
    def explained(*values: Any, **options: Any) -> Any:
        try:
            return function(*values, **options)
        except TypeError:
            found = inspect.signature(function).parameters.values()
            hands_on = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in found)
            known = None if hands_on else [p.name for p in found if p.kind in BY_NAME]
            problem = wrong_call(function.__name__, function, values, options, known)
            if problem is None:
                raise
        raise problem

    return explained  # type: ignore[return-value]


def explain_own_calls(kind: type) -> None:
    """Explain the calls of a class of this package, for base classes from which users derive their own."""
    if kind.__module__.startswith(PACKAGE):
        explain_calls(kind)


def explain_calls(kind: C) -> C:
    """Explain a class's own constructor and all its public methods; methods of unexplained bases as if they were of this
    class.

    Reading an attribute that it does not have is explained too.
    """
    if not hasattr(kind, "__getattr__"):
        kind.__getattr__ = vars(Suggesting)["__getattr__"]  # type: ignore[attr-defined]
    for name, found in class_attributes(kind).items():
        function = found.__func__ if isinstance(found, classmethod | staticmethod) else found
        if not inspect.isfunction(function) or hasattr(function, "_plain") or hasattr(function, "_explained"):
            continue
        if name in MAKERS and name in vars(kind):
            explained = explain(function, name, kind if name == "__init__" else None)
            setattr(kind, name, explained if found is function else type(found)(explained))
        elif not name.startswith("_") and not isinstance(found, staticmethod):
            setattr(kind, name, explain(function, name) if found is function else type(found)(explain(function, name)))
    return kind
