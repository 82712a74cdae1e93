"""Progress bars on stderr: rich's if it is installed, a plain one otherwise, none if stderr is not a terminal."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from opendynamics.core.compile.messages import MESSAGES

Update = Callable[[int, str], None]

REFRESH = 0.1  # minimum interval between updates of the bar, s
WIDTH = 30  # of the plain bar, characters


@contextmanager
def progress(total: int, label: str) -> Iterator[Update]:
    """A bar that disappears at the end. Call the yielded function with the amount of `total` that is done, and a label."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield _show_nothing
        return
    make = _rich_bar if _rich() is not None else _plain_bar
    with make(stream, total, label) as show:
        last, reached = 0.0, (0, "")

        def update(done: int, label: str = "") -> None:
            nonlocal last, reached
            now, reached = time.perf_counter(), (done, label)
            if now - last >= REFRESH or done == total:
                last = now
                show(done, label)

        # While kernels are compiled, the bar shows that instead of its label.
        with MESSAGES.shown_by(lambda text: show(reached[0], text or reached[1])):
            yield update


def _show_nothing(done: int, label: str = "") -> None:
    pass


def _rich() -> Any:
    """The module rich.progress, or None."""
    try:
        return importlib.import_module("rich.progress")
    except ImportError:
        return None


@contextmanager
def _rich_bar(stream: TextIO, total: int, label: str) -> Iterator[Update]:
    rich = _rich()
    # The stream is given and not redirected: by default rich would take over sys.stderr.
    console = importlib.import_module("rich.console").Console(file=stream)
    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.TaskProgressColumn(),
        rich.TimeRemainingColumn(),
    )
    bar = rich.Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    with bar:
        task = bar.add_task(label, total=total)
        yield lambda done, text: bar.update(task, completed=done, description=text or label)


@contextmanager
def _plain_bar(stream: TextIO, total: int, label: str) -> Iterator[Update]:
    start = time.perf_counter()

    def show(done: int, text: str) -> None:
        part = done / total if total else 1.0
        filled = round(WIDTH * part)
        left = (time.perf_counter() - start) * (1.0 / part - 1.0) if part > 0.0 else 0.0
        bar = "#" * filled + "." * (WIDTH - filled)
        stream.write(f"\r\x1b[K{text or label} [{bar}] {100 * part:.0f} %, {left:.0f} s left")
        stream.flush()

    try:
        yield show
    finally:
        stream.write("\r\x1b[K")
        stream.flush()
