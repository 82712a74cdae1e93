"""The engine's results in cases with a known solution: a fall, a slide and a pendulum; and bit-identical reruns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from opendynamics.api.geoms.box import Box
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.cli.checks import BROKEN, FINE, Finding

TITLE, ORDER = "physics", 50

G = 9.81  # m/s²


def fall() -> tuple[float, float]:
    """Height after 1 s in 100 steps: those of the semi-implicit scheme sum to g h² n (n + 1) / 2, exactly."""
    world = World(gravity=(0, 0, -G))
    body = world.add_body(position=(0, 0, 10), mass=1)
    world.advance(0.01, steps=100)
    return float(body.position[2]), 10.0 - G * 0.01**2 * 100 * 101 / 2


def slide() -> tuple[float, float]:
    """Sliding distance of a box from v = 2 m/s with mu = 0.5: the sum of h (v - k mu g h) while that is above 0."""
    speed, mu, h = 2.0, 0.5, 0.001
    world = World(gravity=(0, 0, -G), surface=Surface(mu=mu))
    world.add_plane()
    box = world.add_body(Box((1, 1, 0.2)), position=(0, 0, 0.0999), density=100, linear_velocity=(speed, 0, 0))
    world.advance(h, steps=1000)
    steps = int(speed / (mu * G * h))
    return float(box.position[0]), h * (steps * speed - mu * G * h * steps * (steps + 1) / 2)


def swing() -> tuple[float, float]:
    """Period of a small swing of a point at 1 m on a hinge: 2 pi sqrt(I / (m g l)), I = m l² + 0.4 m r²."""
    radius, h = 0.05, 0.001
    world = World(gravity=(0, 0, -G))
    angle = 0.02
    bob = world.add_body(position=(math.sin(angle), 0, -math.cos(angle)), mass=1)
    bob.inertia = np.eye(3) * 0.4 * radius**2
    world.add_hinge(bob, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    before, crossings = float(bob.position[0]), []
    for step in range(3200):
        world.step(h)
        now = float(bob.position[0])
        if before * now < 0.0:
            crossings.append(h * (step + before / (before - now)))
        before = now
    return 2.0 * (crossings[1] - crossings[0]), 2 * math.pi * math.sqrt((1 + 0.4 * radius**2) / G)


LAWS: dict[str, tuple[Callable[[], tuple[float, float]], float, str]] = {
    "free fall": (fall, 1e-13, "m"),
    "sliding": (slide, 1e-3, "m"),
    "pendulum": (swing, 1e-3, "s"),
}


def findings() -> Iterator[Finding]:
    """A finding for each law, and for the rerun."""
    for name, (law, allowed, unit) in LAWS.items():
        found, known = law()
        off = abs(found - known) / abs(known)
        text = f"{found:.6g} {unit}, {known:.6g} is right: off by {off:.1e}, {allowed:.0e} is allowed"
        remedy = "" if off <= allowed else "empty the cache folder, and report it if it stays"
        yield Finding(name, FINE if off <= allowed else BROKEN, text, remedy)
    again = slide() == slide()
    text = "the same bits" if again else "other bits"
    yield Finding("rerun", FINE if again else BROKEN, text, "" if again else "report it, with `opendynamics info`")
