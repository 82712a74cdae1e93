"""Exceptions in callbacks: PyODE printed them and continued; `raiseCallbackErrors` propagates them."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any

_RAISE = [False]


def raiseCallbackErrors(flag: bool = True) -> bool:
    """Propagate exceptions of callbacks to the caller, or, with False, print them and continue, as PyODE does.

    Returns:
        The previous setting.
    """
    before, _RAISE[0] = _RAISE[0], bool(flag)
    return before


def call_back(name: str, function: Callable[..., Any], *args: Any, otherwise: Any = None) -> Any:
    """The result of `function`, or `otherwise` if it raised an exception that is only printed."""
    try:
        return function(*args)
    except Exception as error:
        ignore(name, error)
        return otherwise


def ignore(name: str, error: Exception) -> None:
    """Print an exception of a callback, or raise it."""
    if _RAISE[0]:
        raise error
    print(f"Exception ignored in: 'ode.{name}'", file=sys.stderr)
    traceback.print_exception(error)
