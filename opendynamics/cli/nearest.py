"""Suggestions for misspelled words and file names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from opendynamics.cli.errors import UserError


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """A question with the name that is close to `word`, or empty. Leading dashes of options do not count as similar."""
    bare = {name.lstrip("-"): name for name in names}
    close = difflib.get_close_matches(word.lstrip("-"), list(bare), 1)
    return f"did you mean {bare[close[0]]}? " if close else ""


def one_of(word: str, names: Sequence[str]) -> str:
    """Suggestions for a `word` that is not a name: the most similar one, and all names."""
    guess = did_you_mean(word, names)
    return f"{guess}{'There' if guess else 'there'} are: {', '.join(names)}"


def require_file(path: Path, remedy: str) -> None:
    """UserError with the most similar file name in the folder, or else the `remedy`, unless `path` is a file."""
    try:
        if path.is_file():
            return
        if path.is_dir():
            raise UserError(f"{path} is a folder; {remedy}")
    except OSError as error:  # the name is too long, or a folder may not be searched
        raise UserError(f"{path} cannot be read: {error.strerror}; {remedy}") from None
    beside: list[str] = []
    with suppress(OSError):
        beside = [found.name for found in path.parent.iterdir() if found.is_file()]
    close = difflib.get_close_matches(path.name, beside, 1)
    if close:
        remedy = f"did you mean {path.with_name(close[0])}?"
    elif not path.parent.is_dir():
        remedy = f"there is no folder {path.parent} either; {remedy}"
    raise UserError(f"{path} does not exist; {remedy}")
