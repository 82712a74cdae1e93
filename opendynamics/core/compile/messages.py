"""Messages while kernels are compiled, so that a first run does not seem to hang.

On a terminal, a line that ticks: which kernel of those that are known to be needed, and for how long. A progress bar takes
that text in (`shown_by`). Elsewhere, one plain line if it takes longer than a moment. The logger "opendynamics" has a record of
each kernel that was waited for, at the level INFO.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from opendynamics.core.compile import files

TICK = 0.5  # s
MOMENT = 1.0  # s; the plain line is written after it, and what follows within it belongs together

PLAIN_LINE = "opendynamics: compiling kernels for this machine, once; `opendynamics warmup` does it ahead of time\n"

Show = Callable[[str], None]


class Messages:
    """The kernels that this process has to wait for, and the current one."""

    def __init__(self) -> None:
        self._needed: dict[str, str] = {}  # name and file of kernels that were missing
        self._ready = set[str]()
        self._now: list[str] = []
        self._began = self._ended = -MOMENT
        self._ticking = False
        self._show: Show | None = None
        self._shown = self._plainly = False
        self._lock = threading.RLock()

    def announce(self, kernels: dict[str, str]) -> None:
        """Kernels that are missing and will be needed: names with those of their files."""
        with self._lock:
            self._needed |= kernels

    @contextmanager
    def waiting_for(self, kernel: str, file: str) -> Iterator[None]:
        """Show that a kernel is being compiled, by this process or another, as long as this lasts."""
        with self._lock:
            self._needed[kernel] = file
            self._now.append(kernel)
            if time.perf_counter() - self._ended > MOMENT:
                self._began = time.perf_counter()
            if not self._ticking:
                self._ticking = True
                threading.Thread(target=self._tick, name="opendynamics compiling", daemon=True).start()
        began = time.perf_counter()
        try:
            yield
        finally:
            import logging

            logging.getLogger("opendynamics").info("compiled %s in %.1f s", kernel, time.perf_counter() - began)
            with self._lock:
                self._now.remove(kernel)
                self._ready.add(kernel)
                self._ended = time.perf_counter()
                if not self._now and self._shown:
                    self._write("")

    @contextmanager
    def shown_by(self, show: Show) -> Iterator[None]:
        """Context in which the text is passed to `show` instead of the terminal; "" at the end."""
        before, self._show = self._show, show
        try:
            yield
        finally:
            self._show = before

    def _tick(self) -> None:
        while True:
            time.sleep(TICK)
            with self._lock:
                if self._now:
                    self._write(self._text())
                elif time.perf_counter() - self._ended > MOMENT:
                    self._ticking = False
                    return

    def _text(self) -> str:
        ready = sum(kernel in self._ready or files.exists(file) for kernel, file in self._needed.items())
        count, seconds = len(self._needed), time.perf_counter() - self._began
        which = f"kernel {min(ready + 1, count)} of {count} ({seconds:.0f} s)"
        return f"compiling {which}, once for this machine: {self._now[-1].removeprefix('core.')}"

    def _write(self, text: str) -> None:
        """Show a text, or that there is none any more."""
        stream = sys.stderr
        if self._show is not None:
            self._show(text)
            self._shown = bool(text)
        elif stream is not None and stream.isatty():
            import shutil

            line = f"opendynamics: {text}"[: shutil.get_terminal_size().columns - 1] if text else ""
            stream.write(f"\r\x1b[K{line}")
            stream.flush()
            self._shown = bool(text)
        elif stream is not None and not self._plainly and time.perf_counter() - self._began > MOMENT:
            stream.write(PLAIN_LINE)
            stream.flush()
            self._plainly = True


MESSAGES = Messages()
