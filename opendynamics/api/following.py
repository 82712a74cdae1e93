"""Interface for code that follows a world's steps: watchers that are called every few steps, functions called after each
step, and companions, which are saved and restored with the world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from opendynamics.api.member import Companion, note_change
from opendynamics.api.world import World


class Watcher(Protocol):
    """Code that reads a world after its steps.

    With an attribute `sees_sub_steps` that is True, `stepped` is also called after each sub-step of a step, with its size.
    """

    @property
    def steps_until_frame(self) -> int:
        """Number of steps, at least 1, that may be done before the next call of `stepped`."""

    def stepped(self, h: float, steps: int) -> None:
        """Called after this many steps of `h` s; at most `steps_until_frame`."""


def watch(world: World, watcher: Watcher) -> None:
    """Add a watcher of the world's steps."""
    if watcher not in world._watchers:
        note_change()
        world._watchers.append(watcher)


def unwatch(world: World, watcher: Watcher) -> None:
    """Remove a watcher, if it is there."""
    if watcher in world._watchers:
        note_change()
        world._watchers.remove(watcher)


def take_turns(world: World, patient: bool = True) -> None:
    """Let steps from several threads wait for each other, or, if not `patient`, raise an error."""
    world._store.patient = patient


def call_after_steps(world: World, function: Callable[[], Any]) -> None:
    """Call a function after every step from now on."""
    world._feedbacks = [*world._feedbacks, function]


def call_no_longer(world: World, function: Callable[[], Any]) -> None:
    """Stop calling a function after every step."""
    world._feedbacks = [other for other in world._feedbacks if other is not function]


def called_after_steps(world: World) -> tuple[Callable[[], Any], ...]:
    """The functions called after every step."""
    return tuple(world._feedbacks)


def accompany(world: World, companion: Companion) -> None:
    """Add a companion: it, and all members that it refers to, are saved, restored, copied and loaded with the world."""
    if companion not in world._companions:
        note_change()
        world._companions.append(companion)


def leave(world: World, companion: Companion) -> None:
    """Remove a companion, if it is there."""
    if companion in world._companions:
        note_change()
        world._companions.remove(companion)


def companions_of(world: World) -> tuple[Companion, ...]:
    """The world's companions, oldest first."""
    return tuple(world._companions)
