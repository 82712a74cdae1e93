"""Loaders, a family: one file per format, found by its place. `SUFFIXES` are those of its files, and
`draft(path, data, load)` reads one.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from opendynamics.api.files import require_file
from opendynamics.api.suggestions import explain_function
from opendynamics.robot.loaders.drafts import ModelDraft
from opendynamics.robot.model import Model
from opendynamics.robot.reading.files import Files, Limits
from opendynamics.robot.reading.findings import Findings, ModelError
from opendynamics.robot.reading.source import Load

# What to do with files of other kinds.
REMEDIES = {
    ".xacro": "; expand it to URDF first: xacro robot.urdf.xacro > robot.urdf",
    **dict.fromkeys((".mjcf", ".sdf", ".usd", ".usda", ".usdc"), "; convert it to URDF"),
}


@lru_cache(maxsize=1)
def _formats() -> dict[str, ModuleType]:
    """Loaders by the suffix of their files."""
    found: dict[str, ModuleType] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for suffix in getattr(module, "SUFFIXES", ()):
            found[suffix] = module
    return found


@explain_function
def load_robot(
    path: str | os.PathLike[str],
    *,
    strict: bool = False,
    fixed_root: bool | None = None,
    roots: Sequence[str | os.PathLike[str]] | None = None,
    variables: Mapping[str, str | os.PathLike[str]] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    limits: Limits | None = None,
) -> Model:
    """The model of a file: `.body`, `.wrl` of OpenHRP, URDF, or a mesh.

    Args:
        path: of the file.
        strict: whether findings are errors.
        fixed_root: whether the root is fixed to the world; by default as in the file; fixed for URDF, which does not define it.
        roots: folders that files named by the model must be in; by default that of the file itself.
        variables: folders for names such as ${SHARE}; they are roots too.
        packages: folders for package://NAME/..., by name; they are roots too. For any other name, it is a folder of that name
            among the roots, or in one of them.
        limits: limits on the amount of data.

    Raises:
        ModelError: the file is not a model that can be loaded; the message begins with file and line.
        ImportError: a package of the extra `robot` is missing.

    Unknown or suspicious contents are skipped or interpreted as well as possible, with a ModelWarning each, and listed in the
    model's `findings`.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"a robot is loaded from the path of a file, such as 'robot.urdf', not from {path!r}")
    file = Path(path)
    require_file(file, "a model file")
    folders = [file.resolve().parent, *map(Path, roots or ())]
    files = Files(folders, _paths(variables), _paths(packages), limits)
    load = Load(files, Findings(strict), fixed_root=fixed_root)
    from opendynamics.robot.loaders.assembly import assemble

    model = assemble(draft_of(file.resolve(), load, str(file)), load, file)
    load.findings.warn()
    return model


def draft_of(path: Path, load: Load, where: str) -> ModelDraft:
    """The draft of a file, by the loader of its format; `where` is for messages."""
    loader = _formats().get(path.suffix.lower())
    if loader is None:
        known = ", ".join(sorted(_formats()))
        remedy = REMEDIES.get(path.suffix.lower(), "")
        raise ModelError(f"{where}: {path.name} is of no known kind of model file; known are {known}{remedy}")
    with load.files.opened(path, where) as data:
        draft: ModelDraft = loader.draft(path, data, load)
        return draft


def _paths(folders: Mapping[str, str | os.PathLike[str]] | None) -> dict[str, Path]:
    return {name: Path(folder) for name, folder in (folders or {}).items()}
