"""Edits functions of a copy of the package, one at a time, and prints the keys of all entries after each.

Run as a program of its own with the copy first in its path: `python edits.py SEED COUNT`. The process has imported the
copy as it was; keys are made from the sources as they are on disk.
"""

import ast
import json
import math
import random
import sys
from pathlib import Path


def constants_in(text, name):
    """The numbers in the body of a function at module level: (from, to) in the text."""
    lines = text.splitlines(keepends=True)
    begin = [0]
    for line in lines:
        begin.append(begin[-1] + len(line))
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            for part in (found for statement in node.body for found in ast.walk(statement)):
                if (
                    isinstance(part, ast.Constant)
                    and type(part.value) in (int, float)
                    and part.lineno == part.end_lineno
                ):
                    start = begin[part.lineno - 1]
                    yield start + part.col_offset, start + part.end_col_offset


def main(seed, count):
    from opendynamics.cli.kernels import find_entries
    from opendynamics.core.compile import keys, sources

    sources.STARTED = math.inf
    draw = random.Random(seed)
    entries = find_entries()

    def keys_now():
        for cached in (sources.source_of, sources._follow, sources._place, keys._modules_digest):
            cached.cache_clear()
        return {f"{entry.py_func.__module__}.{entry.py_func.__name__}": entry.cache.file for entry in entries}

    root = Path(sources.ROOT) / "opendynamics"
    files = [path for path in sorted((root / "core").rglob("*.py")) if path.read_text().isascii()]
    edits, original = [], keys_now()
    while len(edits) < count:
        path = draw.choice(files)
        text = path.read_text()
        names = [
            node.name for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef) and node.decorator_list and any(constants_in(text, node.name))
        ]  # fmt: skip
        if not names:
            continue
        name = draw.choice(names)
        start, end = draw.choice(list(constants_in(text, name)))
        path.write_text(f"{text[:start]}{ast.literal_eval(text[start:end]) + 1}{text[end:]}")
        now = keys_now()
        path.write_text(text)
        module = ".".join(path.relative_to(sources.ROOT).with_suffix("").parts).removesuffix(".__init__")
        edits.append((module, name, [entry for entry in original if now[entry] != original[entry]]))
    assert keys_now() == original
    print(json.dumps(edits))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
