"""A pytest plugin: end the run after BUDGET seconds of processor time, excluding compilation.

The limit of processor time that the process was started with, which ends tests that hang, does not count compiling either.
"""

from __future__ import annotations

import math
import os
import resource
import time
from collections.abc import Generator
from typing import Any

import pytest
from numba.core import event

BUDGET = "MUTATION_BUDGET"  # in the environment, s


class Compiling(event.Listener):  # type: ignore[misc]
    """Adds up the processor time of compiling."""

    def __init__(self) -> None:
        self.seconds = self._started = 0.0
        self._depth = 0
        self._soft, self._hard = resource.getrlimit(resource.RLIMIT_CPU)

    def on_start(self, event: Any) -> None:
        """Note when the outermost function begins."""
        if self._depth == 0:
            self._started = time.process_time()
            resource.setrlimit(resource.RLIMIT_CPU, (self._hard, self._hard))
        self._depth += 1

    def on_end(self, event: Any) -> None:
        """Count what the outermost function took."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.process_time() - self._started
            if self._soft != resource.RLIM_INFINITY:
                soft = self._soft + math.ceil(self.seconds)
                soft = soft if self._hard == resource.RLIM_INFINITY else min(soft, self._hard)
                resource.setrlimit(resource.RLIMIT_CPU, (soft, self._hard))


COMPILING = Compiling()
STARTED: list[float] = []  # when each test did
event.register("numba:compile", COMPILING)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Each test."""
    STARTED.append(time.process_time())
    result = yield
    taken = time.process_time() - STARTED[0] - COMPILING.seconds
    if taken > float(os.environ[BUDGET]) and not item.session.testsfailed:
        pytest.exit("the time for tests is over", returncode=0)
    return result
