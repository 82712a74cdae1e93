"""Checks of `opendynamics doctor`. One file of this family is one check.

A member has `TITLE`, `ORDER`, its position, and `findings() -> Iterator[Finding]`. An exception is reported as a finding:
the check is broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opendynamics.core.families import Family

CHECKS = Family("opendynamics.cli.checks")

FINE, MISSING, BROKEN = "fine", "missing", "broken"


@dataclass(frozen=True)
class Finding:
    """Result of a check.

    Attributes:
        title: the checked item.
        state: FINE; MISSING, if something optional is missing; BROKEN, if opendynamics cannot work correctly.
        text: the result.
        remedy: how to fix it.
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
    """Names of all checks, in their order."""
    return sorted(CHECKS.names, key=lambda name: int(CHECKS[name].ORDER))
