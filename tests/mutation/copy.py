"""A copy of the repository in which mistakes are made, and its tests run.

Beside it stands a kernel cache of its own, so that code with mistakes never gets into the user's. What a mistake does not
touch is compiled once.
"""

from __future__ import annotations

import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from opendynamics.core.compile.folder import VARIABLE, cache_folder

from .budget import BUDGET
from .choice import PACKAGE, ROOT
from .mutants import Mutant

# What takes longer hangs: s of wall clock; s of processor time, compiling and all (after a change in core/algebra all kernels
# are compiled anew); and beside compiling, s for imports and so many times the budget.
SLOWEST = 7200.0  # generous: on a busy machine a run may have to wait for hours
COMPILING = 1800
IMPORTING = 30.0
HANGING = 3.0

MAX_MEMORY = 8 << 30  # bytes: a wrong size must not take the machine along
PLUGIN = "tests.mutation.budget"
ORIGINAL = ".original"  # ends the name of a file without its mistake, while tests run with it

PASSED, NO_TESTS = 0, 5


@dataclass(frozen=True)
class Outcome:
    """How a run of tests ended.

    Attributes:
        passed: whether all did.
        by: the first test that did not, or what else ended the run.
        seconds: of processor time, those of compiling among them.
    """

    passed: bool
    by: str
    seconds: float


class Copy:
    """The copy, in its own folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tree"
        self.kernels = folder / "kernels"

    def make(self) -> None:
        """Copy what git knows of and does not ignore, and the kernels that are compiled already."""
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in listed.stdout.splitlines():
            source, target = ROOT / name, self.folder / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        self.kernels.mkdir(parents=True, mode=0o700, exist_ok=True)
        for source in cache_folder().glob("*"):
            if source.is_file() and not (self.kernels / source.name).exists():
                shutil.copy2(source, self.kernels)
        # Byte code is distinguished from that of a mistake by the text, not by time and size.
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", PACKAGE, "tests"],
            cwd=self.folder,
            check=True,
        )

    def run(self, tests: list[str], budget: float) -> Outcome:
        """Run tests up to the first failure, for at most a given number of seconds of processor time excluding compilation."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--no-header", "--tb=no", "-m", "not slow"]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(self.folder), str(ROOT)]),  # the plugin may be in ROOT only
            "PYTHONDONTWRITEBYTECODE": "1",
            VARIABLE: str(self.kernels),
            BUDGET: str(budget),
        }
        most = math.ceil(IMPORTING + HANGING * budget)
        before, started = _children_seconds(), time.monotonic()
        process = subprocess.Popen(
            [*command, "-p", "no:cacheprovider", "-p", PLUGIN, *tests],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (min(most, COMPILING), COMPILING))
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
        try:
            printed, _ = process.communicate(timeout=SLOWEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            printed = ""
        seconds = _children_seconds() - before
        if process.returncode in (PASSED, NO_TESTS):
            return Outcome(True, "", seconds)
        failed = [line for line in printed.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        if failed:
            return Outcome(False, failed[0].partition(" - ")[0].partition(" ")[2], seconds)
        hung = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or time.monotonic() - started >= SLOWEST
        if not hung:
            _require_pytest()
        return Outcome(False, "time" if hung else f"exit status {process.returncode}", seconds)

    def run_with(self, file: str, mutant: Mutant, tests: list[str], budget: float) -> Outcome:
        """The same with a mistake in one file."""
        path = self.folder / file
        original = path.with_name(path.name + ORIGINAL)
        shutil.copy2(path, original)
        path.write_bytes(mutant.apply(path.read_bytes()))
        try:
            return self.run(tests, budget)
        finally:
            original.replace(path)

    def restore(self) -> None:
        """Take back the mistake that a run which was killed has left."""
        for original in self.folder.rglob(f"*{ORIGINAL}"):
            original.replace(original.with_suffix(""))


def _require_pytest() -> None:
    """RuntimeError if pytest does not even start: then a run that failed says nothing of the mistake."""
    started = subprocess.run([sys.executable, "-m", "pytest", "--version"], check=False, capture_output=True, text=True)
    if started.returncode != 0:
        raise RuntimeError(f"pytest does not start: {started.stderr.strip()}; nothing is known of this mistake")


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
