"""Customizers, a family: one file for models whose joints have passive efforts. `MODELS` are their names.

`efforts(robot, state, h)` returns them, shape (n,), in every step of h s. They act in every actuation mode.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.robot.robot import Robot


@lru_cache(maxsize=1)
def _by_model() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for model in module.MODELS:
            found.setdefault(model, []).append(module.efforts)
    return found


def customizers_of(robot: Robot) -> list[tuple[Robot, Any]]:
    """Customizers of a robot, by the name of its model."""
    return [(robot, efforts) for efforts in _by_model().get(robot.model.name, ())]
