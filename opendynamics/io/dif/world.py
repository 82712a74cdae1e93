"""The world of a DIF file: gravity, ERP, CFM, and defaults of bodies and steps. ODE's thresholds are squared."""

from __future__ import annotations

import math
from typing import Any

from opendynamics.api.body_settings import DampingAndSleep
from opendynamics.api.world import World
from opendynamics.io.dif.fields import Fields
from opendynamics.io.dif.text import Lines

MAX_STEPS = 1 << 31
_MAX_SAMPLES = 0xFFFF  # of the velocities averaged for sleeping
_MAX_ITERATIONS = 1 << 20

# Numbers of a world that ODE omits.
_NUMBERS = {
    "contact_max_correcting_vel": "contact_max_correcting_velocity",
    "contact_surface_layer": "contact_surface_layer",
    "quickstep_w": "quickstep_relaxation",
}
# Numbers of bodies, and of worlds for new bodies, that ODE omits.
_DAMPING = (
    *("linear_damping", "angular_damping", "linear_damping_threshold", "angular_damping_threshold"),
    "max_angular_speed",
)


def write_world(lines: Lines, world: World) -> None:
    """Add the fields of the world."""
    lines.field("gravity", world.gravity)
    with lines.table("ODE = "):
        lines.field("ERP", world.erp)
        lines.field("CFM", world.cfm)
        for key, name in _NUMBERS.items():
            lines.field(key, getattr(world, name))
        lines.field("quickstep_iterations", world.quickstep_iterations)
        lines.field("random_seed", world.random_seed)
        write_settings(lines, world)


def write_settings(lines: Lines, owner: DampingAndSleep, left: tuple[float, float] | None = None) -> None:
    """Add damping and auto-disable settings of a world or a body; `left`: time and steps before an idle body sleeps."""
    for key in _DAMPING:
        lines.field(key, getattr(owner, key))
    with lines.table("auto_disable = "):
        lines.field("enabled", owner.auto_disable)
        lines.field("linear_threshold", owner.auto_disable_linear_threshold**2)
        lines.field("angular_threshold", owner.auto_disable_angular_threshold**2)
        lines.field("average_samples", owner.auto_disable_samples)
        lines.field("idle_time", owner.auto_disable_time)
        lines.field("idle_steps", owner.auto_disable_steps)
        if left is not None:
            lines.field("time_left", left[0])
            lines.field("steps_left", left[1])


def read_world(fields: Fields, world: World) -> None:
    """Apply the table of a world."""
    world.gravity = fields.numbers("gravity", 3, (0.0, 0.0, 0.0))
    own = fields.inner("ODE")
    if own is None:
        return
    world.erp = own.number("ERP", world.erp)
    world.cfm = own.number("CFM", world.cfm)
    for key, name in _NUMBERS.items():
        setattr(world, name, own.number(key, getattr(world, name), infinite=True))
    world.quickstep_iterations = own.whole("quickstep_iterations", _MAX_ITERATIONS, world.quickstep_iterations)
    world.random_seed = own.whole("random_seed", (1 << 32) - 1, world.random_seed)
    # ODE writes these settings of a world whether or not its new bodies are auto-disabled.
    read_settings(own, world, enabled=False)
    own.require_done()


def read_settings(own: Fields, owner: Any, *, enabled: bool) -> tuple[float, int] | None:
    """Set damping and auto-disable settings; `enabled`: whether the body may sleep if the table does not say.

    Returns the time and the steps before an idle body sleeps, if the table has them.
    """
    for key in _DAMPING:
        setattr(owner, key, own.number(key, getattr(owner, key), infinite=True))
    sleep = own.inner("auto_disable")
    if sleep is None:
        owner.auto_disable = False
        return None
    for axis in ("linear", "angular"):
        square = sleep.number(f"{axis}_threshold", getattr(owner, f"auto_disable_{axis}_threshold") ** 2, infinite=True)
        if square < 0.0:
            raise sleep.error(f"{axis}_threshold must not be negative, not {square}")
        setattr(owner, f"auto_disable_{axis}_threshold", math.sqrt(square))
    owner.auto_disable_samples = sleep.whole("average_samples", _MAX_SAMPLES, owner.auto_disable_samples)
    time = sleep.number("idle_time", owner.auto_disable_time, infinite=True)
    owner.auto_disable_time = min(time, 1e300) if time > 0.0 else time
    owner.auto_disable_steps = sleep.whole("idle_steps", MAX_STEPS - 1, owner.auto_disable_steps)
    owner.auto_disable = sleep.flag("enabled", enabled)
    left = sleep.number("time_left", None, infinite=True), sleep.number("steps_left", None)
    sleep.require_done()
    if None in left or not (left[0] == left[0] and abs(left[1]) < MAX_STEPS):
        return None
    return float(left[0]), int(left[1])
