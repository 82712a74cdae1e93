"""Dependencies of the optional features, and how to install them."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator

from opendynamics.cli.checks import FINE, MISSING, Finding

TITLE, ORDER = "extras", 60

# Distributions of each extra, as in pyproject.toml, and their purpose.
EXTRAS = {
    "cli": (("rich",), "progress bars with colour"),
    "view": (("viser",), "the live view in the browser"),
    "render": (("pillow",), "pictures"),
    "video": (("imageio-ffmpeg",), "films, where the system has no ffmpeg"),
    "plot": (("matplotlib",), "plots"),
    "mesh": (("coacd", "pycollada", "trimesh"), "mesh files, convex parts"),
    "robot": (("lark", "pycollada", "pyyaml", "trimesh"), "robot model files"),
}


def findings() -> Iterator[Finding]:
    """A finding for each extra."""
    for extra, (distributions, what) in EXTRAS.items():
        versions = {name: version_of(name) for name in distributions}
        missing = [name for name, version in versions.items() if version is None]
        there = [f"{name} {version}" for name, version in versions.items() if version is not None]
        text = ", ".join([*there, *(f"no {name}" for name in missing)])
        remedy = f"for {what}: pip install 'opendynamics[{extra}]'" if missing else ""
        yield Finding(extra, MISSING if missing else FINE, text, remedy)


def version_of(distribution: str) -> str | None:
    """The installed version; None if there is none."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
