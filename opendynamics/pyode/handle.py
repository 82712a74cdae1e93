"""Base of PyODE's classes: a C ID each, subclasses without a call of the base's constructor, user-defined attributes.

PyODE's objects were complete as soon as `__new__` had run. A subclass could therefore omit the call of the base's `__init__`;
here `__init__` creates the ID or, if a subclass omitted it, the first use or the end of the construction does.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, NoReturn

set_slot = object.__setattr__  # any class's attribute


class _Completed(type):
    """Creates the ID if a subclass's `__init__` did not."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        if isinstance(made, Identified):
            made._ode_id  # noqa: B018  (made on first use)
        return made


class Identified(metaclass=_Completed):
    """One object of ODE. `_ode_id` is its C ID; subclasses say in `_ode_make` how it is made, and of what."""

    __slots__ = ("__weakref__", "_ode_arguments", "_ode_id")

    _ode_arguments: Any
    _ode_id: Any
    _ode_noun: ClassVar[str] = ""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = object.__new__(cls)
        set_slot(self, "_ode_arguments", (args, kwargs))
        return self

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        arguments = self._ode_arguments
        if arguments is None:  # it was used before its constructor ran, and is complete
            return
        if type(self).__new__ is not Identified.__new__:
            args, kwargs = arguments  # a subclass chose them
        set_slot(self, "_ode_id", self._ode_make(*args, **kwargs))
        set_slot(self, "_ode_arguments", None)
        self._ode_made()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        make = cls.__dict__.get("_ode_make")
        if make is not None:
            make.__qualname__ = cls.__name__  # errors about arguments then name the class
            signature = inspect.signature(make)
            parameters = [*signature.parameters.values()][1:]
            shown = signature.replace(parameters=parameters, return_annotation=signature.empty)
            type.__setattr__(cls, "__signature__", shown)

    def _ode_make(self, *args: Any, **kwargs: Any) -> Any:
        """The C ID of a new object."""
        raise NotImplementedError(f"{type(self).__name__} is a base class; create an object of a derived class")

    def _ode_made(self) -> None:
        """Called as soon as the object has its ID."""

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: make a new one")


class Handle(Identified):
    """One that has its ID as soon as somebody asks for it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name == "_ode_id":
            self._ode_identify()
            return self._ode_id
        return self._ode_missing(name)

    def _ode_identify(self) -> None:
        """Make the ID."""
        args, kwargs = self._ode_arguments
        Handle.__init__(self, *args, **kwargs)

    def _ode_missing(self, name: str) -> Any:
        """The value of an attribute that the class does not have."""
        raise AttributeError(f"{self._ode_noun or type(self).__name__} object has no attribute {name!r}")


class Attributed(Handle):
    """An object that stores user-defined attributes separately from its own: methods take precedence when they are read."""

    __slots__ = ("_ode_attributes",)

    def _ode_missing(self, name: str) -> Any:
        if name == "_ode_attributes":
            attributes: dict[str, Any] = {}
            set_slot(self, "_ode_attributes", attributes)
            return attributes
        try:
            return self._ode_attributes[name]
        except KeyError:
            raise AttributeError(self._ode_no_attribute(name)) from None

    def _ode_no_attribute(self, name: str) -> str:
        return f"{self._ode_noun} object has no attribute {name!r}"

    def __setattr__(self, name: str, value: Any) -> None:
        own = getattr(type(self), name, None)
        # A slot, or a property of a subclass; like methods, properties without a setter only take precedence in reading.
        if name.startswith("_ode_") or (hasattr(type(own), "__set__") and getattr(own, "fset", own) is not None):
            set_slot(self, name, value)
        else:
            self._ode_attributes[name] = value

    def __delattr__(self, name: str) -> None:
        own = getattr(type(self), name, None)
        if hasattr(type(own), "__delete__") and getattr(own, "fdel", own) is not None:
            object.__delattr__(self, name)
            return
        try:
            del self._ode_attributes[name]
        except KeyError:
            raise AttributeError(self._ode_no_attribute(name)) from None


def id_of(kind: type[Identified], what: str, value: Any, *, none: bool = False) -> Any:
    """The C ID of `value`, which must be of `kind`, or with `none` None: the null ID.

    Raises:
        TypeError: otherwise, with `what` the value is for.
    """
    if isinstance(value, kind):
        return value._ode_id
    if value is None and none:
        return None
    raise TypeError(f"{what} must be a {kind.__name__}{' or None' if none else ''}, not {value!r}")
