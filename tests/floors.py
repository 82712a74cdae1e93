"""The oldest versions that pyproject.toml allows, as constraints for pip: `python -m tests.floors`, and `make test-oldest`.

Reads the dependencies of the package and of its extras, but not tools for style, types and documentation.
"""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
TOOLS = {"basedpyright", "furo", "hatchling", "mypy", "myst-parser", "pre-commit", "ruff", "sphinx"}


def floors(text: str) -> dict[str, str]:
    """The oldest version of each requirement of the form `name>=version`, in the text of a pyproject.toml."""
    found: dict[str, str] = {}
    for name, version in re.findall(r'"([A-Za-z][\w.-]*)>=([\d.]+)(?:,<[\d.]+)?"', text):
        if found.setdefault(name, version) != version:
            raise ValueError(f"{name} has two floors in pyproject.toml, {found[name]} and {version}: give it one")
    return {name: version for name, version in found.items() if name not in TOOLS}


def main() -> None:
    """Print a line for each."""
    for name, version in sorted(floors(PROJECT.read_text(encoding="utf-8")).items()):
        print(f"{name}=={version}")


if __name__ == "__main__":
    main()
