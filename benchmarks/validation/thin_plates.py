"""Thin plates that fall as continuous bodies: they are stopped, and lose energy."""

from __future__ import annotations

from typing import Any

import numpy as np

import opendynamics as od
from benchmarks.validation import Row, at_most
from benchmarks.validation.restitution import kinetic_energies

TITLE = "Thin plates"
TEXT = """
Plates of 0.4 by 0.3 m, from 0.1 to 10 mm thick, dropped from 0.6 m at six tilts, friction 0.5, steps of 5 ms,
`body.continuous = True`. A plate falls by up to 170 times its thickness in a step, and turns about corners that touch.
The figures are the largest energy (kinetic and potential) relative to the initial one, and the time until the last plate
comes to rest (1 mm/s and 1 mrad/s). ODE has no continuous collision: there the plates fall through the ground.
"""
SIZE, HEIGHT, H, SECONDS = (0.4, 0.3), 0.6, 5e-3, 3.0
TILTS = ((0.0, 0.0), (0.3, 0.2), (0.8, -0.5), (1.2, 0.4), (1.5, 0.01), (2.8, 0.7))
G = 9.81


def drop(
    thickness: float, tilt: tuple[float, float], ground: od.Geom | None = None, **settings: Any
) -> tuple[float, float]:
    """Largest energy relative to that at first, and when the plate came to rest, s."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.5), solver=settings.pop("solver", "exact"))
    for name, value in settings.items():
        setattr(world, name, value)
    world.add_geom(ground or od.Plane())
    (a, b), (c, d) = np.cos(0.5 * np.array(tilt)), np.sin(0.5 * np.array(tilt))
    q = (a * b, c * b, a * d, c * d)
    plate = world.add_body(od.Box((*SIZE, thickness)), position=(0, 0, HEIGHT), quaternion=q)
    plate.continuous = plate.finite_rotation_mode = True
    whole = plate.mass * G * HEIGHT
    largest, moved = 0.0, 0.0
    for k in range(round(SECONDS / H)):
        world.advance(H)
        largest = max(largest, (float(kinetic_energies(world)[0]) + plate.mass * G * float(plate.position[2])) / whole)
        if np.linalg.norm(plate.linear_velocity) > 1e-3 or np.linalg.norm(plate.angular_velocity) > 1e-3:
            moved = (k + 1) * H
    return largest, moved


def measure() -> list[Row]:
    """Every solver, three thicknesses."""
    rows = []
    for solver, order in (("exact", "blocks"), ("soft", "blocks"), ("pgs", "blocks"), ("pgs", "ode")):
        for thickness in (1e-4, 1e-3, 1e-2):
            ends = [drop(thickness, tilt, solver=solver, quickstep_order=order) for tilt in TILTS]
            name = f"{1e3 * thickness:g} mm, {solver}" + (", rows in ODE's order" if order == "ode" else "")
            rows.append(at_most(f"largest energy, {name}", max(end[0] for end in ends), 1.0))
            rows.append(at_most(f"time to rest, s, {name}", max(end[1] for end in ends), SECONDS - H))
    return rows
