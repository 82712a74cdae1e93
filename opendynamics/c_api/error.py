"""error.h: messages by number.

What is wrong in a call raises exceptions and does not come here; what a step warns of (`engine_messages`) does, if there is a
handler of messages.
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
    """What dError calls before it raises; None for nothing."""
    _handlers["error"] = function_or_null("the handler of errors", fn)


def dSetDebugHandler(fn: dMessageFunction | None) -> None:
    _handlers["debug"] = function_or_null("the handler of debug messages", fn)


def dSetMessageHandler(fn: dMessageFunction | None) -> None:
    """What dMessage calls instead of printing; None for printing."""
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
    """Call the handler, or print to the standard error."""
    handler = _handlers["message"]
    if handler is not None:
        handler(num, msg, arguments)
    else:
        print(_text("ODE Message", num, msg, arguments), file=sys.stderr)


@contextmanager
def engine_messages() -> Iterator[None]:
    """Give warnings of the engine to the handler of messages; without one they are Python's warnings."""
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
