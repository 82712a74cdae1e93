"""Compile every kernel ahead of time.

Kernels are otherwise compiled when they are first used. What is compiled already is only loaded; after an update of
opendynamics, Numba or the processor, what depends on it is compiled anew.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from typing import Any

from opendynamics import core
from opendynamics.cli.kernels import find_entries
from opendynamics.cli.progress import progress
from opendynamics.core.compile.folder import cache_folder
from opendynamics.core.kernels import compile_aside, is_on_disk, load

EXAMPLES = """\
examples:
  opendynamics warmup
  OPENDYNAMICS_CACHE_DIR=/srv/kernels opendynamics warmup      in a folder of your own, as for an image of a container
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command has no arguments of its own."""


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    start = time.perf_counter()
    entries = find_entries()
    missing = [found for found in entries if not is_on_disk(found[0])]
    # Every other one is compiled by a second process, and then only loaded here.
    aside = missing[1::2]
    wait = compile_aside(aside)
    messages = io.StringIO()
    with progress(len(entries), "compiling") as update:
        for done, (entry, signature) in enumerate([found for found in entries if found not in aside] + aside):
            update(done, _label(entry))
            if aside and entry is aside[0][0]:
                wait()
            # The kernels' own progress line would get in the way of the bar.
            with contextlib.redirect_stderr(messages):
                load(entry, signature)
    sys.stderr.write(messages.getvalue())
    seconds = time.perf_counter() - start
    print(f"{len(entries)} kernels are ready, {len(missing)} of them newly compiled, after {seconds:.1f} s")
    print(f"kept in {cache_folder()}")
    return 0


def _label(entry: Any) -> str:
    return f"{entry.py_func.__module__.removeprefix(f'{core.__name__}.')}.{entry.py_func.__name__}"
