"""Turns between processes that start cold together: one compiles a kernel, the others wait for its file.

The file `lock` in the cache folder is locked at one byte for each kernel. The system releases a lock when its process ends,
in whatever way. If files cannot be locked, or it takes too long, processes do not wait.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from opendynamics.core.compile.folder import writable_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

NAME = "lock"
PATIENCE = 300.0  # s; longer than any kernel takes to compile on a slow machine
LOOK_EVERY = 0.05  # s

FREE, BUSY, UNKNOWN = "free", "busy", "unknown"


@contextmanager
def turn(kernel: str) -> Iterator[bool]:
    """Have the lock of a kernel, for as long as this lasts; yields whether another process had it before.

    Without a lock, after waiting for PATIENCE or where there are none, it yields all the same.
    """
    place, waited, until = _place(kernel), False, time.monotonic() + PATIENCE
    state = _try_lock(place)
    while state == BUSY and time.monotonic() < until:
        waited = True
        time.sleep(LOOK_EVERY)
        state = _try_lock(place)
    try:
        yield waited
    finally:
        if state == FREE:
            _unlock(place)


def is_busy(kernel: str) -> bool:
    """Whether another process has the lock of a kernel."""
    place = _place(kernel)
    state = _try_lock(place)
    if state == FREE:
        _unlock(place)
    return state == BUSY


def _place(kernel: str) -> int:
    """The byte of a kernel. If two kernels share one, the second waits needlessly for a while."""
    return int(kernel.rpartition("-")[2][:7], 16)


# A process loses its locks when it closes the file, wherever it has opened it; so it is opened once. A process that was
# forked has none of its parent's.
_guard = threading.Lock()
_opened: dict[tuple[int, str], int] = {}
_held = set[tuple[int, int]]()  # by threads of this process, which the system does not keep apart


def _handle() -> int:
    folder = str(writable_folder())
    found = _opened.get((os.getpid(), folder))
    if found is None:
        found = _opened[os.getpid(), folder] = os.open(os.path.join(folder, NAME), os.O_RDWR | os.O_CREAT, 0o600)
    return found


def _try_lock(place: int) -> str:
    with _guard:
        if (os.getpid(), place) in _held:
            return BUSY
        try:
            handle = _handle()
        except OSError:
            return UNKNOWN
        try:
            if sys.platform == "win32":
                os.lseek(handle, place, os.SEEK_SET)
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return BUSY
        except OSError:
            return UNKNOWN
        _held.add((os.getpid(), place))
        return FREE


def _unlock(place: int) -> None:
    with _guard:
        _held.discard((os.getpid(), place))
        try:
            handle = _handle()
            if sys.platform == "win32":
                os.lseek(handle, place, os.SEEK_SET)
                msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
            else:
                fcntl.lockf(handle, fcntl.LOCK_UN, 1, place)
        except OSError:
            pass  # the folder is gone, and the lock with it
