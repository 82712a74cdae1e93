"""Error messages name the C function that rejected its arguments, whatever part of the engine detects the error.

Getters with one argument, and functions called for every contact, name themselves (`ids.the`). `named` wraps all others,
which takes a tenth of a microsecond.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Any

_OFTEN = frozenset(
    ("dCollide", "dSpaceCollide", "dSpaceCollide2", "dJointCreateContact", "dJointAttach", "dAreConnected")
)
_GETTER = re.compile(r"d(Body|Geom|Joint|Space|World)(Get|Is)")
_PREFIX = re.compile(r"^d[A-Z]\w*: ")
_OURS = ("opendynamics", "numpy", "contextlib", "functools")


def named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the function so that its errors start with its C name `name`. Exceptions of users' callbacks are unchanged."""
    single = _GETTER.match(name) and function.__name__ == name and len(inspect.signature(function).parameters) == 1
    if name in _OFTEN or single:
        return function

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except (TypeError, ValueError, RuntimeError, ReferenceError, ArithmeticError, LookupError) as error:
            if not _is_from_engine(error.__traceback__):
                raise
            text = str(error)
            if name in text:
                raise
            message = f"{name}: {without_call(text)}"
            if isinstance(error, (ArithmeticError, LookupError)):  # of a number too large, or a sequence too short
                raise ValueError(message) from error
            if type(error).__str__ is not BaseException.__str__:  # NumPy's, whose text is not its argument
                raise TypeError(message) from error
            error.args = (message, *error.args[1:])
            raise

    return call


def without_call(message: str) -> str:
    """The message without the name of a C function at its beginning, if any."""
    return _PREFIX.sub("", message)


def _is_from_engine(trace: TracebackType | None) -> bool:
    """Whether no user function was running."""
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__")).split(".")[0] not in _OURS:
            return False
        trace = trace.tb_next
    return True
