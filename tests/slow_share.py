"""Slow tests in shares: a run takes one share, so that no run takes long and all tests are run over time.

Which share a test is in depends on its name alone, whatever other tests there are.
"""

from __future__ import annotations

from zlib import crc32


def parse_share(text: str) -> tuple[int, int]:
    """The share K/N, K from 0 to N - 1, as two numbers.

    Raises:
        ValueError: if it is not one.
    """
    which, _, count = text.partition("/")
    if not (which.isdecimal() and count.isdecimal() and int(which) < int(count)):
        raise ValueError(f"a share of the slow tests is K/N with K from 0 to N - 1, as 3/20, not {text!r}")
    return int(which), int(count)


def is_in_share(test: str, share: tuple[int, int]) -> bool:
    """Whether a test, by its name, is in a share."""
    which, count = share
    return crc32(test.encode()) % count == which
