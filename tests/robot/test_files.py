"""Files are data: nothing outside the roots is read, memory is bounded, cycles end."""

import numpy as np
import pytest

from opendynamics import robot
from tests.robot.models import body_file, load_text

BOX = "links:\n  - { name: A, joint_type: free, mass: 1, elements: { Resource: { uri: '%s' } } }\n"
WRL = "#VRML V2.0 utf8\nShape { geometry Sphere { } }\n"


@pytest.fixture
def outside(tmp_path):
    """A file that must not be read, next to the folder of the model."""
    (tmp_path / "secret.wrl").write_text(WRL)
    folder = tmp_path / "model"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    "uri", ["../secret.wrl", "{0}/secret.wrl", "file://{0}/secret.wrl", "x/../../secret.wrl", "..\\secret.wrl"]
)
def test_paths_that_lead_outside_are_refused(outside, uri):
    text = BOX % uri.format(outside.parent)
    with pytest.raises(robot.ModelError, match=r"model.body:5: .* outside the folders that may be read .* pass roots="):
        load_text(outside, text)
    assert robot.load_robot(body_file(outside, text), roots=[outside.parent]).root.visual


def test_links_that_lead_outside_are_refused(outside):
    (outside / "inside.wrl").symlink_to(outside.parent / "secret.wrl")
    with pytest.raises(robot.ModelError, match="outside the folders"):
        load_text(outside, BOX % "inside.wrl")


def test_variables_and_packages(outside):
    share = outside.parent
    for uri, options in (
        ("${SHARE}/secret.wrl", {"variables": {"SHARE": share}}),
        ("package://robots/secret.wrl", {"packages": {"robots": share}}),
    ):
        assert load_text(outside, BOX % uri, **options).root.visual
        with pytest.raises(robot.ModelError, match=r"(SHARE|robots).* is unknown; pass (variables|packages)="):
            load_text(outside, BOX % uri)
    with pytest.raises(robot.ModelError, match="outside the folders"):
        load_text(outside, BOX % "package://robots/../../../etc/passwd", packages={"robots": share})
    with pytest.raises(robot.ModelError, match="files are not read from http://"):
        load_text(outside, BOX % "http://example.org/a.wrl")


def test_files_that_name_each_other(tmp_path):
    body_file(tmp_path, "links:\n  - { name: B }\n  - { type: SubBody, uri: model.body, parent: B }\n", "other.body")
    text = "links:\n  - { name: A }\n  - { type: SubBody, uri: other.body, parent: A }\n"
    with pytest.raises(robot.ModelError, match=r"other.body:6: .* in a circle: model.body -> other.body -> model.body"):
        load_text(tmp_path, text)
    (tmp_path / "a.wrl").write_text('#VRML V2.0 utf8\nInline { url "a.wrl" }\n')
    with pytest.raises(robot.ModelError, match=r"a.wrl:2: files name each other in a circle"):
        robot.load_robot(tmp_path / "a.wrl")


def test_aliases_that_grow(tmp_path):
    """Each line has the one before it twice: a billion nodes in a kilobyte."""
    lines = ["links:", "  - name: A", "    elements:", "      - &a0 { type: Group, elements: [] }"]
    lines += [f"      - &a{k} {{ type: Group, elements: [*a{k - 1}, *a{k - 1}] }}" for k in range(1, 30)]
    with pytest.raises(robot.ModelError, match="more than 20000 nodes"):
        load_text(tmp_path, "\n".join(lines), limits=robot.Limits(nodes=20_000))


def test_definitions_and_prototypes_that_grow(tmp_path):
    limits = robot.Limits(nodes=20_000)
    uses = "#VRML V2.0 utf8\nDEF A0 Group { }\n"
    uses += "".join(f"DEF A{k} Group {{ children [ USE A{k - 1} USE A{k - 1} ] }}\n" for k in range(1, 30))
    protos = "#VRML V2.0 utf8\nPROTO P0 [ ] { Group { } }\n"
    protos += "".join(
        f"PROTO P{k} [ ] {{ Group {{ children [ P{k - 1} {{ }} P{k - 1} {{ }} ] }} }}\n" for k in range(1, 30)
    )
    for text in (uses, protos + "P29 { }"):
        (tmp_path / "a.wrl").write_text(text)
        with pytest.raises(robot.ModelError, match="more than 20000 nodes"):
            robot.load_robot(tmp_path / "a.wrl", limits=limits)


@pytest.mark.parametrize(
    ("name", "opening"),
    [("a.body", "["), ("a.body", "{a: "), ("a.wrl", "Group { children [ "), ("a.wrl", "A { b [ [ "), ("a.urdf", "<a>")],
)
@pytest.mark.parametrize("depth", [150, 20_000])
def test_depth_is_bounded(tmp_path, name, opening, depth):
    heads = {"a.body": "format: ChoreonoidBody\nlinks: ", "a.wrl": "#VRML V2.0 utf8\n", "a.urdf": ""}
    closing = {"[": "]", "{a: ": "}", "<a>": "</a>", "A { b [ [ ": " ] ] }"}.get(opening, " ] }")
    (tmp_path / name).write_text(heads[name] + opening * depth + closing * depth)
    with pytest.raises(robot.ModelError, match=r"nested|out of place|not YAML"):
        robot.load_robot(tmp_path / name)


def test_sizes_are_bounded(tmp_path):
    load = lambda **limits: load_text(tmp_path, BOX % "a.wrl", limits=robot.Limits(**limits))  # noqa: E731
    (tmp_path / "a.wrl").write_text("#VRML V2.0 utf8\n" + "# " + "x" * 5000 + "\nShape { geometry Extrusion { } }\n")
    assert load().root.visual
    for limits, reason in (
        ({"file_bytes": 4000}, "has more than 4000 bytes"),
        ({"total_bytes": 5100}, "all files together have more than 5100 bytes"),
        ({"files": 1}, "more than 1 files are named"),
        ({"vertices": 3}, "meshes have more than 3 vertices"),
        ({"nodes": 2}, "more than 2 nodes"),
    ):
        with pytest.raises(robot.ModelError, match=reason):
            load(**limits)


def test_a_dae_file_with_entities(tmp_path):
    (tmp_path / "a.dae").write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<c>&x;</c>'
    )
    with pytest.raises(robot.ModelError, match=r"a.dae:2: a document type declaration"):
        load_text(tmp_path, BOX % "a.dae")


def test_an_obj_file_reads_no_material_file(tmp_path):
    (tmp_path / "a.mtl").mkdir()  # opening it would be an error
    (tmp_path / "a.obj").write_text("mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (shape,) = load_text(tmp_path, BOX % "a.obj").root.visual
    assert len(shape.geometry.triangles) == 1


def test_packages_are_found_by_the_names_of_folders_that_may_be_read(tmp_path):
    package = tmp_path / "arm_description"
    for folder in (package / "urdf" / "inner", package / "meshes"):
        folder.mkdir(parents=True)
    (package / "meshes" / "part.wrl").write_text(WRL)
    (package / "urdf" / "inner" / "part.wrl").write_text(WRL)
    uri = "package://arm_description/meshes/part.wrl"
    for roots in ([package], [tmp_path]):
        assert load_text(package / "urdf", BOX % uri, roots=roots).root.visual
    with pytest.raises(robot.ModelError, match=f"is unknown; pass packages={{'arm_description': '{package}'}}"):
        load_text(package / "urdf", BOX % uri)  # nothing above the file is read without permission
    assert load_text(package / "urdf", BOX % "package://inner/part.wrl").root.visual
    for name in ("..", ".", ""):
        with pytest.raises(robot.ModelError, match="is unknown; pass packages="):
            load_text(package / "urdf", BOX % f"package://{name}/meshes/part.wrl")
    with pytest.raises(robot.ModelError, match="outside the folders"):
        load_text(package / "urdf", BOX % "package://inner/../../meshes/part.wrl")


def test_meshes_of_urdf_files_are_looked_for_beside_the_file(tmp_path):
    pytest.importorskip("trimesh")
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    link = "<link name='a'><visual><geometry><mesh filename='{}' scale='2 1 1'/></geometry></visual></link>"
    text = f"<robot name='r'>{link}</robot>"
    for name in ("meshes/part.obj", "package://r/meshes/part.obj"):
        (tmp_path / "model.urdf").write_text(text.format(name))
        (shape,) = robot.load_robot(tmp_path / "model.urdf", packages={"r": tmp_path}).root.visual
        corners = shape.geometry.vertices @ shape.transform[:3, :3].T
        assert np.allclose(corners.max(axis=0), (2, 1, 1))
