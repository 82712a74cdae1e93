"""Writes a recording's chunks in a separate thread, so that the simulation does not wait for compression and disk.

zlib, the coding of poses and writing all release the GIL. A write error (a full disk) ends the recording, not the
simulation: the file is truncated to its last complete chunk and remains readable.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import IO

from opendynamics.io.recording import chunks

Pack = Callable[[], bytes]

# Files being written by this process.
_open: set[Path] = set()
_lock = threading.Lock()


class ChunkWriter:
    """A new file of chunks. FileExistsError, unless `overwrite`, if it exists; ValueError if it is being written."""

    def __init__(self, path: Path, overwrite: bool) -> None:
        self.path = path
        self.error: BaseException | None = None
        self._real = path.resolve()
        with _lock:
            if self._real in _open:
                raise ValueError(f"{path} is being recorded already; close that recorder first, or choose another name")
            self._good = 0
            self._file = _create(path, overwrite)
            try:
                self._put(chunks.MAGIC)
            except OSError as error:
                self._file.close()
                raise _unwritable(path, error) from None
            _open.add(self._real)
        self._queue: Queue[tuple[bytes, Pack] | None] = Queue()
        self._thread = threading.Thread(target=self._work, name=f"recording {path.name}", daemon=True)
        self._thread.start()

    def write(self, kind: bytes, pack: Pack) -> None:
        """Queue a chunk, after those before it; `pack` creates its payload in the thread.

        Frames wait until everything before them is in the file: so a killed program loses at most the chunk that it was
        filling and the one before it, and memory is bounded.
        """
        if kind == chunks.FRAMES:
            self._queue.join()
        self._queue.put((kind, pack))

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            if self.error is None:
                try:
                    self._put(chunks.packed(job[0], job[1]()))
                except BaseException as error:
                    self.error = error
                    self._cut_back()
            self._queue.task_done()

    def _put(self, data: bytes) -> None:
        chunks.write_whole(self._file, data)
        self._good += len(data)

    def _cut_back(self) -> None:
        with contextlib.suppress(OSError):  # the reader finds the end itself
            self._file.truncate(self._good)

    def close(self) -> None:
        """Wait until everything is written, and close the file."""
        self._queue.put(None)
        self._thread.join()
        try:
            self._file.close()
        except OSError as error:
            self.error = self.error or error
        with _lock:
            _open.discard(self._real)


def _create(path: Path, overwrite: bool) -> IO[bytes]:
    try:
        return open(path, "wb" if overwrite else "xb", buffering=0)
    except FileExistsError:
        raise FileExistsError(
            f"{path} exists; choose another name, delete it, or allow it to be overwritten (overwrite=True, --overwrite)"
        ) from None
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> OSError:
    reason = os.strerror(error.errno) if error.errno else str(error)
    return type(error)(f"{path} cannot be written: {reason}; give a path in a folder that you may write to")
