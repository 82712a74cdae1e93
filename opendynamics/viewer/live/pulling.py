"""Pulling bodies: a spring and damper from the grabbed point p of a body to the mouse position x.

The body's inverse mass at p is W = 1/m - [r] I⁻¹ [r], a matrix, with r from the centre of mass to p: a force F gives p
the acceleration W F. The force

    F = W⁻¹ (ω² (x - p) - 2 ω v - g)

therefore makes p follow x like a critically damped oscillator of frequency ω for any weight of the body and any grabbed
point, and carries its weight. Connected bodies act as additional mass: then it lags, and oscillates.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.body import Body
from opendynamics.core.arrays.bodies import INERTIAS

Array = npt.NDArray[np.float64]

FREQUENCY = 12.0  # rad/s
MAX_PER_STEP = 0.5  # limit of ω h, so that steps resolve the oscillator


@dataclass
class Pull:
    """A pulled body.

    Attributes:
        point: grabbed point, in the body's frame, m.
        target: its target, in the world frame, m.
        exerted: the force in the last step, N.
    """

    body: Body
    point: Array
    target: Array
    exerted: Array = field(default_factory=lambda: np.zeros(3))

    def force(self, h: float, strength: float = 1.0) -> Array:
        """The force at the point, N, for a step of h s; `strength` multiplies ω."""
        body = self.body
        omega = min(FREQUENCY * strength, MAX_PER_STEP / h)
        r = body.vector_to_world(self.point)
        at = body.position + r
        wanted = omega**2 * (self.target - at) - 2.0 * omega * body.velocity_at(at)
        if body.gravity_mode:
            wanted = wanted - body.world.gravity
        return np.asarray(np.linalg.solve(inverse_mass_at(body, r), wanted), np.float64)


def inverse_mass_at(body: Body, r: Array) -> Array:
    """W (3, 3), 1/kg, at `r` (3,) from the centre of mass, in the world frame."""
    turn = body.rotation
    inverse = turn @ reading.table_of(body, INERTIAS)["inverse"][reading.row_of(body)].reshape(3, 3) @ turn.T
    x, y, z = r
    cross = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    return np.asarray(np.eye(3) / body.mass - cross @ inverse @ cross)


class Pulls:
    """Pulled bodies, by browser: each browser pulls one at a time."""

    def __init__(self) -> None:
        self.strength = 1.0
        self._pulls: dict[Hashable, Pull] = {}

    def grab(self, who: Hashable, body: Body, position: Any, quaternion: Any, at: Any) -> bool:
        """Grab a body at the world point `at`, as shown with this position and quaternion. Returns whether it can be
        pulled: kinematic bodies cannot.
        """
        self.let_go(who)
        if not body.alive or body.kinematic:
            return False
        w, u = float(quaternion[0]), -np.asarray(quaternion[1:], np.float64)  # rotated back
        v = np.asarray(at, np.float64) - position
        once = 2.0 * np.cross(u, v)
        self._pulls[who] = Pull(body, v + w * once + np.cross(u, once), np.asarray(at, np.float64))
        return True

    def move(self, who: Hashable, target: Any) -> None:
        """Move the target; no effect if this browser pulls nothing."""
        if who in self._pulls:
            self._pulls[who].target = np.asarray(target, np.float64)

    def let_go(self, who: Hashable) -> None:
        """Release the pulled body, if any."""
        self._pulls.pop(who, None)

    def let_all_go(self) -> None:
        """Release all bodies."""
        self._pulls.clear()

    @property
    def pulls(self) -> tuple[Pull, ...]:
        """Pulls of living bodies."""
        for who in [who for who, pull in self._pulls.items() if not pull.body.alive or pull.body.kinematic]:
            self.let_go(who)
        return tuple(self._pulls.values())

    def apply(self, h: float) -> None:
        """Add the forces for the next step, and wake the bodies."""
        for pull in self.pulls:
            if pull.body.faulty:
                continue
            pull.body.enabled = True
            pull.exerted = pull.force(h, self.strength)
            pull.body.add_force(pull.exerted, at_local=pull.point)

    def lines(self) -> Array:
        """From each grabbed point to its target, shape (n, 2, 3), m."""
        found = [(pull.body.point_to_world(pull.point), pull.target) for pull in self.pulls]
        return np.array(found).reshape(-1, 2, 3)

    def forces(self) -> Array:
        """The forces of the last step, shape (n, 3), N, in the order of `lines`."""
        return np.array([pull.exerted for pull in self.pulls]).reshape(-1, 3)
