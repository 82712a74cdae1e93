"""The engines that the benchmarks compare: one module each, all with the interface of :class:`Peer`."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from opendynamics.io.bench_scene import BenchScene


class Peer(Protocol):
    """One engine holding one freshly built world of a benchmark scene.

    ``name`` is the name in the table; ``steppers`` lists what it can do: "step" (exact), "quick" (iterative, 20
    iterations) and "default" (its own default); ``warm_up_steps`` must be run once, untimed, before a case if an
    engine compiles what a scene needs only when it needs it, or may take too long.
    """

    name: str
    steppers: tuple[str, ...]
    warm_up_steps: int

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None: ...

    @classmethod
    def available(cls) -> tuple[bool, str]:
        """Whether the engine can run here, and its version or the reason why not."""
        ...

    def run(self, steps: int, stepper: str = "step") -> float:
        """Advance by ``steps`` steps of the scene's timestep; the seconds that took, Python excluded."""
        ...

    def positions(self) -> NDArray[np.float64]:
        """The bodies' positions, shape (n, 3), m."""
        ...

    def state(self) -> NDArray[np.float64]:
        """Position, quaternion (w, x, y, z), velocity and spin of every body, shape (n, 13), SI."""
        ...

    def set_state(self, state: NDArray[np.float64]) -> None:
        """Put every body into ``state``, as another engine's :meth:`state` gave it."""
        ...

    def close(self) -> None:
        """Free the world; the object cannot be used afterwards."""
        ...
