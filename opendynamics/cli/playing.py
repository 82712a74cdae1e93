"""Plays a scene with a progress bar and summarises the run: reads a Scene, writes a Summary."""

from __future__ import annotations

import warnings
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from opendynamics.api.profile import Profile, clocked_by
from opendynamics.api.progress import progress
from opendynamics.api.stepping import STAGES, FaultWarning
from opendynamics.api.world import World
from opendynamics.core.compile.cache import running_time
from opendynamics.core.compile.loading import load_together
from opendynamics.core.families import BROADPHASES, SHAPES, pair_entry
from opendynamics.scenes import Scene


@dataclass(frozen=True)
class Energy:
    """Energy of all bodies, J; potential energy is zero at the origin."""

    kinetic: float
    potential: float
    total: float


@dataclass(frozen=True)
class Summary:
    """Figures of a run.

    Attributes:
        bodies, joints, geoms: at the end; contacts are not counted as joints.
        contacts: at the end, on average over the steps and at most.
        deepest: largest penetration depth in any step, m.
        h: step size, s.
        simulated, real: scene time and wall-clock time, s.
        speed: simulated over real time.
        ms_per_step: of each stage, average, ms.
        energy_at_start, energy_at_end: J.
        faults: names of the bodies whose motion became non-finite.
        interrupted: whether Ctrl-C ended it.
        profile: stages and counts of all steps, if requested.
        recording: file, frames and bytes of the recording, if there is one.
    """

    scene: str
    note: str
    bodies: int
    joints: int
    geoms: int
    contacts_at_end: int
    contacts_on_average: float
    contacts_at_most: int
    deepest: float
    steps: int
    h: float
    simulated: float
    real: float
    speed: float
    ms_per_step: dict[str, float]
    energy_at_start: Energy
    energy_at_end: Energy
    faults: tuple[str, ...]
    interrupted: bool = False
    profile: Profile | None = None
    recording: dict[str, str | int] | None = None


def play(name: str, scene: Scene, steps: int, *, profile: bool = False) -> Summary:
    """Play `steps` steps of a scene, or until Ctrl-C, and summarise them; with `profile`, by smaller stages.

    The times exclude the progress bar and compilation.
    """
    world = scene.world
    prepare(world, *STAGES)
    clocked = Profile() if profile else None
    seconds: Counter[str] = Counter()
    contacts, most, deepest, done, interrupted = 0, 0, 0.0, 0, False
    at_start = _energy(world)

    def advance(h: float) -> None:
        if clocked is None:
            seconds.update(world.time_stages(h))
        else:
            world.advance(h)

    with (
        clocked_by(world, clocked) if clocked else nullcontext(),
        warnings.catch_warnings(),
        progress(steps, name) as update,
    ):
        warnings.simplefilter("ignore", FaultWarning)  # the summary names them
        start, spent_showing = running_time(), 0.0
        try:
            for step in scene.play(steps, advance):
                statistics, done = world.statistics, step
                contacts += statistics.contacts
                most, deepest = max(most, statistics.contacts), max(deepest, statistics.deepest)
                showing = running_time()
                update(step, "")
                spent_showing += running_time() - showing
        except KeyboardInterrupt:
            interrupted = True
        real = running_time() - start - spent_showing
    return Summary(
        scene=name,
        note=scene.note,
        bodies=len(world.bodies),
        joints=len(world.joints),
        geoms=sum(1 for _ in world.space.geoms()),
        contacts_at_end=world.statistics.contacts,
        contacts_on_average=contacts / max(done, 1),
        contacts_at_most=most,
        deepest=deepest,
        steps=done,
        h=scene.h,
        simulated=done * scene.h,
        real=real,
        speed=done * scene.h / real,
        ms_per_step={
            stage: 1000.0 * time / max(done, 1) for stage, time in (clocked.seconds if clocked else seconds).items()
        },
        energy_at_start=at_start,
        energy_at_end=_energy(world),
        faults=tuple(body.name for body in world.faults),
        interrupted=interrupted,
        profile=clocked,
    )


def prepare(world: World, *entries: Any) -> None:
    """Compile, or load, the kernels that the world needs now, and `entries`, so that no step waits for them."""
    kinds = {int(SHAPES[geom.shape].KIND) for geom in world.space.geoms()}
    pairs = [pair_entry(one, other) for one, other in product(kinds, kinds)]
    broadphase = BROADPHASES[world.space.choose_broadphase()].find_pairs
    load_together([*entries, *world.solver_entries, broadphase, *filter(None, pairs)])


def _energy(world: World) -> Energy:
    with np.errstate(over="ignore", invalid="ignore"):
        kinetic, potential = world.kinetic_energy, world.potential_energy
    return Energy(kinetic, potential, kinetic + potential)
