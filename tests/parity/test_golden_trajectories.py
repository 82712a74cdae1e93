"""Trajectories recorded from ODE 0.16.2 (double precision): ours agree step by step.

Tolerances: 1e-9 after 10 steps; after 200 steps 1000 times the scene's sensitivity, which says how far ODE's own
trajectory strays when its start is changed in the last digits. Scenes with redundant contacts, whose forces are not
unique, get 1e-6.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from opendynamics.io.recorded_scene import read_recorded_scene

DATA = Path(__file__).parents[1] / "data" / "trajectories"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in DATA.glob("*.json.gz"))
SENSITIVITY = json.loads((DATA / "sensitivity.json").read_text())
REDUNDANT = {"contact_box_slope_stick", "quick_contact_box_slide"}

# The name in the recording, where a joint with one coordinate has a shorter one.
SHORT = {"angle_rate": "rate", "position_rate": "rate", "angle": "stepped_angles", "axis": "axes"}

# How the two wheels of an axle share its side force is not unique either, though the motion is.
SHARED_FORCES = {"hinge2_suspension", "quick_hinge2_suspension"}


def tolerance(name: str, step: int) -> float:
    if name in REDUNDANT:
        return 1e-6
    return 1e-9 if step <= 10 else max(1e-9, 1000.0 * SENSITIVITY[name][str(step)])


@cache
def replayed(name):
    """Deviations of the bodies, and of the joints' readings, at steps 10 and 200."""
    scene = read_recorded_scene(DATA / f"{name}.json.gz")
    found = {}
    for step in scene.play():
        if step in (10, 200):
            found[step] = scene.deviation(step), list(joint_deviations(scene, step))
            enabled = [bool(body["enabled"][step]) for body in scene.trajectory["bodies"]]
            assert [body.enabled for body in scene.bodies] == enabled
    return found


def joint_deviations(scene, step):
    for number, (joint, recorded) in enumerate(zip(scene.joints, scene.trajectory["joints"], strict=True)):
        for key, values in recorded.items():
            theirs = np.array(values[step])
            if key.startswith("feedback_"):
                kind = {"f": "force", "t": "torque"}[key[-2]]
                ours = getattr(joint.feedback, f"{kind}{key[-1]}")
            else:
                ours = getattr(joint, key if hasattr(joint, key) else SHORT[key])
            error = abs(np.asarray(ours) - theirs) / max(1.0, float(np.max(abs(theirs), initial=0.0)))
            yield f"{key} of joint {number}", float(np.max(error))


def test_every_recording_is_here():
    assert len(NAMES) >= 52
    assert set(NAMES) <= set(SENSITIVITY)


@pytest.mark.parametrize("step", [10, 200])
@pytest.mark.parametrize("name", NAMES)
def test_bodies_follow_the_recording(name, step):
    deviation, _ = replayed(name)[step]
    assert deviation <= tolerance(name, step)


@pytest.mark.parametrize("step", [10, 200])
@pytest.mark.parametrize("name", NAMES)
def test_joints_tell_what_odes_told(name, step):
    """Anchors, axes, coordinates and rates, in parts of the vector's largest number; forces are h⁻¹ times as sensitive."""
    for what, error in replayed(name)[step][1]:
        allowed = tolerance(name, step)
        if what.startswith("feedback"):
            allowed = max(100.0 * allowed, 1e-5 if name in SHARED_FORCES else 0.0)
        assert error <= allowed, what
