"""Houses of cards: how many stand."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.libode import LibOde
from benchmarks.peers.solids import card_house, seconds, stands
from benchmarks.validation import Row, at_least, samples

TITLE = "House of cards"
TEXT = """
Pairs of cards of 0.1 m lean against each other at 25 degrees, in three levels with planks between them, each placed with
errors of up to 0.05 mm; friction 0.8. The figure is how many of ten houses stand for 60 s at steps of 10 ms, without any
card losing a centimetre of height. `world.friction_bounds = "coupled"`, and a speculative margin of 2 mm: without it, an
edge that is above the ground by a rounding error would fall by 1 mm in a step, half of a card's thickness. "auto" and
"pgs" use the soft step, with 8 sub-steps for so few bodies. ODE: `dWorldStep`, for 5 s.
"""
LEVELS, SEEDS, H = 3, 10, 0.01
DURATION, ODE_DURATION = 60.0, 5.0
LOST = 0.01

MARGIN = 0.002  # m

COUPLED = {"friction_bounds": "coupled", "speculative_margin": MARGIN}


def standing(seeds: int, duration: float, **settings: Any) -> int:
    """How many of `seeds` houses stand for `duration` s."""
    count = 0
    for seed in range(seeds):
        world = card_house(LEVELS, seed).world(**settings)
        start = world.positions.copy()
        seconds(world, H, duration)
        count += stands(world, start, LOST)
    return count


def ode_standing(seeds: int, duration: float) -> int | None:
    """The same in ODE."""
    if not LibOde.available():
        return None
    count = 0
    for seed in range(seeds):
        start, end = card_house(LEVELS, seed).run_on_ode(LibOde(), H, round(duration / H))
        count += bool((start[:, 2] - end[:, 2] < LOST).all())
    return count


def measure() -> list[Row]:
    """Of ten."""
    houses = samples(SEEDS)
    theirs = ode_standing(houses, ODE_DURATION)
    choices: dict[str, dict[str, Any]] = {
        "exact": {"solver": "exact"},
        "auto": {"solver": "auto"},
        "pgs": {"solver": "pgs"},
    }
    return [
        at_least(
            f"houses standing, of {houses}, {name}", standing(houses, DURATION, **chosen, **COUPLED), houses, theirs
        )
        for name, chosen in choices.items()
    ]
