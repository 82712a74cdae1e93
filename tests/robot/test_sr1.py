"""SR1 from .body, .wrl and .urdf: the same robot, except for differences of the three hand-written files."""

from pathlib import Path

import numpy as np
import pytest

from opendynamics import robot

MODELS = Path(__file__).parents[1] / "data" / "models"
FILES = {"body": "SR1/SR1.body", "wrl": "legacy/SR1.wrl", "urdf": "SR1/SR1.urdf"}


@pytest.fixture(scope="module")
def sr1():
    return {name: robot.load_robot(MODELS / file, fixed_root=False, strict=True) for name, file in FILES.items()}


def posed(model, seed):
    """A state with the same displacements, by joint name, for all files."""
    rng = np.random.default_rng(seed)
    names = sorted(model.joints.names)
    state = model.state()
    state.q = model.vector(dict(zip(names, rng.uniform(-0.7, 0.7, len(names)), strict=True)))
    state.position, state.quaternion = (0.3, -0.2, 0.9), rng.normal(size=4)
    return state


def test_mass(sr1):
    assert [sr1[name].mass for name in FILES] == pytest.approx([130.8] * 3, rel=1e-12)


@pytest.mark.parametrize("name", ["wrl", "urdf"])
def test_forward_kinematics(sr1, name):
    first, other = robot.forward_kinematics(posed(sr1["body"], 3)), robot.forward_kinematics(posed(sr1[name], 3))
    assert set(sr1[name].links.names) == set(sr1["body"].links.names)
    for link in sr1["body"].links:
        k = sr1[name].links[link.name].index
        assert np.allclose(first.positions[link.index], other.positions[k], atol=1e-12)
        assert np.allclose(first.rotations[link.index], other.rotations[k], atol=1e-12)


def test_center_of_mass(sr1):
    body, urdf, wrl = (robot.center_of_mass(posed(sr1[name], 4)) for name in ("body", "urdf", "wrl"))
    assert np.allclose(body, urdf, atol=1e-12)
    # SR1.wrl has other centres of mass and spreads the arms' mass otherwise; with its numbers it is the same.
    assert not np.allclose(body, wrl, atol=1e-3)
    model, other = sr1["body"], sr1["wrl"]
    kinematics = robot.forward_kinematics(posed(model, 4))
    links = [other.links[link.name] for link in model.links]
    total = sum(k.mass * kinematics.point(k.name, k.center_of_mass) for k in links)
    assert np.allclose(total / other.mass, wrl, atol=1e-12)


def differences(a, b):
    """Which fields of which links the files give differently."""
    found = {}
    for link in a.links:
        other = b.links[link.name]
        for field in ("mass", "center_of_mass", "inertia", "translation", "rotation", "material"):
            one, two = getattr(link, field), getattr(other, field)
            if one != two if isinstance(one, str) else not np.allclose(one, two, atol=1e-9):
                found.setdefault(field, set()).add(link.name)
        for field in ("lower", "upper", "max_velocity", "max_effort", "rotor_inertia", "gear_ratio", "initial", "type"):
            one, two = getattr(link.joint, field), getattr(other.joint, field)
            if one != two if isinstance(one, str) else not np.isclose(one, two, rtol=1e-9, atol=0):
                found.setdefault(field, set()).add(link.name)
        if not np.allclose(link.joint.axis, other.joint.axis) and link.joint.movable:
            found.setdefault("axis", set()).add(link.name)
        if len(link.collision) != len(other.collision):
            found.setdefault("collision", set()).add(link.name)
    return found


def test_differences_of_the_wrl(sr1):
    found = differences(sr1["body"], sr1["wrl"])
    both = lambda *parts: {f"{side}{part}" for side in "LR" for part in parts}  # noqa: E731
    assert found.pop("mass") == both("ARM_SHOULDER_P", "ARM_SHOULDER_R", "ARM_SHOULDER_Y", "ARM_ELBOW")
    arms = ("ARM_SHOULDER_P", "ARM_SHOULDER_Y", "ARM_ELBOW", "ARM_WRIST_Y", "ARM_WRIST_P", "ARM_WRIST_R")
    legs = ("LEG_HIP_R", "LEG_HIP_P", "LEG_HIP_Y", "LEG_KNEE", "LEG_ANKLE_P", "LEG_ANKLE_R")
    assert found.pop("center_of_mass") == {"WAIST_P", "WAIST_R", "CHEST"} | both(*arms, *legs)
    # Limits and contact materials are in the .body only.
    assert set(found) == {"lower", "upper", "material"}


def test_differences_of_the_urdf(sr1):
    found = differences(sr1["body"], sr1["urdf"])
    assert found.pop("translation") == {"WAIST"}  # a URDF has no place for the root
    assert found.pop("collision") == {"CHEST"}  # and none for the cameras' housings
    # 1.57 for a right angle, and limits of velocity and effort that the .body does not have.
    assert set(found) == {"lower", "upper", "max_velocity", "max_effort", "material"}
    limits = [(sr1["body"].joints[j.name], j) for j in sr1["urdf"].joints]
    assert all(abs(a.lower - b.lower) < 2e-3 and abs(a.upper - b.upper) < 2e-3 for a, b in limits)


def test_devices(sr1):
    assert [len(sr1[name].devices) for name in FILES] == [7, 6, 0]
    for name in ("body", "wrl"):
        model = sr1[name]
        assert len(model.devices_of("Camera")) == 2 and len(model.devices_of("ForceSensor")) == 2
        assert [model.links[d.link].name for d in model.devices_of("RateGyroSensor")] == ["WAIST"]
        assert model.devices["WaistAccelSensor"].kind == "AccelerationSensor"
    for device in sr1["body"].devices_of("ForceSensor"):
        other = sr1["wrl"].devices[device.name]
        assert other.id == device.id
        assert sr1["wrl"].links[other.link].name == sr1["body"].links[device.link].name
        assert np.allclose(other.translation, device.translation)
    cameras = [sr1[name].devices["LeftCamera"] for name in ("body", "wrl")]
    # That of the .wrl looks down by 30 degrees.
    assert np.allclose(cameras[0].rotation[:, 2], (-1, 0, 0))
    assert np.allclose(cameras[1].rotation[:, 2], (-(0.75**0.5), 0, 0.5), atol=1e-4)
    assert [camera.settings["format"] for camera in cameras] == ["COLOR", "COLOR_DEPTH"]
    assert cameras[1].settings["field_of_view"] == pytest.approx(0.785398)


def test_joints_are_in_the_order_of_their_ids(sr1):
    for name in ("body", "wrl"):
        assert [joint.id for joint in sr1[name].joints] == list(range(29))
        assert sr1[name].joints["LLEG_KNEE"].index == 16
    assert sr1["urdf"].joints[0].name == "RLEG_HIP_R"


def test_info_is_kept(sr1):
    info = sr1["body"].info
    assert info["standardPose"][:4] == [0, -30, 0, 60] if "standardPose" in info else info["standard_pose"][3] == 60
    overlay = robot.load_robot(MODELS / "legacy/SR1.yaml")
    assert overlay.info["footLinks"][0]["soleCenter"] == [0.05, 0.0, -0.055] and overlay.mass == pytest.approx(130.8)
