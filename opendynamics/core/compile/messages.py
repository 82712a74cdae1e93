"""What users see while kernels are compiled, so that a first run does not look hung.

On a terminal, a line that ticks: which kernel of those that are known to be needed, and for how long. A progress bar takes
that text in (`shown_by`). Elsewhere, one plain line if it takes longer than a moment.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK = 0.5  # s
MOMENT = 1.0  # s, after which the plain line is written

PLAIN_LINE = "opendynamics: compiling kernels for this machine, once; `opendynamics warmup` does it ahead of time\n"

Show = Callable[[str], None]
IsThere = Callable[[], bool]


class Messages:
    """The kernels that this process had to wait for, and what it is waiting for now."""

    def __init__(self) -> None:
        self._needed: dict[str, IsThere] = {}
        self._now: list[str] = []
        self._began = 0.0
        self._show: Show | None = None
        self._said_plainly = False
        self._lock = threading.RLock()

    def announce(self, kernels: dict[str, IsThere]) -> None:
        """Kernels that are missing and will be needed, by name, with a function that returns whether they are there."""
        with self._lock:
            self._needed |= kernels

    @contextmanager
    def waiting_for(self, kernel: str) -> Iterator[None]:
        """Show that a kernel is being compiled, by this process or another, as long as this lasts."""
        with self._lock:
            self._needed[kernel] = _no
            self._now.append(kernel)
            if len(self._now) == 1:
                self._began = time.perf_counter()
                threading.Thread(
                    target=self._tick, args=(self._began,), name="opendynamics compiling", daemon=True
                ).start()
        try:
            yield
        finally:
            with self._lock:
                self._now.remove(kernel)
                self._needed[kernel] = _yes
                if not self._now:
                    self._write("")

    @contextmanager
    def shown_by(self, show: Show) -> Iterator[None]:
        """Give the text to `show` instead of the terminal, as long as this lasts; "" when there is no more."""
        before, self._show = self._show, show
        try:
            yield
        finally:
            self._show = before

    def _tick(self, began: float) -> None:
        while True:
            time.sleep(TICK)
            with self._lock:
                if not self._now or self._began != began:
                    return
                self._write(self._text())

    def _text(self) -> str:
        there = sum(is_there() for is_there in self._needed.values())
        seconds = time.perf_counter() - self._began
        return f"compiling for this machine, once: kernel {there + 1} of {len(self._needed)}, {self._now[-1]} ({seconds:.0f} s)"

    def _write(self, text: str) -> None:
        if self._show is not None:
            self._show(text)
        elif sys.stderr is None:
            pass
        elif sys.stderr.isatty():
            line = f"opendynamics: {text}"[: shutil.get_terminal_size().columns - 1] if text else ""
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
        elif text and not self._said_plainly and time.perf_counter() - self._began > MOMENT:
            self._said_plainly = True
            sys.stderr.write(PLAIN_LINE)
            sys.stderr.flush()


def _yes() -> bool:
    return True


def _no() -> bool:
    return False


MESSAGES = Messages()
