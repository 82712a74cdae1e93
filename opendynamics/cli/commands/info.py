"""Show versions, the machine, and where compiled kernels are kept; or what is in a recording."""

from __future__ import annotations

import argparse
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import opendynamics
from opendynamics.cli.arguments import add_json
from opendynamics.cli.checks.extras import EXTRAS, version_of
from opendynamics.cli.kernels import find_entries
from opendynamics.cli.machine import processor
from opendynamics.cli.report import members, number, print_json, print_rows
from opendynamics.cli.scene_files import open_odr
from opendynamics.core.compile.files import kept_bytes
from opendynamics.core.compile.folder import UnusableError, cache_folder
from opendynamics.core.compile.loading import is_kept
from opendynamics.io.recording.recording import Recording

# Dependencies of the optional features, by distribution.
OPTIONAL = tuple(name for names, _ in EXTRAS.values() for name in names)

EXAMPLES = """\
examples:
  opendynamics info --json
  opendynamics info run.odr
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("recording", metavar="RECORDING", type=Path, nargs="?", help="a recording (.odr) to describe")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.recording is not None:
        _describe_recording(options)
        return 0
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
        rows.append(
            ("", f"and {_size(facts['stale_bytes'])} of other versions: `opendynamics warmup --prune` removes them")
        )
    print_rows(f"opendynamics {facts['version']}", rows)
    return 0


def _describe_recording(options: argparse.Namespace) -> None:
    with open_odr(options.recording) as recording:
        facts = recording_facts(recording)
    if options.json:
        print_json(facts)
        return
    names = {"velocities": "velocities", "contacts": "contacts", "joint_forces": "forces of joints"}
    more = [text for word, text in names.items() if facts[word]] + [f"channel {name}" for name in facts["channels"]]
    rows = [
        ("frames", f"{facts['frames']}, from {number(facts['start'])} to {number(facts['end'], 6)} s"),
        ("world", members(facts["bodies"], facts["joints"], facts["geoms"])),
        ("besides", ", ".join(["energies", *more])),
        ("exact to", f"{number(facts['position_tolerance'])} m, {number(facts['orientation_tolerance'])} rad"),
        ("size", f"{_size(facts['bytes'])}, {number(facts['bytes_per_body_and_frame'])} bytes for each body and frame"),
        ("written by", f"{facts['program']}, format {facts['format']}{'' if facts['closed'] else ', not closed'}"),
    ]
    print_rows(str(options.recording), rows)


def recording_facts(recording: Recording) -> dict[str, Any]:
    """All information about a recording."""
    header, times, ever = recording.header, recording.times, recording._ever
    size = recording.path.stat().st_size
    return {
        "frames": len(recording),
        "start": float(times[0]) if len(times) else 0.0,
        "end": float(times[-1]) if len(times) else 0.0,
        "bodies": len(ever.bodies),
        "joints": len(ever.joints),
        "geoms": len(ever.geoms),
        **{
            word: header.get(word)
            for word in ("velocities", "contacts", "joint_forces", "channels", "every", "program", "format")
        },
        "position_tolerance": 0.5 * header["position_step"],
        "orientation_tolerance": recording.orientation_tolerance,
        "closed": recording.closed,
        "bytes": size,
        "bytes_per_body_and_frame": size / max(len(recording) * len(ever.bodies), 1),
    }


def gather() -> dict[str, Any]:
    """All information about the installation."""
    entries = find_entries()
    compiled = [entry.cache for entry in entries if is_kept(entry)]
    used = kept_bytes({found.file_name() for found in compiled})
    return {
        "version": opendynamics.__version__,
        "folder": str(Path(opendynamics.__file__).parent),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "numba": version("numba"),
        "numpy": np.__version__,
        "optional": {name: version_of(name) for name in OPTIONAL},
        "processor": processor(),
        "cores": os.cpu_count(),
        "kernels": len(entries),
        "kernels_compiled": len(compiled),
        "cache_folder": _cache_folder(),
        "cache_bytes": used,
        "stale_bytes": kept_bytes() - used,
    }


def _cache_folder() -> str:
    try:
        return str(cache_folder())
    except UnusableError as error:
        return f"none: {error}"


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
