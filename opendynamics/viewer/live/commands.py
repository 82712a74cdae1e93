"""Commands from other threads: a queue of calls, made between steps by the thread that owns the world."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Call = tuple[Callable[[], Any], "Future[Any]"]


class Commands:
    """Calls in the order in which they were queued."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Call | None] = queue.SimpleQueue()
        self._closed = False
        self._closing = threading.Lock()

    def put(self, function: Callable[[], Any]) -> Future[Any]:
        """Queue a function without arguments; the future gets its result or exception, and is cancelled by `close`."""
        future: Future[Any] = Future()
        with self._closing:
            if self._closed:
                future.cancel()
            else:
                self._calls.put((function, future))
        return future

    def wake(self) -> None:
        """Wake a `wait` immediately."""
        self._calls.put(None)

    def run(self, seconds: float = 0.0) -> bool:
        """Make all queued calls; wait up to `seconds` for a first one. Returns whether there was any."""
        try:
            call = self._calls.get(timeout=seconds) if seconds > 0.0 else self._calls.get_nowait()
        except queue.Empty:
            return False
        found = False
        while True:
            if call is not None:
                found = True
                _make(*call)
            try:
                call = self._calls.get_nowait()
            except queue.Empty:
                return found

    def close(self) -> None:
        """Accept no more calls; cancel those that wait."""
        with self._closing:
            self._closed = True
        while True:
            try:
                call = self._calls.get_nowait()
            except queue.Empty:
                return
            if call is not None:
                call[1].cancel()


def _make(function: Callable[[], Any], future: Future[Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except BaseException as error:  # SystemExit too: it would end the thread silently
        future.set_exception(error)
