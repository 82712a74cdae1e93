"""The face for what follows a world's steps: watchers that look every so many steps, and functions called after each.

A watcher has `steps_until_frame`, how many steps may go by until it wants to look, and `stepped(h, steps)`, which is told
that so many steps of h s were made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.api.world import World


def watch(world: World, watcher: Any) -> None:
    """Let a watcher follow the world's steps from now on."""
    world._watchers.append(watcher)


def unwatch(world: World, watcher: Any) -> None:
    """Let it follow no longer; nothing if it does not."""
    if watcher in world._watchers:
        world._watchers.remove(watcher)


def call_after_steps(world: World, function: Callable[[], Any]) -> None:
    """Call a function after every step from now on."""
    world._feedbacks = [*world._feedbacks, function]


def call_no_longer(world: World, function: Callable[[], Any]) -> None:
    """Do not call it any more."""
    world._feedbacks = [other for other in world._feedbacks if other is not function]


def called_after_steps(world: World) -> tuple[Callable[[], Any], ...]:
    """The functions that are called after every step."""
    return tuple(world._feedbacks)
