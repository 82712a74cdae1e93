"""`.body` files: the meaning of their keys, both spellings and versions, SubBodies, resources, shape trees."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import body_file, load_text

MODELS = Path(__file__).parents[1] / "data" / "models"
turn = od.rotation.from_axis_angle


def one_link(elements, tmp_path, extra=""):
    return load_text(
        tmp_path, f"links:\n  - name: A\n    joint_type: free\n    mass: 1\n{extra}    elements:\n{elements}"
    ).root


def test_both_spellings_and_units(tmp_path):
    snake = """
angle_unit: degree
links:
  - { name: A, joint_type: free, mass: 2, inertia: [1, 0, 0, 2, 0, 2.5], center_of_mass: [0.1, 0, 0] }
  - name: B
    parent: A
    mass: 1
    joint_type: revolute
    joint_id: 1
    joint_axis: -Y
    joint_range: [-90, 45]
    joint_velocity_range: 180
    max_joint_effort: 7
    rotor_inertia: 1e-4
    gear_ratio: 100
    joint_displacement: 30
    translation: [0, 0, 1]
    rotation: [[0, 0, 2, 90], [1, 0, 0, 90]]
  - { name: C, parent: B, joint_type: prismatic, joint_id: 0, joint_range: unlimited, mass: 1,
      joint_axis_inertia: 3, joint_name: slide }
"""
    camel = snake.replace("angle_unit", "angleUnit")
    for key in ("joint_type", "center_of_mass", "joint_id", "joint_axis", "joint_range", "joint_velocity_range",
                "max_joint_effort", "rotor_inertia", "gear_ratio", "joint_displacement", "joint_name"):  # fmt: skip
        first, *rest = key.split("_")
        camel = camel.replace(key + ":", first + "".join(map(str.capitalize, rest)) + ":")
    assert "jointVelocityRange" in camel
    for text in (snake, camel):
        model = load_text(tmp_path, text, strict=True)
        root, b, c = model.links
        assert root.mass == 2 and np.array_equal(root.inertia, np.diag([1, 2, 2.5]))
        assert (b.joint.lower, b.joint.upper) == pytest.approx((-math.pi / 2, math.pi / 4))
        assert (b.joint.min_velocity, b.joint.max_velocity) == pytest.approx((-math.pi, math.pi))
        assert b.joint.reflected_inertia == pytest.approx(1.0) and b.joint.max_effort == 7
        assert np.array_equal(b.joint.axis, (0, -1, 0)) and b.joint.initial == pytest.approx(math.radians(30))
        assert np.allclose(b.rotation, turn((0, 0, 1), math.pi / 2) @ turn((1, 0, 0), math.pi / 2), atol=1e-15)
        assert c.joint.lower == -math.inf and c.joint.reflected_inertia == 3 and c.joint.name == "slide"
        assert [joint.name for joint in model.joints] == ["slide", "B"]
        assert model.state().q == pytest.approx((0, math.radians(30)))


def test_radians_are_of_version_1(tmp_path):
    text = "angle_unit: radian\nlinks: [{ name: A, joint_type: free, rotation: [0, 0, 1, 1.0], mass: 1 }]\n"
    assert np.allclose(load_text(tmp_path, text).root.rotation, turn((0, 0, 1), 1.0))
    path = tmp_path / "two.body"
    path.write_text("format: ChoreonoidBody\nformat_version: 2.0\n" + text)
    with pytest.raises(robot.ModelError, match=r"two.body:3: angle_unit must be degree in version 2, not 'radian'"):
        robot.load_robot(path)


def test_numbers_that_yaml_11_takes_for_words(tmp_path):
    text = "links: [{ name: on, joint_type: free, mass: 1e1, inertia: [8e-06, 0, 0, 8e-06, 0, 8e-06], on: 5 }]\n"
    model = load_text(tmp_path, text, strict=True)
    assert model.root.name == "on" and model.mass == 10 and model.root.inertia[0, 0] == 8e-6
    assert model.root.info == {"on": 5}


def test_masses_of_rigid_bodies_add_up(tmp_path):
    link = one_link(
        """
      - { type: RigidBody, mass: 2, inertia: [1, 0, 0, 1, 0, 1], translation: [3, 0, 0] }
      - type: Transform
        rotation: [0, 0, 1, 90]
        elements: { RigidBody: { mass: 1, inertia: [1, 0, 0, 4, 0, 4], center_of_mass: [0, 1, 0] } }
""",
        tmp_path,
    )
    # The link's own 1 kg with a unit inertia, 2 kg at x = 3, 1 kg at x = -1 turned by a quarter.
    assert link.mass == 4 and np.allclose(link.center_of_mass, (1.25, 0, 0))
    d = np.array([-1.25, 1.75, -2.25])
    axial = np.array([1, 2, 1]) @ d**2
    assert np.allclose(link.inertia, np.diag([1 + 1 + 4, 1 + 1 + 1 + axial, 1 + 1 + 4 + axial]))


def test_visual_and_collision_trees(tmp_path):
    link = one_link(
        """
      - { type: Shape, geometry: { type: Sphere, radius: 1 } }
      - { type: Visual, shape: { geometry: { type: Sphere, radius: 2 } } }
      - Collision:
          translation: [0, 0, 1]
          elements:
            - type: Shape
              geometry: { type: Sphere, radius: 3 }
              appearance: { material: { diffuse: [1, 0, 0], transparency: 0.5 } }
""",
        tmp_path,
    )
    assert [shape.geometry.radius for shape in link.visual] == [1, 2]
    assert [shape.geometry.radius for shape in link.collision] == [1, 3]
    assert np.array_equal(link.collision[1].transform[:3, 3], (0, 0, 1))
    assert link.collision[1].appearance == robot.Appearance((1.0, 0.0, 0.0), 0.5)
    with pytest.raises(robot.ModelError, match=r"model.body:\d+: Visual and Collision must not be within each other"):
        one_link("      Visual: { elements: { Collision: { elements: [] } } }\n", tmp_path)


def test_round_shapes_stand_along_y_in_files(tmp_path):
    link = one_link("      - { type: Shape, geometry: { type: Cone, radius: 1, height: 4 } }\n", tmp_path)
    (shape,) = link.visual
    assert np.array_equal(shape.transform @ (0, 0, 2, 1), (0, 2, 0, 1))


def test_mapping_of_types(tmp_path):
    link = one_link(
        "      Shape: { geometry: { type: Box, size: [1, 2, 3] } }\n      ForceSensor: { id: 4, name: F }\n", tmp_path
    )
    assert link.visual[0].geometry == robot.Box((1.0, 2.0, 3.0))


def test_a_density_instead_of_a_mass(tmp_path):
    text = """
links:
  - name: A
    joint_type: free
    density: 500
    elements: { Shape: { translation: [1, 0, 0], geometry: { type: Box, size: [2, 1, 0.5] } } }
"""
    root = load_text(tmp_path, text, strict=True).root
    assert root.mass == pytest.approx(500) and np.allclose(root.center_of_mass, (1, 0, 0))
    assert np.allclose(root.inertia, np.diag([500 / 12 * 1.25, 500 / 12 * 4.25, 500 / 12 * 5]))
    assert robot.load_robot(MODELS / "misc/pyramid.body", strict=True).mass == pytest.approx(3 * 0.125)


def test_devices(tmp_path):
    text = """
links:
  - name: A
    joint_type: free
    mass: 1
    elements:
      - type: Transform
        translation: [1, 0, 0]
        rotation: [0, 0, 1, 90]
        elements:
          - { type: Camera, name: Eye, id: 2, translation: [1, 0, 0], fieldOfView: 90, width: 320, on: false }
          - { type: IMU, name: Imu }
"""
    model = load_text(tmp_path, text, strict=True)
    camera = model.devices["Eye"]
    assert camera.kind == "Camera" and camera.id == 2 and not camera.on and model.devices["Imu"].id is None
    assert camera.settings == {"field_of_view": pytest.approx(math.pi / 2), "width": 320}
    assert np.allclose(camera.translation, (1, 1, 0)) and np.allclose(camera.rotation, turn((0, 0, 1), math.pi / 2))


def test_sub_bodies():
    model = robot.load_robot(MODELS / "SR1/SR1-floor-box.body", strict=True)
    assert model.is_fixed and not model.is_static and len(model.joints) == 29
    assert [model.links[k].name for k in model.tree.bases] == ["Floor", "WAIST", "Box"]
    assert model.parent("WAIST").name == "Floor" and np.allclose(model.state().base_positions[1], (0, 0, 0.7135))
    boxes = robot.load_robot(MODELS / "misc/BoxesOnFloor.body", strict=True)
    assert len(boxes.links) == 5 and len(boxes.tree.bases) == 5
    assert np.allclose(boxes.state().base_positions[2], (0.0108, 0.2371, 1.0699))


def test_names_and_ids_of_sub_bodies(tmp_path):
    body_file(
        tmp_path,
        "links:\n  - { name: R, joint_type: fixed, mass: 1 }\n"
        "  - { name: J, parent: R, joint_type: revolute, joint_id: 0, mass: 1, elements: { ForceSensor: { name: F, id: 0 } } }\n",
        "arm.body",
    )
    text = """
links:
  - { name: Base, joint_type: fixed }
  - { type: SubBody, uri: arm.body, parent: Base, prefix: L_, device_prefix: left_, translation: [0, 1, 0] }
  - { type: SubBody, uri: arm.body, parent: Base, suffix: _R, joint_id_offset: 1, joint_type: prismatic, joint_id: 7 }
"""
    with pytest.warns(robot.ModelWarning) as warned:
        model = load_text(tmp_path, text)
    reported = [str(w.message) for w in warned]
    assert len(reported) == 2 and "joint ids have gaps (no 2, 3, 4, 5, 6, 7)" in reported[0] and "id 0" in reported[1]
    assert model.links.names == ("Base", "L_R", "L_J", "R_R", "J_R")
    assert [joint.id for joint in model.joints] == [0, 1, 8] and model.links["R_R"].joint.type == "prismatic"
    assert np.array_equal(model.links["L_R"].translation, (0, 1, 0)) and model.parent("J_R").name == "R_R"
    assert [device.name for device in model.devices] == ["left_F", "F"]


def test_resources_with_fragments():
    model = robot.load_robot(MODELS / "PA10/PA10.body", strict=True)
    assert len(model.joints) == 9 and model.links["HAND_L"].joint.type == "prismatic"
    assert all(isinstance(shape.geometry, robot.Mesh) for shape in model.links["J1"].visual)
    assert {type(shape.geometry).__name__ for shape in model.links["J2"].collision} <= {"Cylinder", "Capsule", "Box"}


def test_a_part_of_a_vrml_file_keeps_its_turn_but_not_its_place(tmp_path):
    (tmp_path / "parts.wrl").write_text(
        "#VRML V2.0 utf8\nTransform { translation 5 0 0 rotation 0 0 1 1.5707963267948966 children [\n"
        "DEF Part Transform { translation 0 7 0 scale 2 1 1 children Shape { geometry Box { size 1 1 1 } } } ] }\n"
    )
    link = one_link("      Resource: { uri: parts.wrl, node: Part, translation: [0, 0, 1] }\n", tmp_path)
    (shape,) = link.visual
    assert np.allclose(shape.transform @ (0.5, 0, 0, 1), (0, 1, 1, 1))
    with pytest.raises(robot.ModelError, match=r"parts.wrl has no node with the name 'Other'"):
        one_link("      Resource: { uri: parts.wrl, node: Other }\n", tmp_path)


def test_a_part_of_a_yaml_file(tmp_path):
    (tmp_path / "parts.yaml").write_text(
        "format: ChoreonoidBody\nformat_version: 2.0\n"
        "ball: &Ball\n  type: Shape\n  geometry: { type: Sphere, radius: 0.5 }\n"
        "other: { type: Shape, geometry: { type: Box, size: [1, 1, 1] } }\n"
    )
    link = one_link("      Resource: { uri: parts.yaml, node: Ball, translation: [0, 0, 1] }\n", tmp_path)
    (shape,) = link.visual
    assert shape.geometry == robot.Sphere(0.5) and np.allclose(shape.transform[:3, 3], (0, 0, 1))
    with pytest.raises(robot.ModelError, match=r"parts.yaml has no node with the anchor 'Cube'"):
        one_link("      Resource: { uri: parts.yaml, node: Cube }\n", tmp_path)


def test_units_of_resources(tmp_path):
    (tmp_path / "part.wrl").write_text("#VRML V2.0 utf8\nShape { geometry Cylinder { height 1000 radius 5 } }\n")
    link = one_link(
        "      Resource: { uri: part.wrl, metadata: { length_unit: millimeter, upper_axis: Y } }\n", tmp_path
    )
    assert np.allclose(link.visual[0].transform @ (0, 0, 500, 1), (0, 0, 0.5, 1), atol=1e-15)


@pytest.mark.parametrize(("unit", "angle"), [("degree", 90.0), ("radian", math.pi / 2)])
def test_angles_of_a_yaml_file_of_shapes(tmp_path, unit, angle):
    box = f"type: Transform, rotation: [0, 0, 1, {angle}], elements: {{ Shape: {{ geometry: {{ type: Box }} }} }}"
    (tmp_path / "parts.yaml").write_text(f"angle_unit: {unit}\nturned: &Turned {{ {box} }}\n")
    link = one_link("      Resource: { uri: parts.yaml, node: Turned }\n", tmp_path)
    assert np.allclose(link.visual[0].transform[:3, :3], turn((0, 0, 1), math.pi / 2), atol=1e-12)


def test_merge_keys_and_anchors(tmp_path):
    text = """
place: &place { translation: [1, 2, 3], rotation: [0, 0, 1, 90] }
links:
  - name: A
    joint_type: free
    mass: 1
    elements:
      - type: Transform
        <<: *place
        translation: [0, 0, 1]
        elements: &ball { Shape: { geometry: { type: Sphere, radius: 1 } } }
      - { type: Transform, <<: [*place], elements: *ball }
"""
    first, second = load_text(tmp_path, text, strict=True).root.visual
    assert np.array_equal(first.transform[:3, 3], (0, 0, 1)) and np.array_equal(second.transform[:3, 3], (1, 2, 3))
    assert np.allclose(first.transform[:3, :3], turn((0, 0, 1), math.pi / 2))


def test_extra_joints():
    body = robot.load_robot(MODELS / "misc/ClosedLinkSample.body", strict=True)
    wrl = robot.load_robot(MODELS / "legacy/ClosedLinkSample.wrl", strict=True)
    for model, kind in ((body, "hinge"), (wrl, "piston")):
        (extra,) = model.extra_joints
        assert extra.type == kind and [model.links[k].name for k in (extra.link1, extra.link2)] == ["J1", "J3"]
        assert np.array_equal(extra.point1, (0.2, 0, 0)) and np.array_equal(extra.point2, (0, 0.1, 0))
        kinematics = robot.forward_kinematics(model.state())
        ends = [kinematics.point(extra.link1, extra.point1), kinematics.point(extra.link2, extra.point2)]
        # The loop is closed at the start but for a shift along the axis.
        axis = kinematics.rotations[extra.link1] @ extra.axis
        assert np.allclose(np.cross(ends[0] - ends[1], axis), 0.0, atol=1e-12)


def test_tracks():
    for file, axis in (("misc/crawler.body", 1), ("misc/conveyor.body", -1), ("legacy/conveyor.wrl", 1)):
        model = robot.load_robot(MODELS / file) if "conveyor" in file else _crawler()
        assert model.tracks and not model.joints
        assert all(np.array_equal(track.axis, (0, axis, 0)) for track in model.tracks)


def _crawler():
    with pytest.warns(robot.ModelWarning, match="more than the sum of the others"):
        return robot.load_robot(MODELS / "misc/crawler.body")


def test_scenes_are_static():
    model = robot.load_robot(MODELS / "misc/dome.scen", strict=True)
    assert model.is_static and model.root.visual[0].geometry == robot.Sphere(5.0)


@pytest.mark.parametrize(("wrist", "tool", "remarked"), [(1, 0, []), (0, 1, []), (0, 0, ["Wrist"])])
def test_links_without_mass_are_remarked_unless_what_is_fixed_to_them_has_one(tmp_path, wrist, tool, remarked):
    text = (
        "links:\n  - { name: Base, joint_type: fixed }\n"
        f"  - {{ name: Wrist, parent: Base, joint_type: revolute, joint_id: 0, mass: {wrist}, inertia: [1, 0, 0, 1, 0, 1] }}\n"
        f"  - {{ name: Tool, parent: Wrist, joint_type: fixed, mass: {tool}, inertia: [1, 0, 0, 1, 0, 1] }}\n"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        model = load_text(tmp_path, text)
    assert [
        finding.split(": ")[1].split()[0] for finding in model.findings if "the mass is 0 kg" in finding
    ] == remarked
