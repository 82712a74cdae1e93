"""Compile every kernel ahead of time.

Otherwise, kernels are compiled when they are first used. Kernels that are already compiled are only loaded; after an update
of opendynamics, Numba or the processor, those affected are recompiled. Kernels of other versions are kept until all together
take more than a gigabyte; --prune removes them now.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import count

from opendynamics.api.progress import progress
from opendynamics.cli.kernels import find_entries
from opendynamics.core.compile.files import remove_others
from opendynamics.core.compile.folder import cache_folder
from opendynamics.core.compile.loading import is_kept, load_together

EXAMPLES = """\
examples:
  opendynamics warmup
  opendynamics warmup --prune                                  after an update
  OPENDYNAMICS_CACHE_DIR=/srv/kernels opendynamics warmup      in a folder of your own, as for an image of a container
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("--prune", action="store_true", help="then remove what other versions of opendynamics compiled")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    start = time.perf_counter()
    entries = find_entries()
    missing = [entry for entry in entries if not is_kept(entry)]
    done = count()
    with progress(len(entries), "compiling") as update:
        load_together(entries, lambda entry: update(next(done), entry.cache.name))
    kept = sum(map(is_kept, entries))
    seconds = time.perf_counter() - start
    print(f"{len(entries)} kernels are ready, {len(missing)} of them newly compiled, after {seconds:.1f} s")
    if kept < len(entries):
        print(
            f"{len(entries) - kept} of them could not be kept, and will be compiled again; see the warning",
            file=sys.stderr,
        )
        return 1
    print(f"kept in {cache_folder()}")
    if options.prune:
        removed = remove_others({entry.cache.file_name() for entry in entries})
        print(f"removed {removed / 1e6:.1f} MB of other versions")
    return 0
