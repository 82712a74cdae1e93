"""Machine code that came with the package, as in a wheel for one level of processors (`make wheel`).

A level is a set of features that LLVM knows by a name. The files are like those of the cache folder, in a folder of the level
next to the package's modules, and their keys have the level in the place of the processor: sources, versions and tables must
be the same as where they were compiled. Nothing writes there; anyone who can could change the modules as well.
"""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from pathlib import Path

from opendynamics.core.compile import files

FOLDER = Path(__file__).parents[2] / "_machine_code"  # a folder for each level

# Levels of x86-64, by the x86-64 psABI supplement: names of LLVM, and the features beyond those that every such processor has.
LEVELS = {
    "x86-64-v3": ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2", "xsave"),
}


def folder() -> Path:
    """The folder of this processor's files; that of all levels if it has none."""
    return FOLDER / level_here()


def read(name: str) -> bytes | None:
    """The payload of a file; None if there is none for this processor.

    Raises:
        OSError: if it cannot be read.
        DamagedError: if the contents are not those that were written.
    """
    return files.payload(name, (folder() / name).read_bytes()) if exists(name) else None


def exists(name: str) -> bool:
    """Whether there is such a file for this processor; there is none without a name."""
    return bool(name) and bool(level_here()) and (folder() / name).is_file()


def machine() -> str:
    """The replacement of the processor in the keys of these files; "" if there are none that it can run."""
    return machine_of(level_here()) if level_here() else ""


def machine_of(level: str) -> str:
    """The same for a level, as if Numba compiled for it."""
    from llvmlite import binding

    return repr((binding.get_process_triple(), level, ""))


@cache
def level_here() -> str:
    """The level of the machine code at hand; "" if there is none, or the processor lacks a feature of it."""
    for level in LEVELS:
        if (FOLDER / level).is_dir() and not missing_features(level):
            return level
    return ""


def missing_features(level: str) -> list[str]:
    """The features of a level that this processor lacks."""
    if platform.machine().lower() not in ("x86_64", "amd64") or sys.maxsize < 2**32:
        return ["x86-64"]
    present = _features()
    return [feature for feature in LEVELS[level] if not present.get(feature, False)]


def _features() -> dict[str, bool]:
    """The features that Numba would use here: the processor's, or those that Numba's settings give."""
    given = os.environ.get("NUMBA_CPU_FEATURES")
    if given is not None:
        named = LEVELS.get(os.environ.get("NUMBA_CPU_NAME", ""), ())
        return dict.fromkeys(named, True) | {part[1:]: part[0] == "+" for part in given.split(",") if part}
    from llvmlite import binding

    present: dict[str, bool] = binding.get_host_cpu_features()
    return present


def reason_for_none() -> str:
    """Why the machine code at hand is of no use here; "" if there is none, or if it is."""
    lacking = {level: missing_features(level) for level in LEVELS if (FOLDER / level).is_dir()}
    if not lacking or not all(lacking.values()):
        return ""
    level, features = next(iter(lacking.items()))
    who = "NUMBA_CPU_FEATURES" if "NUMBA_CPU_FEATURES" in os.environ else "this processor"
    return f"the machine code that came with opendynamics is for {level}, and {who} lacks {', '.join(features)}"
