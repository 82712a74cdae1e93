"""Files: atomic writing; for reading, an error with file and place, and limits on decompressed sizes.

Reads bytes, zlib and gzip streams, JSON. A deflate stream expands up to 1,000 times, and a byte of JSON to 40 bytes of Python
objects: both are limited before memory is allocated. Imports nothing of the engine.
"""

from __future__ import annotations

import io
import json
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

GZIP_MAGIC = b"\x1f\x8b"

# Limit of characters of a file quoted in a message.
QUOTED = 80

# Most bytes that parsed JSON takes, per "[", "{", ":" and ",": a list with one number, an empty dictionary, the first
# entry of a dictionary, one more number or string. CPython 3.10 to 3.14 on 64 bits take no more.
_JSON_BYTES = {b"[": 120, b"{": 72, b":": 200, b",": 64}

_MAX_DIGITS = 32  # of integers; Python's own limit of 4,300 is recent and can be disabled


class FileError(ValueError):
    """A file cannot be read: it is damaged, incomplete, too large, or of another format.

    Attributes:
        path: the file.
        place: byte offset, line, chunk or key in the file; empty for the file as a whole.
        problem: what is wrong there.
        remedy: suggested action; may be empty.
    """

    def __init__(self, path: str | Path, place: str, problem: str, remedy: str = "") -> None:
        super().__init__(str(path), place, problem, remedy)
        self.path, self.place, self.problem, self.remedy = str(path), place, problem, remedy

    def __str__(self) -> str:
        where = f"{self.path}, {self.place}" if self.place else f"{self.path}"
        return f"{where}: {self.problem}" + (f"; {self.remedy}" if self.remedy else "")


# Creates the error of a format for one file: called with place, problem and remedy.
Fail = Callable[..., FileError]


@contextmanager
def located(fail: Fail, place: str, remedy: str = "") -> Iterator[None]:
    """Convert exceptions from a file's contents to the file's error at `place`."""
    try:
        yield
    except FileError:
        raise
    except ValueError as error:
        raise fail(place, quoted(str(error), 4 * QUOTED), remedy) from error
    except (TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise fail(place, f"{type(error).__name__}: {quoted(str(error), 4 * QUOTED)}", remedy) from error


def quoted(text: str, most: int = QUOTED) -> str:
    """`text`, shortened for a message."""
    return text if len(text) <= most else f"{text[:most]}..."


def beside(path: Path) -> Path:
    """Temporary name, in the same folder, under which a file is written until it is complete."""
    return path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Context with a temporary name to write to; on success the file replaces the previous one atomically."""
    aside = beside(path)
    try:
        yield aside
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def require_file(path: Path, noun: str) -> None:
    """Raise FileNotFoundError, with the file of the most similar name, unless `path` exists; IsADirectoryError for a folder."""
    if path.is_dir():
        raise IsADirectoryError(f"{str(path)!r} is a folder, not {noun}; give the path of a file in it")
    if path.exists():
        return
    from opendynamics.api.suggestions import nearest

    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"there is no {noun.partition(' ')[2]} {str(path)!r}: there is no folder {str(path.parent)!r}"
        )
    beside_it: list[str] = []
    with suppress(OSError):
        beside_it = [found.name for found in path.parent.iterdir() if found.is_file()]
    raise FileNotFoundError(f"there is no {noun.partition(' ')[2]} {str(path)!r}{nearest(path.name, beside_it)}")


def read_bytes(path: Path, most: int, fail: Fail) -> bytes:
    """Contents of a file, decompressed if it is a gzip file or named like one; `fail` above `most` bytes.

    OSError if the file does not exist or cannot be read.
    """
    with path.open("rb") as file:
        packed = path.suffix == ".gz" or file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        file.seek(0)
        found = os.fstat(file.fileno())
        # Python allocates the memory that it is told to read.
        length = min(most, found.st_size) if stat.S_ISREG(found.st_mode) else most
        data = _unpacked_gzip(file, most, fail) if packed else file.read(length + 1)
    if len(data) > most:
        raise fail(f"byte {most} of the {'unpacked ' * packed}contents", f"more than {most} bytes, which is the limit")
    return data


def _unpacked_gzip(file: io.BufferedReader, most: int, fail: Fail) -> bytes:
    import gzip

    try:
        with gzip.GzipFile(fileobj=file) as stream:
            return stream.read(most + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        remedy = "the file is cut off, damaged or not packed by gzip: copy it again, as binary data"
        raise fail(f"up to byte {file.tell()} of the gzip stream", f"it cannot be read: {error}", remedy) from None


def unpack_zlib(data: bytes, most: int, fail: Fail, place: str) -> bytes:
    """Contents of one zlib stream; `fail` above `most` bytes, or if the stream is incomplete."""
    stream = zlib.decompressobj()
    try:
        unpacked = stream.decompress(data, most + 1)
    except zlib.error as error:
        raise fail(place, f"the zlib stream cannot be unpacked: {error}") from None
    if len(unpacked) > most:
        raise fail(place, f"the zlib stream of {len(data)} bytes unpacks to more than the {most} that it may have")
    if not stream.eof or stream.unused_data:
        raise fail(place, f"the zlib stream of {len(data)} bytes does not end where its section ends")
    return unpacked


def parse_json(data: bytes, most: int, fail: Fail, place: str = "", *, infinite: bool = False) -> Any:
    """Parse JSON in UTF-8; `fail` if it is invalid, or would take more than `most` bytes of memory.

    NaN and infinities, which are not JSON, are rejected unless `infinite`.
    """
    needed = len(data) * (1 if data.isascii() else 4)
    needed += sum(size * data.count(letter) for letter, size in _JSON_BYTES.items())
    if needed > most:
        raise fail(place, f"{len(data)} bytes of JSON would take {needed} bytes of memory; the limit is {most}")
    try:
        constant = float if infinite else _not_json
        return json.loads(data.decode("utf-8"), parse_int=_whole, parse_constant=constant)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise fail(f"{place}, {at}" if place else at, f"not JSON: {error.msg}") from None
    except UnicodeDecodeError as error:
        at = f"byte {error.start}"
        raise fail(f"{place}, {at}" if place else at, f"not JSON in UTF-8: {error.reason}") from None
    except ValueError as error:
        raise fail(place, f"not JSON: {error}") from None
    except RecursionError:
        raise fail(place, "JSON is nested too deeply") from None


def _whole(word: str) -> int:
    if len(word) > _MAX_DIGITS:
        raise ValueError(f"a whole number has {len(word)} digits")
    return int(word)


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")
