"""A ladder against a wall: the friction coefficient at which it slips, compared with statics."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.libode import LibOde
from benchmarks.peers.solids import ladder, moved, seconds
from benchmarks.validation import Row, at_most

TITLE = "Ladder"
TEXT = """
A ladder of 4 m leans at 50 degrees. Against a smooth wall it slips below mu = cot(50°)/2 = 0.417 (0.420 without its
thickness), against a wall as rough as the ground below 0.362. In Coulomb's law, friction depends on the normal force
at the same moment. ODE's bounds are the normal forces of a solution without friction, which are smaller, because the
ladder is falling in that solution; so the ladder needs far more friction to stand. The figure is the relative error
of the coefficient, found by bisection; a ladder stands if it slips less than 1 mm in a second.
"""
DEGREES, H, STEPS = 50.0, 0.01, 100
BISECTIONS = 9

COUPLED = {"friction_bounds": "coupled"}


def critical(slips: Any) -> float:
    """The coefficient above which it does not slip."""
    low, high = 0.3, 0.8
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slips(middle) else (low, middle)
    return 0.5 * (low + high)


def error(rough: bool, **settings: Any) -> float:
    """Relative error of our coefficient."""

    def slips(mu: float) -> bool:
        scene, _ = ladder(DEGREES, mu, mu if rough else 0.0)
        world = scene.world(**settings)
        start = world.positions.copy()
        seconds(world, H, H * STEPS)
        return moved(world, start) > 1e-3

    exact = ladder(DEGREES, 0.5, 0.5 if rough else 0.0)[1]
    return abs(critical(slips) / exact - 1.0)


def ode_error(rough: bool) -> float | None:
    """The same of ODE."""
    if not LibOde.available():
        return None
    ode = LibOde()

    def slips(mu: float) -> bool:
        start, end = ladder(DEGREES, mu, mu if rough else 0.0)[0].run_on_ode(ode, H, STEPS)
        return bool(abs(end - start).max() > 1e-3)

    exact = ladder(DEGREES, 0.5, 0.5 if rough else 0.0)[1]
    return abs(critical(slips) / exact - 1.0)


def measure() -> list[Row]:
    """Both walls."""
    rows = []
    for rough in (False, True):
        wall = "rough" if rough else "smooth"
        theirs = ode_error(rough)
        for solver in ("exact", "pgs"):
            rows.append(
                at_most(
                    f"{wall} wall, {solver}: error of the coefficient",
                    error(rough, solver=solver, **COUPLED),
                    0.01,
                    theirs,
                )
            )
    return rows
