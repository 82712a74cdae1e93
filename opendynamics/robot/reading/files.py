"""Files named by a model: found within given roots only, read up to given sizes.

Model files may come from anywhere: a name in one may point to any file of the machine, and files may refer to each other in a
cycle. A path is resolved, including symbolic links, and must then be in one of the roots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from opendynamics.api.suggestions import explain_calls
from opendynamics.robot.reading.findings import ModelError

_VARIABLE = re.compile(r"\$\{([A-Za-z_]+)\}")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)


@explain_calls
@dataclass(frozen=True)
class Limits:
    """Limits of a load.

    Args:
        file_bytes: of one file.
        total_bytes: of all files together.
        files: number of times that files are opened.
        nodes: visited, in all files together; nodes that are used twice count twice.
        depth: of nodes within nodes, and of files within files times ten.
        vertices: of all meshes together.
    """

    file_bytes: int = 64 << 20
    total_bytes: int = 256 << 20
    files: int = 2000
    nodes: int = 500_000
    depth: int = 100
    vertices: int = 5_000_000


class Files:
    """Access to the files of one load.

    Args:
        roots: folders; nothing outside them is read.
        variables: folders for names such as ${SHARE}.
        packages: folders for package://NAME/...; of others, a root or a folder in one that is called NAME.
        limits: how much may be read.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        variables: Mapping[str, Path] | None = None,
        packages: Mapping[str, Path] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._variables = dict(variables or {})
        self._packages = dict(packages or {})
        named = [*roots, *self._variables.values(), *self._packages.values()]
        self.roots = tuple(dict.fromkeys(Path(root).resolve() for root in named))
        self._open: list[Path] = []
        self._bytes = self._count = self._nodes = self._vertices = 0

    def find(self, uri: str, base: Path, where: str) -> Path:
        """The file for a name in the file `base`; ModelError at `where` if there is none within the roots."""
        if not uri or "\0" in uri or len(uri) > 4096:
            raise ModelError(f"{where}: {uri[:80]!r} is no name of a file")
        text, folder = uri, base.parent
        scheme = _SCHEME.fullmatch(uri)
        if scheme:
            folder, text = self._scheme(scheme[1].lower(), unquote(scheme[2]), folder, where)
        variable = _VARIABLE.match(text)
        if variable:
            folder, text = self._variable(variable[1], where), text[variable.end() :].lstrip("/")
        try:
            found = (folder / text.replace("\\", "/")).resolve()
            exists = found.is_file()
        except (OSError, ValueError, RuntimeError) as error:
            raise ModelError(f"{where}: {uri!r} is no name of a file ({error})") from None
        if not any(found.is_relative_to(root) for root in self.roots):
            raise ModelError(
                f"{where}: {uri!r} leads to {found}, outside the folders that may be read "
                f"({', '.join(map(str, self.roots))}); pass roots=[...] if it shall be read"
            )
        if not exists:
            raise ModelError(f"{where}: there is no file {uri!r} (looked for {found})")
        return found

    def _scheme(self, scheme: str, rest: str, folder: Path, where: str) -> tuple[Path, str]:
        if scheme == "file":
            return folder, rest
        if scheme in ("package", "model"):
            name, _, path = rest.partition("/")
            return self._package(name, folder, where), path
        raise ModelError(f"{where}: files are not read from {scheme}://; known are file:// and package://")

    def _package(self, name: str, folder: Path, where: str) -> Path:
        """The folder of a package: as given, or a folder of that name that may be read, as in ROS the package has."""
        if name in self._packages:
            return Path(self._packages[name])
        if name not in ("", ".", ".."):
            for root in self.roots:
                for found in (root, root / name):
                    if found.name == name and found.is_dir():
                        return found
        above = next((str(each) for each in (folder.resolve(), *folder.resolve().parents) if each.name == name), None)
        place = "folder" if above is None else repr(above)  # outside the roots: to be allowed by the caller
        raise ModelError(f"{where}: the package {name!r} is unknown; pass packages={{{name!r}: {place}}}")

    def _variable(self, name: str, where: str) -> Path:
        if name in self._variables:
            return Path(self._variables[name])
        raise ModelError(f"{where}: ${{{name}}} is unknown; pass variables={{{name!r}: folder}}")

    @contextmanager
    def opened(self, path: Path, where: str) -> Iterator[bytes]:
        """The bytes of a file, which remains marked as open: a file that refers to itself, even indirectly, is rejected."""
        if path in self._open:
            chain = " -> ".join(p.name for p in (*self._open[self._open.index(path) :], path))
            raise ModelError(f"{where}: files name each other in a circle: {chain}")
        if 10 * len(self._open) >= self.limits.depth:
            raise ModelError(f"{where}: files are nested more than {self.limits.depth // 10} deep")
        self._open.append(path)
        try:
            yield self._read(path, where)
        finally:
            self._open.pop()

    def _read(self, path: Path, where: str) -> bytes:
        self._count += 1
        if self._count > self.limits.files:
            raise ModelError(
                f"{where}: more than {self.limits.files} files are named; raise limits.files if so many are meant"
            )
        try:
            with path.open("rb") as stream:
                data = stream.read(self.limits.file_bytes + 1)
        except OSError as error:
            raise ModelError(f"{where}: {path} cannot be read: {error}") from None
        self._bytes += len(data)
        if len(data) > self.limits.file_bytes:
            raise ModelError(
                f"{where}: {path} has more than {self.limits.file_bytes} bytes; raise limits.file_bytes if it is meant"
            )
        if self._bytes > self.limits.total_bytes:
            raise ModelError(f"{where}: all files together have more than {self.limits.total_bytes} bytes")
        return data

    def count_node(self, where: str, depth: int) -> None:
        """Count a visited node at this depth."""
        self._nodes += 1
        if self._nodes > self.limits.nodes:
            raise ModelError(f"{where}: more than {self.limits.nodes} nodes, with those used twice counted twice")
        if depth > self.limits.depth:
            raise ModelError(f"{where}: nodes are nested more than {self.limits.depth} deep")

    def count_vertices(self, count: int, where: str) -> None:
        """Count vertices of meshes."""
        self._vertices += count
        if self._vertices > self.limits.vertices:
            raise ModelError(f"{where}: meshes have more than {self.limits.vertices} vertices")


def decoded(data: bytes, path: Path) -> str:
    """Bytes of a text file as text: UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ModelError(f"{path}:{line}: the file is not UTF-8 text ({error.reason})") from None
