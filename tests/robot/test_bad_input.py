"""Errors in files are reported with file, line and reason: as an error, or as a warning if the rest is meaningful."""

from pathlib import Path

import numpy as np
import pytest

from opendynamics import robot
from tests.robot.models import body_file, load_text

MODELS = Path(__file__).parents[1] / "data" / "models"
BASE = "  - { name: A, joint_type: free, mass: 1 }\n"

# The content of `links`, the line of the error, and its message.
ERRORS = [
    ("links:\n" + BASE + "  - { name: A, parent: A, mass: 1 }\n", 6, "there are two links called 'A'; the first is at .*:5"),
    ("links:\n" + BASE + "  - { name: B, parent: C }\n", 6, "the parent 'C' of B is no link"),
    ("links:\n" + BASE + "  - { name: Arm, parent: A }\n  - { name: B, parent: Arn }\n", 7, "did you mean 'Arm'?"),
    ("links:\n" + BASE + "  - { name: B }\n", 6, "B has no parent and is not the root, which is A"),
    ("links:\n" + BASE + "  - { name: B, parent: C }\n  - { name: C, parent: B }\n", 6, "B is its own ancestor"),
    ("links:\n  - { name: A, parent: A }\n", 5, "the root link A must not have a parent"),
    ("root_link: Z\nlinks:\n" + BASE, 4, "the root link 'Z' is not among the links"),
    ("links:\n  - { joint_type: free }\n", 5, "a link must have a name"),
    ("links:\n" + BASE + "  - { name: B, parent: A, joint_type: screw }\n", 6, "unknown joint type 'screw'; known are fixed"),
    (
        "links:\n" + BASE + "  - { name: B, parent: A, joint_type: revolute, joint_id: 3, mass: 1 }\n"
        "  - { name: C, parent: A, joint_type: revolute, joint_id: 3, mass: 1 }\n",
        7,
        r"C and B \(.*:6\) have the same joint id 3",
    ),
    ("links:\n" + BASE + "  - { name: B, parent: A, joint_type: revolute, joint_axis: [0, 0, 0] }\n", 6, "must not be zero"),
    ("links:\n" + BASE + "  - { name: B, parent: A, joint_axis: W }\n", 6, "three numbers or one of X, Y, Z, not 'W'"),
    ("links:\n" + BASE + "  - { name: B, parent: A, joint_range: [2, 1] }\n", 6, "the lower limit 2 of B is above the upper"),
    ("links:\n  - { name: A, mass: heavy }\n", 5, "mass must be numbers, not 'heavy'"),
    ("links:\n  - { name: A, mass: 1_000 }\n", 5, "mass must be numbers, not '1_000'"),
    ("links:\n  - { name: A, mass: -1 }\n", 5, "the mass of A must be at least 0 kg, not -1"),
    ("links:\n  - { name: A, mass: nan }\n", 5, "mass must be numbers, but one is not"),
    ("links:\n  - { name: A, mass: 1e999 }\n", 5, "mass must be finite"),
    ("links:\n  - { name: A, mass: 1, inertia: [1, 2] }\n", 5, "inertia must be nine numbers, or six"),
    ("links:\n  - { name: A, rotation: [0, 0, 0, 90] }\n", 5, "the axis of rotation must not be zero"),
    ("links:\n  - { name: A, joint_id: 1.5 }\n", 5, "joint_id must be a whole number, not 1.5"),
    ("links:\n  - A\n", 5, "links must be a list of mappings"),
    ("links: []\n", 1, "the model has no links"),
    ("links:\n  - { name: A, elements: { Shape: { geometry: { type: Sphere, radius: 0 } } } }\n", 5, "radius must be greater"),
    ("links:\n  - { name: A, elements: { Transform: { scale: [1, 0, 1] } } }\n", 5, "scale must not be 0"),
    ("links:\n  - { name: A, elements: { Resource: { uri: none.stl } } }\n", 5, "there is no file 'none.stl'"),
    ("links:\n" + BASE + "extra_joints: [ { link1_name: A, link2_name: B } ]\n", 6, "joint names 'B', which is no link"),
    ("links:\n" + BASE + "extra_joints: [ { link1_name: A, link2_name: A } ]\n", 6, "between two links, but both are 'A'"),
    ("links: &a\n  - { name: A, elements: *a }\n", 5, r"the alias \*a is within its own anchor"),
    ("links:\n  - { name: A, <<: *b }\n", 5, r"the alias \*b has no anchor before it"),
    ("links:\n  - { name: A\n", 6, "this is not YAML"),
    ("angle_unit: grad\n", 4, "angle_unit must be degree or radian, not 'grad'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), ERRORS, ids=[reason[:30] for _, _, reason in ERRORS])
def test_errors_of_body_files(tmp_path, text, line, reason):
    with pytest.raises(robot.ModelError, match=rf"model\.body:{line}: .*{reason}"):
        load_text(tmp_path, text)


# The warning, and how the input is treated.
REMARKS = [
    ("  - { name: B, parent: A, joint_type: revolute, joint_axis: [0, 3, 4], mass: 1 }", "no unit vector (0, 3, 4)"),
    ("  - { name: B, parent: A, joint_type: revolute, mass: 1, inertia: [1, 0.1, 0, 0, 1, 0, 0, 0, 1] }", "not symmetric"),
    ("  - { name: B, parent: A, joint_type: revolute, mass: 1, inertia: [1, 0, 0, 1, 0, -1] }", "not all positive"),
    ("  - { name: B, parent: A, joint_type: revolute, mass: 1, inertia: [1, 0, 0, 1, 0, 5] }", "the sum of the others"),
    ("  - { name: B, parent: A, joint_type: revolute, mass: 0 }", "B moves, but the mass is 0 kg"),
    ("  - { name: B, parent: A, joint_type: revolute }", "B has no mass: 1 kg and a unit inertia are assumed"),
    ("  - { name: B, parent: A, joint_type: revolute, joint_id: 2, mass: 1 }", "joint ids have gaps (no 0, 1)"),
    ("  - { name: B, parent: A, joint_type: revolute, joint_range: 10, joint_angle: 20, mass: 1 }", "outside its limits"),
    ("  - { name: B, parent: A, joint_type: revolute, joint_axes: Y, mass: 1 }", "did you mean 'joint_axis'?"),
    ("  - { name: B, parent: A, mass: 1, elements: { Fountain: { } } }", "unknown node 'Fountain' is skipped"),
    ("  - { name: B, parent: A, mass: 1, elements: { Shape: { geometry: { type: Cube } } } }", "unknown geometry 'Cube'"),
    ("  - { name: B, parent: A, mass: 1, elements: { Shape: { colour: 1, geometry: { type: Box } } } }", "unknown key 'colour'"),
    ("  - { type: Rope, name: B }", "unknown entry 'Rope' of links is skipped"),
    ("  - { type: ContinuousTrack, name: B }", "pseudo_continuous_track is supported"),
    ("  - { name: B, parent: A, mass: 1, elements: [{ IMU: { name: I, id: 0 } }, { IMU: { name: J, id: 0 } }] }", "the id 0"),
    ("  - { name: B, parent: A, mass: 1, elements: [{ IMU: { name: I } }, { Camera: { name: I } }] }", "the name 'I'"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "remark"), REMARKS, ids=[remark[:30] for _, remark in REMARKS])
def test_remarks_and_strict(tmp_path, line, remark):
    text = "links:\n" + BASE + line + "\n"
    with pytest.warns(robot.ModelWarning) as warned:
        model = load_text(tmp_path, text)
    (reported,) = model.findings
    assert [str(warning.message) for warning in warned] == [reported]
    assert remark in reported and reported.startswith(str(tmp_path / "model.body") + ":")
    assert warned[0].filename.endswith("models.py"), "the warning is of the line that loads"
    with pytest.raises(robot.ModelError, match="strict=True"):
        load_text(tmp_path, text, strict=True)


def test_what_remarks_do(tmp_path):
    text = "links:\n" + BASE + REMARKS[0][0] + "\n" + REMARKS[1][0].replace("B", "C") + "\n"
    with pytest.warns(robot.ModelWarning):
        model = load_text(tmp_path, text)
    assert np.allclose(model.joints["B"].axis, (0, 0.6, 0.8))
    assert np.allclose(model.links["C"].inertia[0], (1, 0.05, 0))


def test_missing_meshes_are_named():
    with pytest.raises(
        robot.ModelError, match=r"JACO2.body:51: there is no file 'parts/BASE_LOWER.stl' \(looked for /"
    ):
        robot.load_robot(MODELS / "JACO2/JACO2.body")


def test_damaged_meshes_are_named(tmp_path):
    (tmp_path / "bad.stl").write_bytes(b"solid nothing\n")
    with pytest.raises(robot.ModelError, match=r"bad.stl: .*"):
        load_text(tmp_path, "links:\n  - { name: A, elements: { Resource: { uri: bad.stl } } }\n")


WRL = "#VRML V2.0 utf8\n"
WRL_ERRORS = [
    ("Group { children [ }", 2, "this is not VRML97: '}' is out of place"),
    ("Group { children [ USE A ] }", 2, "USE A has no DEF A before it"),
    ("DEF A Group { children [ USE A ] }", 2, "USE A is within DEF A, without end"),
    ("Shape { geometry Sphere { radius -1 } }", 2, "radius must be greater than 0"),
    ("Shape {\n geometry Sphere { radius 1e } }", 3, "'1e' is not a number"),
    ("Group { children IS x }", 2, "IS x is not within a PROTO"),
    ("Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0] } coordIndex [0 1 2] } }", 2, "name the vertex 2"),
    ("Humanoid { humanoidBody [ ] }", 2, "humanoidBody must be one Joint, not 0 nodes"),
    ('Humanoid { humanoidBody DEF J Joint { jointType "slip" } }', 2, "unknown joint type 'slip'"),
    ("Humanoid { humanoidBody DEF J Joint { children Transform { scale 2 2 2 children DEF K Joint { } } } }", 2, "within a Tr"),
    ("Humanoid { humanoidBody DEF J Joint { } } Humanoid { }", 2, "this is a second one"),
    ("Group { children [", 2, "is out of place"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), WRL_ERRORS, ids=[reason[:30] for _, _, reason in WRL_ERRORS])
def test_errors_of_wrl_files(tmp_path, text, line, reason):
    path = tmp_path / "model.wrl"
    path.write_text(WRL + text)
    with pytest.raises(robot.ModelError, match=rf"model\.wrl:{line}: .*{reason}"):
        robot.load_robot(path)


def test_prototypes(tmp_path):
    path = tmp_path / "model.wrl"
    path.write_text(
        WRL
        + "PROTO Ball [ field SFFloat r 2 field MFNode more [ ] ] {\n"
        + "  Transform { children [ Shape { geometry Sphere { radius IS r } } Group { children IS more } ] } }\n"
        + "Ball { } Ball { r 3 more Shape { geometry Box { } } } Ball { size 4 }\n"
        + "PROTO Loop [ ] { Loop { } } Loop { }\n"
    )
    with pytest.warns(robot.ModelWarning) as warned:
        model = robot.load_robot(path)
    assert [shape.geometry for shape in model.root.visual] == [
        robot.Sphere(2.0), robot.Sphere(3.0), robot.Box((2.0, 2.0, 2.0)), robot.Sphere(2.0),
    ]  # fmt: skip
    reported = [str(w.message).split(": ", 1)[1] for w in warned]
    assert reported == ["'size' is not in the interface of PROTO Ball", "unknown node 'Loop' is skipped"]


def test_surfaces_of_vrml(tmp_path):
    path = tmp_path / "model.wrl"
    path.write_text(
        WRL + 'DEF Robot Humanoid { humanoidBody DEF W Joint { jointType "free" children DEF S Segment { mass 1\n'
        "momentsOfInertia [1 0 0 0 1 0 0 0 1] children Surface {\n"
        "  visual [ Shape { geometry Sphere { radius 1 } } ] collision Shape { geometry Box { } } } } } }\n"
    )
    root = robot.load_robot(path, strict=True).root
    assert root.visual[0].geometry == robot.Sphere(1.0) and root.collision[0].geometry == robot.Box((2.0, 2.0, 2.0))


URDF_ERRORS = [
    ("<robot><link/></robot>", 1, "<link> must have the attribute 'name'"),
    ("<robot>\n<joint name='j' type='fixed'><parent link='a'/></joint></robot>", 2, "the parent 'a' of the joint j is no link"),
    ("<robot><link name='a'/>\n<joint name='j' type='planar'/></robot>", 2, "the joint j has the unknown type 'planar'"),
    ("<sdf/>", 1, "its root is <sdf>, not <robot>"),
    ("<robot>", 1, "this is not XML: no element found"),
    ("<robot><link name='a'>\n<inertial><mass value='x'/></inertial></link></robot>", 2, "value of <mass> must be a number"),
    ("<robot><link name='a'><visual/></link></robot>", 1, "<visual> must have a <geometry>"),
    ("<robot><link name='a'><visual><geometry><box size='1 2'/></geometry></visual></link></robot>", 1, "3 finite numbers"),
    (
        "<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
        "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
        2,
        "the link b already has the joint 'j'",
    ),
    ("<!DOCTYPE robot [<!ENTITY a 'b'>]>\n<robot>&a;</robot>", 1, "a document type declaration .* is refused"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), URDF_ERRORS, ids=[reason[:30] for _, _, reason in URDF_ERRORS])
def test_errors_of_urdf_files(tmp_path, text, line, reason):
    path = tmp_path / "model.urdf"
    path.write_text(text)
    with pytest.raises(robot.ModelError, match=rf"model\.urdf:{line}: .*{reason}"):
        robot.load_robot(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no model file"):
        robot.load_robot(tmp_path / "none.body")
    for load, noun in ((robot.load_project, "project"), (robot.load_motion, "motion file")):
        (tmp_path / "walk.seq").touch()
        with pytest.raises(FileNotFoundError, match=rf"there is no {noun} .*; did you mean 'walk.seq'"):
            load(tmp_path / "wlak.seq")
        with pytest.raises(IsADirectoryError, match=rf"is a folder, not a {noun}"):
            load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"there is no file of materials .*: there is no folder"):
        robot.load_materials(tmp_path / "none" / "materials.yaml")
    path = body_file(tmp_path, "", "model.mjcf")
    with pytest.raises(robot.ModelError, match=r"model.mjcf is of no known kind of model file; known are \.body"):
        robot.load_robot(path)
    path = tmp_path / "latin.body"
    path.write_bytes(b"format: ChoreonoidBody\nname: caf\xe9\n")
    with pytest.raises(robot.ModelError, match=r"latin.body:2: the file is not UTF-8 text"):
        robot.load_robot(path)


@pytest.mark.parametrize(
    ("package", "file"),
    [("yaml", "misc/box.body"), ("lark", "legacy/box1.wrl"), ("trimesh", "JACO2/parts/FINGER_TIP.stl")],
)
def test_a_missing_package_is_named(monkeypatch, package, file):
    import sys

    from opendynamics.robot.reading.vrml import _parser

    _parser.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=r"pip install 'opendynamics\[robot\]'"):
        robot.load_robot(MODELS / file)


@pytest.mark.parametrize(
    ("name", "text", "answer"),
    [
        ("ant.xml", "<mujoco><worldbody/></mujoco>", "its root is <mujoco>, not <robot>; MJCF is not read: convert it"),
        ("arm.xml", "<sdf version='1.9'/>", "SDF is not read: convert it to URDF"),
        (
            "arm.urdf",
            "<robot name='a' xmlns:xacro='x'>\n<xacro:property name='m' value='2'/></robot>",
            "arm.urdf:2: <property> is of xacro",
        ),
        ("arm.urdf.xacro", "<robot name='a'/>", r"expand it to URDF first: xacro robot.urdf.xacro > robot.urdf"),
        ("arm.sdf", "<sdf/>", "of no known kind of model file; .*; convert it to URDF"),
    ],
)
def test_files_of_other_simulators(tmp_path, name, text, answer):
    (tmp_path / name).write_text(text)
    with pytest.raises(robot.ModelError, match=answer):
        robot.load_robot(tmp_path / name)
