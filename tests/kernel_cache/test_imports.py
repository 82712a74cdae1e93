"""Imports as `sources` finds them without parsing are those of the syntax tree."""

from pathlib import Path

import pytest

import opendynamics
from opendynamics.core.compile import sources

STATEMENTS = [
    "if x: import a",
    "x = 1; from a import b",
    "from a \\\n  import b",
    "from a import (b,  # c\n  d as e,\n)",
    "from a import (b,  # c (d)\n  d as e,\n)",
    "from . import x\nfrom ..y import *\nfrom .z import (\n    u, v)",
    "import a\\\n, b",
    "import a.b as c, d\nimport e",
    "# we import a",
    "from a import(b)",
    "from a import b; import c",
    "def f(): import q",
    "def f():\n    import a.b\n    from c.d import e as f, g  # h",
    "try: from a import b\nexcept ImportError: pass",
    "\\\nimport a",
    "from a import \\\n b, c",
    "x = {import_: 3}",
    "s = '''\nfrom what you import, and so on\n'''",
]


@pytest.mark.parametrize("text", STATEMENTS)
def test_one_statement(text):
    assert sorted(sources._import_statements(text)) == sorted(sources._parsed_imports(text))


def test_all_modules_of_the_package(monkeypatch):
    """Examples in docstrings may add some; nearly no module is parsed."""
    parsed = []
    parse = sources._parsed_imports
    for path in Path(opendynamics.__file__).parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        expected = set(parse(text))
        monkeypatch.setattr(sources, "_parsed_imports", lambda text, path=path: parsed.append(path) or parse(text))
        found = set(sources._import_statements(text))
        assert expected <= found and (found == expected or "    import" in text or "    from" in text), path
    assert len(parsed) <= 10
