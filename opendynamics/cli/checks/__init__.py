"""What `opendynamics doctor` looks at. One file of this family is one check.

A member has `TITLE`, `ORDER`, its position, and `findings() -> Iterator[Finding]`. What it raises is a finding,
too: it is broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opendynamics.core.families import Family

CHECKS = Family("opendynamics.cli.checks")

FINE, MISSING, BROKEN = "fine", "missing", "broken"


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        title: what was looked at.
        state: FINE; MISSING, if something optional is not there; BROKEN, if opendynamics cannot work as it should.
        text: what was found.
        remedy: what to do about it.
    """

    title: str
    state: str
    text: str
    remedy: str = ""


def examine(name: str) -> Iterator[Finding]:
    """The findings of one check."""
    check = CHECKS[name]
    try:
        yield from check.findings()
    except Exception as error:
        yield Finding(
            check.TITLE, BROKEN, f"{type(error).__name__}: {error}", "see the message; please report it if it is ours"
        )


def in_order() -> list[str]:
    """Names of all checks, in the order in which they are made."""
    return sorted(CHECKS.names, key=lambda name: int(CHECKS[name].ORDER))
