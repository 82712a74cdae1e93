"""Geometries of nodes as shapes and meshes: volumes, places and directions."""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from opendynamics.robot.reading.polygons import triangulated


def shapes(tmp_path, text):
    path = tmp_path / "scene.wrl"
    path.write_text("#VRML V2.0 utf8\n" + text)
    return robot.load_robot(path, strict=True).root.visual


def geometry(tmp_path, text):
    (shape,) = shapes(tmp_path, f"Shape {{ geometry {text} }}")
    return shape.geometry


def volume(mesh):
    return od.MeshData(mesh.vertices, mesh.triangles).volume


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (robot.Box((1.0, 2.0, 3.0)), 6.0),
        (robot.Sphere(0.5), math.pi / 6),
        (robot.Cylinder(0.5, 2.0), math.pi / 2),
        (robot.Capsule(0.5, 2.0), math.pi / 2 + math.pi / 6),
        (robot.Cone(0.5, 3.0), math.pi / 4),
    ],
)
def test_primitives_as_meshes(shape, expected):
    mesh = robot.triangles_of(shape, 200)
    data = od.MeshData(mesh.vertices, mesh.triangles)
    assert data.closed and data.volume == pytest.approx(expected, rel=1e-3)


def test_boxes_and_defaults(tmp_path):
    assert geometry(tmp_path, "Box { }") == robot.Box((2.0, 2.0, 2.0))
    assert geometry(tmp_path, "Sphere { }") == robot.Sphere(1.0)
    assert geometry(tmp_path, "Cylinder { side FALSE }") == robot.Cylinder(1.0, 2.0)
    assert geometry(tmp_path, "Cone { bottomRadius 0.5 }") == robot.Cone(0.5, 2.0)


def test_face_sets(tmp_path):
    cube = "coord Coordinate { point [0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 1, 1 0 1, 1 1 1, 0 1 1] }"
    faces = "coordIndex [3 2 1 0 -1 4 5 6 7 -1 0 1 5 4 -1 1 2 6 5 -1 2 3 7 6 -1 3 0 4 7]"
    mesh = geometry(tmp_path, f"IndexedFaceSet {{ {cube} {faces} }}")
    assert len(mesh.triangles) == 12 and volume(mesh) == pytest.approx(1.0)
    inside_out = geometry(tmp_path, f"IndexedFaceSet {{ ccw FALSE {cube} {faces} }}")
    assert np.array_equal(np.sort(inside_out.triangles), np.sort(mesh.triangles))
    with pytest.raises(ValueError, match="look outward"):
        volume(inside_out)


@pytest.mark.parametrize("number", ["1.5", "1e12"])
def test_numbers_of_vertices_are_whole_and_not_huge(tmp_path, number):
    corners = "coord Coordinate { point [0 0 0, 1 0 0, 1 1 0] }"
    with pytest.raises(robot.ModelError, match="faces must be whole numbers"):
        geometry(tmp_path, f"IndexedFaceSet {{ {corners} coordIndex [0 {number} 2] }}")


def test_a_prism_by_extrusion(tmp_path):
    mesh = geometry(tmp_path, "Extrusion { crossSection [1 0, 0 1, -1 0, 0 -1, 1 0] spine [0 0 0, 0 2 0, 0 5 0] }")
    assert volume(mesh) == pytest.approx(10.0)
    assert np.allclose(mesh.vertices.min(axis=0), (-1, 0, -1)) and np.allclose(mesh.vertices.max(axis=0), (1, 5, 1))


def test_an_extrusion_along_x_turns_the_section(tmp_path):
    mesh = geometry(
        tmp_path, "Extrusion { crossSection [1 0, 0 1, -1 0, 0 -1, 1 0] spine [0 0 0, 3 0 0] scale [1 1, 2 2] }"
    )
    # A pyramid's frustum: h/3 (A + sqrt(A B) + B).
    assert volume(mesh) == pytest.approx(3 / 3 * (2 + 4 + 8))
    assert np.allclose(mesh.vertices.max(axis=0), (3, 2, 2))


def test_an_extrusion_that_turns_on_its_way(tmp_path):
    section = "crossSection [2 1, -2 1, -2 -1, 2 -1, 2 1] spine [0 0 0, 0 1 0, 0 3 0]"
    half = "orientation [0 1 0 0, 0 1 0 0.7853981633974483, 0 2 0 1.5707963267948966]"
    vertices = geometry(tmp_path, f"Extrusion {{ {section} {half} }}").vertices
    for height, extent in ((0, (2, 1)), (1, (1.5 * math.sqrt(2), 1.5 * math.sqrt(2))), (3, (1, 2))):
        level = vertices[np.isclose(vertices[:, 1], height)]
        assert np.allclose(abs(level[:, ::2]).max(axis=0), extent)
    whole = geometry(tmp_path, f"Extrusion {{ {section} orientation [0 1 0 1.5707963267948966] }}").vertices
    assert np.allclose(abs(whole).max(axis=0), (1, 3, 2))


def test_an_extrusion_along_a_falling_spine_keeps_the_lengths_of_a_tilted_section(tmp_path):
    """A section that is tilted out of its plane has corners at other heights, too."""
    section = "crossSection [2 1, -2 1, -2 -1, 2 -1, 2 1] orientation [1 0 0 0.5]"
    falling = geometry(tmp_path, f"Extrusion {{ {section} spine [0 0 0, 0 -3 0] }}").vertices
    rising = geometry(tmp_path, f"Extrusion {{ {section} spine [0 0 0, 0 3 0] }}").vertices
    assert np.ptp(rising[:, 1]) == pytest.approx(3.0 + 2.0 * math.sin(0.5))
    assert np.allclose(np.ptp(falling, axis=0), np.ptp(rising, axis=0))


def test_an_extrusion_along_a_bent_spine_is_not_mirrored(tmp_path):
    """The section's x axis is y x z, z being square to the plane of the bend (VRML97, 6.18)."""
    section, spine = "crossSection [2 1, -1 1, -1 -1, 2 -1, 2 1]", "spine [0 0 0, 0 1 0, 1 2 0]"
    vertices = geometry(tmp_path, f"Extrusion {{ {section} {spine} }}").vertices
    first = vertices[np.isclose(vertices[:, 1], 0.0)]
    assert np.allclose((first[:, 0].min(), first[:, 0].max()), (-2, 1))


def test_an_extrusion_that_is_not_convex(tmp_path):
    mesh = geometry(tmp_path, "Extrusion { crossSection [0 0, 0 2, 1 1, 2 2, 2 0, 0 0] spine [0 0 0, 0 1 0] }")
    assert volume(mesh) == pytest.approx(3.0)


def test_a_torus_by_extrusion(tmp_path):
    angles = np.linspace(0, 2 * math.pi, 65)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    ring[-1] = ring[0]
    section = " ".join(f"{0.2 * x:.9g} {0.2 * z:.9g}" for x, z in ring)
    spine = " ".join(f"{x:.9g} {y:.9g} 0" for x, y in ring)
    mesh = geometry(tmp_path, f"Extrusion {{ crossSection [{section}] spine [{spine}] }}")
    assert volume(mesh) == pytest.approx(2 * math.pi**2 * 0.04, rel=5e-3)


def test_elevation_grids_look_up(tmp_path):
    mesh = geometry(
        tmp_path, "ElevationGrid { xDimension 2 zDimension 3 xSpacing 2 zSpacing 0.5 height [0 1 2 3 4 5] }"
    )
    assert np.allclose(mesh.vertices, [(0, 0, 0), (2, 1, 0), (0, 2, 0.5), (2, 3, 0.5), (0, 4, 1), (2, 5, 1)])
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 1] > 0).all() and len(mesh.triangles) == 4


@pytest.mark.parametrize("normal", [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, -2, 0.5), (-1, 0, 0)])
def test_polygons_are_cut_into_ears(normal):
    star = [
        (math.cos(a) * r, math.sin(a) * r, 0.0)
        for k in range(10)
        for a, r in [(k * math.pi / 5, 1.0 if k % 2 else 0.4)]
    ]
    points = np.array(star) @ od.rotation.from_z_axis(normal).T
    triangles = triangulated(points, [list(range(10))])
    a, b, c = (points[triangles[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a) @ np.array(od.api.checks.direction("n", normal)) / 2
    assert len(triangles) == 8 and (areas > 0).all()
    assert areas.sum() == pytest.approx(10 * 0.5 * 0.4 * math.sin(math.pi / 5))


def test_transforms_of_vrml(tmp_path):
    text = "Transform { center 1 0 0 rotation 0 0 1 1.5707963267948966 translation 0 0 1 scale 2 1 1 children %s }"
    (shape,) = shapes(tmp_path, text % "Shape { geometry Box { } }")
    # x is doubled about the centre, turned about it, and all is lifted.
    assert np.allclose(shape.transform @ (2, 0, 0, 1), (1, 2, 1, 1))
    (shape,) = shapes(
        tmp_path,
        "Transform { scale 2 1 1 scaleOrientation 0 0 1 1.5707963267948966 children Shape { geometry Box { } } }",
    )
    assert np.allclose(shape.transform[:3, :3], np.diag([1, 2, 1]))


def test_switch_and_lod(tmp_path):
    balls = "Shape { geometry Sphere { radius 1 } } Shape { geometry Sphere { radius 2 } }"
    assert [s.geometry.radius for s in shapes(tmp_path, f"Switch {{ whichChoice 1 choice [ {balls} ] }}")] == [2]
    assert not shapes(tmp_path, f"Switch {{ choice [ {balls} ] }}")
    assert [s.geometry.radius for s in shapes(tmp_path, f"LOD {{ range 5 level [ {balls} ] }}")] == [1]


def test_vrml_nodes_without_meaning_for_links(tmp_path):
    assert not shapes(tmp_path, 'NavigationInfo { } Fog { } Viewpoint { } PointLight { } WorldInfo { title "x" }')
