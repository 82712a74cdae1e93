"""error.h: messages by number. What goes wrong in opendynamics itself raises exceptions and does not come here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

# `function(number, message, arguments)`; the message is a format for the arguments.
dMessageFunction = Callable[[int, str, tuple[Any, ...]], Any]

_handlers: dict[str, dMessageFunction | None] = {"error": None, "debug": None, "message": None}


def dSetErrorHandler(fn: dMessageFunction | None) -> None:
    """What dError calls before it raises; None for nothing."""
    _handlers["error"] = fn or None


def dSetDebugHandler(fn: dMessageFunction | None) -> None:
    _handlers["debug"] = fn or None


def dSetMessageHandler(fn: dMessageFunction | None) -> None:
    """What dMessage calls instead of printing; None for printing."""
    _handlers["message"] = fn or None


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


def _fail(kind: str, title: str, num: int, msg: str, arguments: tuple[Any, ...]) -> NoReturn:
    handler = _handlers[kind]
    if handler is not None:
        handler(num, msg, arguments)
    raise RuntimeError(_text(title, num, msg, arguments))


def _text(title: str, num: int, msg: str, arguments: tuple[Any, ...]) -> str:
    return f"{title} {num}: {msg % arguments if arguments else msg}"
