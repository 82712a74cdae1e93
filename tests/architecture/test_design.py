"""Every path and every name in docs/design.md exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "design.md").read_text()
PLACES = ("opendynamics", "tests", "benchmarks", "compat", "docs", "examples")

# Names that the page forbids, or that stand for any name.
NOT_OURS = {"utils", "common", "helpers", "manager", "libode8", "fastmath"}
WORDS = {"import", "make", "python", "true", "false", "none", "return"}

PATH = re.compile(r"(?<![\w.])(?:[a-z_][a-z0-9_]*/)+(?:[a-z_][a-z0-9_]*\.py)?|(?<![\w./])[a-z_][a-z0-9_]*\.py\b")
CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w{2,}")


def files():
    """All files of the project, and their folders with a slash at the end."""
    found = []
    for place in PLACES:
        for path in (ROOT / place).rglob("*"):
            if "__pycache__" not in path.parts:
                found.append(path.relative_to(ROOT).as_posix() + ("/" if path.is_dir() else ""))
    return [f"/{path}" for path in (*found, *(f"{place}/" for place in PLACES))]


FILES = files()
SOURCES = "\n".join(path.read_text() for place in ("opendynamics", "tests") for path in (ROOT / place).rglob("*.py"))
NAMES = set(NAME.findall(SOURCES))
blocks = [text for kind, text in BLOCK.findall(TEXT) if kind == "text"]


@pytest.mark.parametrize("path", sorted(set(PATH.findall(TEXT))))
def test_paths_exist(path):
    assert any(file.endswith(f"/{path}") for file in FILES), f"docs/design.md names {path}, which does not exist"


def test_names_exist():
    prose = BLOCK.sub("", TEXT)
    spoken = {name for code in CODE.findall(prose) if "/" not in code for name in NAME.findall(code)}
    missing = sorted(name for name in spoken - NOT_OURS if name not in NAMES and name.lower() not in WORDS)
    assert not missing, f"docs/design.md names {missing}, which no source has"


def test_stages_are_functions():
    """The page's chains of stages, `a -> b -> c`, are functions of core/."""
    stages = {name for text in blocks for line in text.splitlines() if " -> " in line for name in NAME.findall(line)}
    core = "\n".join(path.read_text() for path in (ROOT / "opendynamics" / "core").rglob("*.py"))
    functions = set(re.findall(r"^def (\w+)", core, re.MULTILINE))
    chains = re.findall(r"(\w+)(?= -> )|(?<= -> )(\w+)", "\n".join(blocks))
    named = {name for pair in chains for name in pair if name and "_" in name}
    assert len(named) > 8 and stages
    assert not sorted(named - functions)
