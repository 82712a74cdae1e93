"""``python -m benchmarks.validation [TOPIC ...]`` measures topics and writes docs/validation.md.

Each topic's result is stored (docs/pictures/validation/TOPIC.json) as soon as it is measured, and the page is written from all
stored results: topics may be measured at different times. Exit status 1 if a goal is not reached.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence

import benchmarks.validation as family
from benchmarks.validation import _page


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    names = sorted(module.name for module in pkgutil.iter_modules(family.__path__) if not module.name.startswith("_"))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="only these: " + ", ".join(names))
    parser.add_argument("--missing", action="store_true", help="only topics without a result")
    parser.add_argument("--page", action="store_true", help="measure nothing: write the page from the stored results")
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--samples", type=float, default=1.0, metavar="PART", help="fraction of the samples, 0 to 1; the page notes it"
    )
    size.add_argument("--quick", dest="samples", action="store_const", const=0.1, help="a tenth of the samples")
    chosen = parser.parse_args(arguments)
    if unknown := sorted(set(chosen.topics) - set(names)):
        parser.error(f"unknown topics: {', '.join(unknown)}; write some of: {', '.join(names)}")
    if not 0.0 < chosen.samples <= 1.0:
        parser.error(f"--samples must be above 0 and at most 1, not {chosen.samples:g}")
    family.settings.part = chosen.samples
    reached = True
    for name in () if chosen.page else chosen.topics or names:
        if chosen.missing and _page.result_file(name).exists():
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        result = _page.measure(name, importlib.import_module(f"{family.__name__}.{name}"))
        print(_page.section(result), flush=True)
        reached = reached and all(row.reached for row in result.rows)
        _page.write(names)
    if chosen.page:
        _page.write(names)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
