"""Findings: a loader's remarks on a file, with file and line. Errors end the load; findings are collected."""

from __future__ import annotations

from pathlib import Path

from opendynamics.api.warning import warn


class ModelError(ValueError):
    """A model file that cannot be loaded; the message begins with file and line."""


class ModelWarning(UserWarning):
    """Contents of a model file that were skipped or look wrong."""


class Findings:
    """Findings of one load, each once, in order. With `strict` the first one is an error."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self._places: dict[tuple[str, str], dict[str, None]] = {}  # by file and text: the lines

    def note(self, place: str, text: str) -> None:
        """Report a finding at a place, "file:line". The same finding in many lines is reported once."""
        if self.strict:
            raise ModelError(f"{place}: {text} (an error because of strict=True)")
        file, _, line = place.rpartition(":")
        self._places.setdefault((file, text) if line.isdigit() else (place, text), {})[place] = None

    @property
    def texts(self) -> tuple[str, ...]:
        """All findings, oldest first."""
        result = []
        for (_, text), places in self._places.items():
            first, *others = places
            result.append(f"{first}: {text}" + (f" (and in {len(others)} more lines)" if others else ""))
        return tuple(result)

    def warn(self) -> None:
        """Issue each finding as a ModelWarning at the user's line."""
        for text in self.texts:
            warn(text, ModelWarning)


def place(file: Path | str, line: int) -> str:
    """File and line in the format of messages."""
    return f"{file}:{line}" if line > 0 else f"{file}"
