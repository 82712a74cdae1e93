"""drawstuff.h: the loop of a demo program, its viewpoint, messages, and the loop without a window."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from opendynamics.api import checks
from opendynamics.drawstuff.canvas import CANVAS, Drawn
from opendynamics.drawstuff.window import Window

DS_VERSION = 0x0002

MAX_TYPED = 1024  # bytes between two frames

_FRAME = 1.0 / 60.0  # s
_HPR = (180.0, 0.0, 0.0)  # drawstuff's default view: from x = 2 m to the origin
_XYZ = (2.0, 0.0, 1.0)


@dataclass
class dsFunctions:
    """Functions of a program: `start()`, then `step(pause)` in every frame, `command(key)` for keys, and `stop()`."""

    version: int = DS_VERSION
    start: Callable[[], Any] | None = None
    step: Callable[[int], Any] | None = None
    command: Callable[[int], Any] | None = None
    stop: Callable[[], Any] | None = None
    path_to_textures: str | None = None


@dataclass
class Headless:
    """A loop without a window: number of frames, keys by the frame before which they are typed, drawn shapes."""

    frames: int
    keys: dict[int, str]
    drawn: list[list[Drawn]] = field(default_factory=list)


@dataclass
class _State:
    xyz: tuple[float, ...] = _XYZ
    hpr: tuple[float, ...] = _HPR
    stopped: bool = False
    running: bool = False
    last: float | None = None
    headless: Headless | None = None


_STATE = _State()


@contextmanager
def headless(frames: int, keys: dict[int, str] | None = None) -> Iterator[Headless]:
    """Make dsSimulationLoop run `frames` frames without a window; `drawn` is a list of the shapes of each.

    Args:
        frames: their number, unless dsStop ends the loop earlier.
        keys: keys typed before each frame, counted from 0.
    """
    kept = _STATE.headless
    _STATE.headless = Headless(checks.count("the number of frames", frames), keys or {})
    try:
        yield _STATE.headless
    finally:
        _STATE.headless = kept


def dsSimulationLoop(argc: int, argv: Any, window_width: int, window_height: int, fn: dsFunctions) -> None:
    """Run a program in the live view until it is closed, dsStop is called, or Ctrl-C is pressed.

    Options in `argv`: -pause starts paused; -notex, -noshadow and -noshadows are accepted.
    """
    if getattr(fn, "step", None) is None:
        raise TypeError(f"dsSimulationLoop takes dsFunctions with a step, not {fn!r}")
    if fn.version > DS_VERSION:
        raise ValueError(f"the version of dsFunctions must be at most DS_VERSION, {DS_VERSION}, not {fn.version}")
    if _STATE.running:
        raise RuntimeError("dsSimulationLoop is running already; call dsStop in it, and come back")
    checks.count("the width of the window", window_width, 1)
    checks.count("the height of the window", window_height, 1)
    pause = int("-pause" in [str(word) for word in argv[1:argc]])
    begin = _STATE.headless
    _STATE.xyz, _STATE.hpr, _STATE.stopped, _STATE.running, _STATE.last = _XYZ, _HPR, False, True, None
    try:
        if fn.start is not None:
            fn.start()
        if begin is None:
            _run_in_window(fn, pause)
        else:
            _run_headless(fn, begin, pause)
        if fn.stop is not None:
            fn.stop()
    finally:
        _STATE.running = False
        CANVAS.frame.clear()


def _frame_of(fn: dsFunctions, pause: int) -> list[Drawn]:
    """The shapes drawn by a step."""
    assert fn.step is not None
    CANVAS.frame.clear()
    CANVAS.colour, CANVAS.texture = (1.0, 1.0, 1.0, 1.0), 0
    fn.step(pause)
    return list(CANVAS.frame)


def _run_headless(fn: dsFunctions, run: Headless, pause: int) -> None:
    for number in range(run.frames):
        for key in run.keys.get(number, ""):
            _command(fn, key)
        if _STATE.stopped:
            return
        run.drawn.append(_frame_of(fn, pause))


def _run_in_window(fn: dsFunctions, pause: int) -> None:
    with Window(_STATE.xyz, _STATE.hpr) as window:
        try:
            while not _STATE.stopped and not window.closed:
                begin = time.monotonic()
                for key in _typed():
                    _command(fn, key)
                window.show(_frame_of(fn, pause))
                window.look(_STATE.xyz, _STATE.hpr)
                time.sleep(max(_FRAME - (time.monotonic() - begin), 0.0))
        except KeyboardInterrupt:
            return


def _typed() -> str:
    """Keys typed in the terminal since the last frame."""
    if not sys.stdin or not sys.stdin.isatty():
        return ""
    if sys.platform == "win32":  # where only sockets can be selected
        import msvcrt

        keys = ""
        while msvcrt.kbhit():
            key = msvcrt.getwch()
            if key in ("\0", "\xe0"):  # an arrow or a function key: its code follows
                msvcrt.getwch()
            else:
                keys += key
        return keys.replace("\r", "")
    if not select.select([sys.stdin], [], [], 0.0)[0]:
        return ""
    # A line at a time, unbuffered: a further one in a buffer could not be selected.
    return os.read(sys.stdin.fileno(), MAX_TYPED).decode(sys.stdin.encoding, errors="ignore").replace("\n", "")


def _command(fn: dsFunctions, key: str) -> None:
    if fn.command is not None:
        fn.command(ord(key))


def dsStop() -> None:
    """End the loop after this frame."""
    _STATE.stopped = True


def dsElapsedTime() -> float:
    """Seconds since the last call, at most 1; without a window, those of a frame."""
    if _STATE.headless is not None:
        return _FRAME
    now = time.monotonic()
    elapsed = _FRAME if _STATE.last is None else now - _STATE.last
    _STATE.last = now
    return min(max(elapsed, 1e-6), 1.0)


def dsSetViewpoint(xyz: Any, hpr: Any) -> None:
    """Set the position of the camera, m, and heading, pitch and roll, degrees, at any time; the live view ignores the roll."""
    place = checks.vector("the viewpoint", list(xyz)[:3])
    _STATE.hpr = checks.vector("heading, pitch and roll", list(hpr)[:3])
    _STATE.xyz = place


def dsGetViewpoint(xyz: Any = None, hpr: Any = None) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The viewpoint, and heading, pitch and roll; written to two lists or arrays if they are given, as in C."""
    for output, numbers in ((xyz, _STATE.xyz), (hpr, _STATE.hpr)):
        if output is not None:
            output[:3] = numbers
    return _STATE.xyz, _STATE.hpr


def dsPrint(msg: str, *arguments: Any) -> None:
    """Print a text, with the arguments in place of %d and so on."""
    print(msg % arguments if arguments else msg, end="")


def dsError(msg: str, *arguments: Any) -> NoReturn:
    """Raise a RuntimeError with a text; C ends the program."""
    raise RuntimeError(msg % arguments if arguments else msg)


def dsDebug(msg: str, *arguments: Any) -> NoReturn:
    """Raise a RuntimeError with a text; C ends the program and dumps core."""
    dsError(msg, *arguments)
