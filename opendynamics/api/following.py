"""The face for what follows a world's steps: watchers that look every so many steps, functions called after each, and
companions, which are saved and restored with the world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from opendynamics.api.member import Companion, note_change
from opendynamics.api.world import World


class Watcher(Protocol):
    """What looks at a world after its steps."""

    @property
    def steps_until_frame(self) -> int:
        """How many steps, at least 1, may be done before it wants to look."""

    def stepped(self, h: float, steps: int) -> None:
        """So many steps of `h` s have been done; at most as many as it said."""


def watch(world: World, watcher: Watcher) -> None:
    """Let a watcher follow the world's steps from now on."""
    if watcher not in world._watchers:
        note_change()
        world._watchers.append(watcher)


def unwatch(world: World, watcher: Watcher) -> None:
    """Let it follow no longer; nothing if it does not."""
    if watcher in world._watchers:
        note_change()
        world._watchers.remove(watcher)


def take_turns(world: World, patient: bool = True) -> None:
    """Let steps of several threads wait for each other, or raise from now on."""
    world._store.patient = patient


def call_after_steps(world: World, function: Callable[[], Any]) -> None:
    """Call a function after every step from now on."""
    world._feedbacks = [*world._feedbacks, function]


def call_no_longer(world: World, function: Callable[[], Any]) -> None:
    """Do not call it any more."""
    world._feedbacks = [other for other in world._feedbacks if other is not function]


def called_after_steps(world: World) -> tuple[Callable[[], Any], ...]:
    """The functions that are called after every step."""
    return tuple(world._feedbacks)


def accompany(world: World, companion: Companion) -> None:
    """Let a companion, and all members that it refers to, be saved, restored, copied and loaded with the world."""
    if companion not in world._companions:
        note_change()
        world._companions.append(companion)


def leave(world: World, companion: Companion) -> None:
    """Let it be saved with the world no longer; nothing if it is not."""
    if companion in world._companions:
        note_change()
        world._companions.remove(companion)


def companions_of(world: World) -> tuple[Companion, ...]:
    """What accompanies the world, oldest first."""
    return tuple(world._companions)
