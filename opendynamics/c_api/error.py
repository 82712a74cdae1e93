"""error.h: messages with numbers.

Errors in calls raise exceptions and do not come here. Warnings of a step (`engine_messages`) do, if there is a message handler.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from opendynamics.c_api.common.identifiers import d_ERR_UNKNOWN
from opendynamics.c_api.ids import function_or_null

# `function(number, message, arguments)`; the message is a format for the arguments.
dMessageFunction = Callable[[int, str, tuple[Any, ...]], Any]

_handlers: dict[str, dMessageFunction | None] = {"error": None, "debug": None, "message": None}


def dSetErrorHandler(fn: dMessageFunction | None) -> None:
    """Set the function that dError calls before it raises; None: no function."""
    _handlers["error"] = function_or_null("the handler of errors", fn)


def dSetDebugHandler(fn: dMessageFunction | None) -> None:
    _handlers["debug"] = function_or_null("the handler of debug messages", fn)


def dSetMessageHandler(fn: dMessageFunction | None) -> None:
    """Set the function that dMessage calls instead of printing; None: print."""
    _handlers["message"] = function_or_null("the handler of messages", fn)


def dGetErrorHandler() -> dMessageFunction | None:
    return _handlers["error"]


def dGetDebugHandler() -> dMessageFunction | None:
    return _handlers["debug"]


def dGetMessageHandler() -> dMessageFunction | None:
    return _handlers["message"]


def dError(num: int, msg: str, *arguments: Any) -> NoReturn:
    """Call the handler and raise RuntimeError; ODE ends the process."""
    _fail("error", "ODE Error", num, msg, arguments)


def dDebug(num: int, msg: str, *arguments: Any) -> NoReturn:
    """Call the handler and raise RuntimeError; ODE aborts the process."""
    _fail("debug", "ODE INTERNAL ERROR", num, msg, arguments)


def dMessage(num: int, msg: str, *arguments: Any) -> None:
    """Call the handler, or print to standard error."""
    handler = _handlers["message"]
    if handler is not None:
        handler(num, msg, arguments)
    else:
        print(_text("ODE Message", num, msg, arguments), file=sys.stderr)


@contextmanager
def engine_messages() -> Iterator[None]:
    """Pass warnings of the engine to the message handler; without one they are Python warnings."""
    handler = _handlers["message"]
    if handler is None:
        yield
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        handler(d_ERR_UNKNOWN, str(warning.message).replace("%", "%%"), ())


def _fail(kind: str, title: str, num: int, msg: str, arguments: tuple[Any, ...]) -> NoReturn:
    handler = _handlers[kind]
    if handler is not None:
        handler(num, msg, arguments)
    raise RuntimeError(_text(title, num, msg, arguments))


def _text(title: str, num: int, msg: str, arguments: tuple[Any, ...]) -> str:
    return f"{title} {num}: {msg % arguments if arguments else msg}"
