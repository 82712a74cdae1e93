"""This engine, with the interface of the other peers: one ``world.advance(h, steps=n)`` a measurement."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from opendynamics.api.reading import memory_of
from opendynamics.io.bench_scene import BenchScene

_SOLVERS = {"step": "exact", "quick": "pgs", "default": "auto"}


class OursPeer:
    """A benchmark scene in a world of opendynamics; ``space`` is accepted and left to the engine."""

    name = "opendynamics"
    steppers: tuple[str, ...] = tuple(_SOLVERS)
    warm_up_steps = 1  # kernels are compiled, or read from the cache, when first used

    @classmethod
    def available(cls) -> tuple[bool, str]:
        """Whether the engine can be imported, and its version or the reason why not."""
        try:
            import opendynamics as od
            from opendynamics.io import build_scene

            assert callable(od.World) and callable(build_scene)
        except (ImportError, AttributeError) as error:
            return False, f"not importable: {error}"
        return True, f"opendynamics {getattr(od, '__version__', '(no version)')}"

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None:
        import opendynamics as od
        from opendynamics.io import build_scene

        self._scene = scene
        self._world = od.World()
        self._world.threads = 1  # as all the others
        build_scene(self._world, scene)

    def run(self, steps: int, stepper: str = "step") -> float:
        """Advance by ``steps`` steps of the scene's timestep; the seconds that took."""
        if stepper not in self.steppers:
            raise ValueError(f"stepper {stepper!r} is not available; write one of {self.steppers}")
        self._world.solver = _SOLVERS[stepper]
        start = time.perf_counter()
        self._world.advance(self._scene.timestep, steps=steps)
        return time.perf_counter() - start

    def positions(self) -> NDArray[np.float64]:
        """The bodies' positions, shape (n, 3), m."""
        return np.array(self._world.positions)

    def state(self) -> NDArray[np.float64]:
        """Position, quaternion (w, x, y, z), velocity and spin of every body, shape (n, 13), SI."""
        parts = [
            (*body.position, *body.quaternion, *body.linear_velocity, *body.angular_velocity)
            for body in self._world.bodies
        ]
        return np.array(parts, dtype=np.float64).reshape(-1, 13)

    def set_state(self, state: NDArray[np.float64]) -> None:
        """Put every body into ``state``, as :meth:`state` (of any engine) gave it."""
        for body, row in zip(self._world.bodies, state, strict=True):
            body.position, body.quaternion = row[:3], row[3:7]
            body.linear_velocity, body.angular_velocity = row[7:10], row[10:13]

    def memory(self) -> int:
        """Bytes of all tables of the world."""
        return memory_of(self._world)

    def close(self) -> None:
        """Let go of the world."""
        del self._world
