"""Controllers of Choreonoid's samples, a family: one file per controller, by the NAME of its shared library.

`make(project, place)` returns a Controller; `place` is the file and line of its item. To port a controller, add a file.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.robot.projects.project import Project
    from opendynamics.robot.simulator.controller import Controller


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Any]:
    found = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if hasattr(module, "NAME"):
            found[module.NAME] = module.make
    return found


def known_controllers() -> tuple[str, ...]:
    """Names of the available controllers."""
    return tuple(sorted(_by_name()))


def controller_called(name: str, project: Project, place: str) -> Controller | None:
    """A controller by name; None if there is none."""
    make = _by_name().get(name)
    return None if make is None else make(project, place)
