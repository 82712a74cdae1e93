"""The oldest versions that pyproject.toml allows, as constraints for pip: `python -m tests.floors`, and `make test-oldest`.

`python -m tests.floors --resolve`, and `make floors`, asks the index whether the oldest versions fit together on the oldest
Python, and the newest on the newest, by uv, which installs nothing for that. Where no index can be reached, that is said and
passes.

Reads the dependencies of the package and of its extras, but not tools for style, types and documentation.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
TOOLS = {"basedpyright", "furo", "hatchling", "mypy", "myst-parser", "pre-commit", "ruff", "sphinx", "uv"}
EXTRAS = ("cli", "view", "render", "video", "plot", "mesh", "robot")
ENDS = {"3.10": "lowest-direct", "3.14": "highest"}  # of the Pythons that are supported
NO_SOLUTION = 1  # uv's exit status; 2 is for all else, such as no network


def floors(text: str) -> dict[str, str]:
    """The oldest version of each requirement of the form `name>=version`, in the text of a pyproject.toml."""
    found: dict[str, str] = {}
    for name, version in re.findall(r'"([A-Za-z][\w.-]*)>=([\d.]+)(?:,<[\d.]+)?"', text):
        if found.setdefault(name, version) != version:
            raise ValueError(f"{name} has two floors in pyproject.toml, {found[name]} and {version}: give it one")
    return {name: version for name, version in found.items() if name not in TOOLS}


def resolve(project: Path = PROJECT, *options: str) -> str:
    """The versions that pip would take at both ends, one line each; ValueError if no set is compatible."""
    lines = []
    for python, resolution in ENDS.items():
        command = [
            sys.executable,
            "-m",
            "uv",
            "pip",
            "compile",
            "--quiet",
            "--no-header",
            "--no-annotate",
            str(project),
        ]
        command += [f"--extra={extra}" for extra in EXTRAS]
        command += ["--python", sys.executable]  # uv would consider all that are installed
        done = subprocess.run(
            [*command, "--python-version", python, "--resolution", resolution, *options],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == NO_SOLUTION:
            raise ValueError(f"no {resolution} versions fit together on Python {python}: {done.stderr.strip()}")
        missed = f"not asked: {done.stderr.strip().splitlines()[0]}" if done.returncode else ""
        lines.append(f"Python {python}, {resolution}: {missed or ' '.join(done.stdout.split())}")
    return "\n".join(lines)


def main() -> None:
    """Print a line for each."""
    if "--resolve" in sys.argv[1:]:
        print(resolve())
        return
    for name, version in sorted(floors(PROJECT.read_text(encoding="utf-8")).items()):
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
