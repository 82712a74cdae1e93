"""Show versions, the machine, and where compiled kernels are kept."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any

import numba
import numpy as np

import opendynamics
from opendynamics.cli.arguments import add_json
from opendynamics.cli.kernels import find_entries
from opendynamics.cli.report import print_json, print_rows
from opendynamics.core.kernels import cache_folder, cache_parent, is_on_disk

# What the optional features need, by distribution.
OPTIONAL = ("rich", "viser", "pillow", "imageio-ffmpeg", "trimesh", "coacd", "yourdfpy", "gymnasium", "ray")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    facts = gather()
    if options.json:
        print_json(facts)
        return 0
    optional = ", ".join(f"{name} {version}" for name, version in facts["optional"].items() if version)
    rows = [
        ("installed in", facts["folder"]),
        ("Python", f"{facts['python']} on {facts['system']}"),
        ("Numba", f"{facts['numba']}, NumPy {facts['numpy']}"),
        ("optional", optional or "none installed"),
        ("processor", f"{facts['processor']}, {facts['cores']} logical cores"),
        ("cache", facts["cache_folder"]),
        ("", f"{facts['kernels_compiled']} of {facts['kernels']} kernels compiled, {_size(facts['cache_bytes'])}"),
    ]
    if facts["stale_bytes"]:
        rows.append(("", f"and {_size(facts['stale_bytes'])} of other versions, which may be deleted"))
    print_rows(f"opendynamics {facts['version']}", rows)
    return 0


def gather() -> dict[str, Any]:
    """Everything the command shows."""
    entries = [entry for entry, _ in find_entries()]
    used = {cache_folder(entry.py_func.__code__.co_filename) for entry in entries}
    stale = [found for found in cache_parent().iterdir() if found.is_dir() and found not in used]
    return {
        "version": opendynamics.__version__,
        "folder": str(Path(opendynamics.__file__).parent),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "numba": numba.__version__,
        "numpy": np.__version__,
        "optional": {name: _version(name) for name in OPTIONAL},
        "processor": _processor(),
        "cores": os.cpu_count(),
        "kernels": len(entries),
        "kernels_compiled": sum(map(is_on_disk, entries)),
        "cache_folder": str(cache_parent()),
        "cache_bytes": sum(map(_bytes, used)),
        "stale_bytes": sum(map(_bytes, stale)),
    }


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _bytes(folder: Path) -> int:
    return sum(found.stat().st_size for found in folder.rglob("*") if found.is_file())


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
