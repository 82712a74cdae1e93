"""From every recorded state of ODE's exact step, one step leads to the state recorded next.

Errors cannot build up here, so that scenes whose contacts are redundant or whose motion is unstable can be held to rounding
error all along. What a recording does not tell (idle counters, turns of joints' angles, parameters changed by events) the
worlds keep from step to step themselves, as the bodies go along the recorded way.
"""

from pathlib import Path

import numpy as np
import pytest

from opendynamics.io.recorded_scene import read_recorded_scene

DATA = Path(__file__).parents[1] / "data" / "trajectories"

# QuickStep's answer depends on the state of its generator and is no solution; its recordings are played from the start.
NAMES = sorted(
    path.name.removesuffix(".json.gz") for path in DATA.glob("*.json.gz") if not path.name.startswith("quick_")
)

# Eight corners on a plane; four wheels with stiff axles on a plane.
REDUNDANT = {"contact_box_slope_stick", "hinge2_suspension"}


def largest_speed(scene, step):
    return max(
        float(np.max(np.abs(body[field][step])))
        for body in scene.trajectory["bodies"]
        for field in ("linvel", "angvel")
    )


@pytest.mark.parametrize("name", NAMES)
def test_one_step_leads_to_the_next_recorded_state(name):
    scene = read_recorded_scene(DATA / f"{name}.json.gz")
    assert scene.scene["world"]["stepper"] == "step"
    steps = 0
    for step in scene.play_from_recorded_states():
        allowed = 1e-11 if name in REDUNDANT else 1e-9
        assert scene.deviation(step) <= allowed * max(1.0, largest_speed(scene, step)), step
        steps += 1
    assert steps == scene.steps >= 100


def test_redundant_scenes_are_among_them():
    assert set(NAMES) >= REDUNDANT
