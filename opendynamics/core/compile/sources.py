"""The modules that a kernel can see: its own, and what that imports, directly or not.

Reads the sources of this package. A name comes into a module by an import statement; imports are therefore taken from the
syntax tree. `from package import name` may mean a submodule, and imports inside functions count as well: a kernel defined in
that function sees them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = __name__.partition(".")[0]
ROOT = Path(__file__).parents[3]  # the folder that the package is in
ON_DISK = (ROOT / PACKAGE).is_dir()  # otherwise it has been imported from an archive

# Modules that compile and cache do not affect machine code.
COMPILE = __name__.rpartition(".")[0]

STARTED = time.time()  # s; a file may have been written since this process read it

# Where an import statement may be, and what is before it in its line if it follows something else.
_IMPORT = re.compile(r"import\b")
_BEHIND = re.compile(r"[:;][ \t]*(?:from[ \t].*)?$")

# A whole import statement: indent; parent, names in parentheses or without; modules.
_NAMES = r"[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*"
_STATEMENT = re.compile(
    rf"([ \t]*)(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(?:\(([^()]*)\)|({_NAMES}))|import[ \t]+({_NAMES}))[ \t]*(?:#.*)?$",
    re.MULTILINE,
)
_COMMENT = re.compile("#.*")


class Source(NamedTuple):
    """Facts about a module's source.

    Attributes:
        digest: of its text.
        imports: the modules that it imports whenever it is imported.
        late_imports: those that it imports in a function, or on a condition.
        changed: whether it has been written since this process began.
    """

    digest: bytes
    imports: frozenset[str]
    late_imports: frozenset[str]
    changed: bool


class NoSourceError(Exception):
    """The source of a module is missing, so that the dependencies of its machine code are unknown."""


def visible_modules(module: str) -> tuple[frozenset[str], frozenset[str]]:
    """All modules of this package that kernels in `module` can see; and those of them that are loaded with it.

    Raises:
        NoSourceError: if the text of one of them is not there.
    """
    return _follow(module, late=True), _follow(module, late=False)


@cache
def _follow(module: str, late: bool) -> frozenset[str]:
    found, left = {module}, [module]
    while left:
        source = source_of(left.pop())
        imports = source.imports | source.late_imports if late else source.imports
        left += imports - found
        found |= imports
    return frozenset(found)


@cache
def source_of(module: str) -> Source:
    """The source of a module of this package, read once."""
    place = _place(module)
    if place is None:
        raise NoSourceError(f"the source of {module} is not there")
    text, changed = place.text(module)
    imports: tuple[set[str], set[str]] = set(), set()
    for statement in _import_statements(text.decode()):
        imports[statement.late].update(_imported(statement, module, place.is_package))
    return Source(hashlib.sha256(text).digest(), frozenset(imports[0]), frozenset(imports[1] - imports[0]), changed)


class _Place(NamedTuple):
    """Where the source of a module is: in a file, or with a loader."""

    is_package: bool
    file: Path | None = None
    loader: Any = None

    def text(self, module: str) -> tuple[bytes, bool]:
        """The text, and whether it has changed since this process began."""
        if self.file is not None:
            state = self.file.stat()
            return self.file.read_bytes(), max(state.st_mtime, state.st_ctime) > STARTED
        text = self.loader.get_source(module) if hasattr(self.loader, "get_source") else None
        if text is None:
            raise NoSourceError(f"the source of {module} is not there")
        return text.encode(), False


@cache
def _place(module: str) -> _Place | None:
    """Path of a module's source; None if there is no such module."""
    if ON_DISK:
        folder = ROOT.joinpath(*module.split("."))
        file = folder.with_name(f"{folder.name}.py")
        if file.is_file():
            return _Place(False, file)
        file = folder / "__init__.py"
        return _Place(True, file) if file.is_file() else None
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return None
    if spec is None:
        return None
    return _Place(spec.submodule_search_locations is not None, loader=spec.loader)


class _Import(NamedTuple):
    """An import statement.

    Attributes:
        late: whether it is in a function, or on a condition.
        parent: what names are imported from, with leading dots if it is relative; "": names are modules.
        names: the names, without those that they are given.
    """

    late: bool
    parent: str
    names: tuple[str, ...]


def _import_statements(text: str) -> list[_Import]:
    """Every import statement.

    Parsing the whole engine takes 0.6 s. So lines that begin like imports are split here; if one of them is anything else, as
    in a docstring, or if one follows other code in its line, the whole file is parsed.
    """
    found = []
    for word in _IMPORT.finditer(text):
        begin = text.rfind("\n", 0, word.start()) + 1
        before = text[begin : word.start()]
        if not before.strip() or before.lstrip().startswith("from"):
            statement = None if text[begin - 2 : begin - 1] == "\\" else _STATEMENT.match(text, begin)
            if statement is None:
                return _parsed_imports(text)
            indent, parent, names, more, modules = statement.groups()
            listed = _COMMENT.sub("", names or more or modules).split(",")
            taken = tuple(words[0] for words in map(str.split, listed) if words)
            found.append(_Import(bool(indent), parent or "", taken))
        elif _BEHIND.search(before):
            return _parsed_imports(text)
    return found


def _parsed_imports(text: str) -> list[_Import]:
    """Every import statement, by the syntax tree."""
    import ast

    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            parent = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            found.append(_Import(node.col_offset > 0, parent, tuple(alias.name for alias in node.names)))
    return found


def _imported(statement: _Import, module: str, is_package: bool) -> Iterator[str]:
    """The modules of this package that an import statement in `module` brings in."""
    if not statement.parent:
        for parts in (name.split(".") for name in statement.names):
            yield from (name for k in range(len(parts)) if _shapes_code(name := ".".join(parts[: k + 1])))
        return
    parent = statement.parent.lstrip(".")
    if level := len(statement.parent) - len(parent):
        own = module.split(".") + ["__init__"] * is_package
        parent = ".".join([*own[:-level], *([parent] if parent else [])])
    if not _shapes_code(parent):
        return
    yield parent
    place = _place(parent)
    if place is not None and place.is_package:
        names = (f"{parent}.{name}" for name in statement.names)
        yield from (name for name in names if _shapes_code(name) and (_place(name) or name in sys.modules))


def _shapes_code(module: str) -> bool:
    """Whether this would be a module of this package that machine code depends on."""
    return module.split(".", maxsplit=1)[0] == PACKAGE and not f"{module}.".startswith(f"{COMPILE}.")
