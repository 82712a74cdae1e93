"""One file for the machine code of each entry, `<module>.<function>-<key>.kernel` in the cache folder.

    magic (16 bytes) | SHA-256 of key and payload (32 bytes) | payload

A file is written under a temporary name in the same folder and then moved, so that no process reads a partial file. The
payload is unpickled only if the checksum is right: unpickling untrusted data can run any code.

The modification time is the time of last use, to the hour. Files of other versions are kept, as these may still be in use, until
all together exceed MAX_BYTES: then the least recently used ones are deleted.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from opendynamics.core.compile.folder import UnusableError, cache_folder, readable_folder, require_safe, writable_folder

MAGIC = b"od kernel \r\n\x1a\0\2\0"
SUFFIX = ".kernel"
_SUM = hashlib.sha256().digest_size

MAX_BYTES = 1_000_000_000  # about 150 versions
KEPT_PART = 0.8  # of that, after the oldest are removed
HOUR = 3600.0  # s


class DamagedError(Exception):
    """The contents of a file are not those that were written."""


def name_of(function: str, key: str) -> str:
    """The name of the file of an entry: `function` with its module, but for the package."""
    return f"{function}-{key}{SUFFIX}"


def exists(name: str) -> bool:
    """Whether a file is there that would be read; there is none without a name."""
    try:
        with _open(name):
            return True
    except OSError:
        return False


def read(name: str) -> bytes | None:
    """The payload of a file; None if there is no such file.

    Raises:
        OSError: if the folder or the file is not safe, or cannot be read.
        DamagedError: if the contents are not those that were written.
    """
    try:
        with _open(name) as file:
            content = file.read()
    except FileNotFoundError:
        return None
    return payload(name, content)


def payload(name: str, content: bytes) -> bytes:
    """The payload of a file of that name, from its bytes; DamagedError if they are wrong."""
    begin = len(MAGIC) + _SUM
    written = content[begin:]
    if content[:begin] != MAGIC + _checksum(name, written):
        raise DamagedError(name)
    return written


def _open(name: str) -> BinaryIO:
    path = readable_folder() / name
    # Non-blocking, as opening a pipe would wait for a writer.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise UnusableError(f"{path} is not a regular file")
        require_safe(path, state)
        if time.time() - state.st_mtime > HOUR:
            with suppress(OSError):  # another user's, or a folder that can only be read
                os.utime(path)
        return os.fdopen(handle, "rb")
    except OSError:
        os.close(handle)
        raise


def write(name: str, payload: bytes) -> None:
    """Keep a payload.

    Raises:
        OSError: if it cannot be kept.
    """
    import tempfile

    folder = writable_folder()
    handle, temporary = tempfile.mkstemp(prefix=".new-", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(MAGIC + _checksum(name, payload) + payload)
        if os.name == "posix":
            # The file is readable by all who may read the folder, as in a container image made for other users.
            os.chmod(temporary, 0o600 | (folder.stat().st_mode & 0o044))
        os.replace(temporary, folder / name)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def kept_bytes(names: Container[str] | None = None) -> int:
    """The size of all files in the folder, or of those with the given names."""
    try:
        return sum(size for path, size, _ in _kept() if names is None or path.name in names)
    except OSError:
        return 0


def prune(most: float = MAX_BYTES) -> int:
    """If all files take more than `most` bytes, remove those that were not used for longest. Returns the bytes removed."""
    found = _kept()
    total = sum(size for _, size, _ in found)
    return _remove(sorted(found, key=lambda file: file[2]), total - KEPT_PART * most) if total > most else 0


def remove_others(names: Container[str]) -> int:
    """Remove all files but those with the given names. Returns the bytes removed."""
    return _remove([file for file in _kept() if file[0].name not in names], float("inf"))


def _kept() -> list[tuple[Path, int, float]]:
    """The files of kernels, their sizes, and when they were last used."""
    found = []
    for path in cache_folder().glob(f"*{SUFFIX}"):
        with suppress(OSError):  # another process removes it
            state = path.lstat()
            if stat.S_ISREG(state.st_mode):
                found.append((path, state.st_size, state.st_mtime))
    return found


def _remove(files: list[tuple[Path, int, float]], wanted: float) -> int:
    """Remove files, one after another, until this many bytes are free."""
    removed = 0
    for path, size, _ in files:
        if removed >= wanted:
            break
        with suppress(OSError):
            path.unlink()
            removed += size
    return removed


def _checksum(name: str, payload: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + payload).digest()
