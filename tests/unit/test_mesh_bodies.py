"""Bodies from meshes by convex decomposition."""

import sys

import numpy as np
import pytest

import opendynamics as od


def bracket():
    """A solid L, extruded along y: an upright and a foot, each 0.1 m thick; its volume is 0.019 m³."""
    outline = np.array([(0, 0), (1, 0), (1, 0.1), (0.1, 0.1), (0.1, 1), (0, 1)])
    front = np.column_stack([outline[:, 0], np.zeros(6), outline[:, 1]])
    vertices = np.vstack([front, front + np.array((0, 0.1, 0))])
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    triangles = [*faces, *((6 + c, 6 + b, 6 + a) for a, b, c in faces)]
    for k in range(6):
        n = (k + 1) % 6
        triangles += [(k, 6 + k, 6 + n), (k, 6 + n, n)]
    return vertices, np.array(triangles)


def test_parts_fill_the_mesh_and_leave_its_hollow_free():
    pytest.importorskip("coacd")
    parts = od.convex_parts(*bracket())
    assert len(parts) >= 2 and all(isinstance(part, od.Convex) for part in parts)
    assert len(od.convex_parts(*bracket(), max_parts=1)) == 1
    world = od.World()
    volume = sum(world.add_body(part, density=1.0).mass for part in parts)
    assert volume == pytest.approx(0.019, rel=0.15)  # one hull around all has 0.0595 m³
    hits = world.space.cast_rays([(0.5, 0.05, 2.0)], [(0, 0, -1)])
    assert hits.distance[0] == pytest.approx(1.9, abs=0.03)  # down to the foot, past the hollow


def test_a_body_of_parts_has_the_mass_of_the_mesh_and_stands():
    pytest.importorskip("coacd")
    vertices, triangles = bracket()
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    body = world.add_mesh_body(vertices, triangles, position=(0, 0, 0.01), density=1000, name="bracket")
    assert body.mass == pytest.approx(19.0, rel=1e-9)
    # Centre of mass of the two bars: (0.01 x 0.5 + 0.009 x 0.05) / 0.019 along x, the same along z with the bars swapped.
    center = (0.0045 + 0.00045 + 0.0005, 0.00095, 0.0005 + 0.00495)
    np.testing.assert_allclose(body.position - (0, 0, 0.01), np.array(center) / 0.019, rtol=1e-6)
    world.advance(0.005, steps=400)
    assert np.linalg.norm(body.linear_velocity) < 0.02
    ball = world.add_body(od.Sphere(0.1), position=(0.5, 0.05, 0.6), mass=0.2)  # into the hollow, on the foot
    ball.linear_velocity = (0, 0, -0.5)
    world.advance(0.005, steps=60)
    assert ball.position[2] < 0.35


def test_the_mesh_itself_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "coacd", None)
    vertices, triangles = bracket()
    world = od.World()
    with pytest.raises(ImportError, match="pip install 'opendynamics\\[mesh\\]'"):
        world.add_mesh_body(vertices, triangles)
    assert not world.bodies
    body = world.add_mesh_body(vertices, triangles, convex_decomposition=False, mass=3.0)
    assert body.mass == pytest.approx(3.0) and body.geoms[0].shape == "trimesh"


def test_wrong_thresholds_are_refused():
    with pytest.raises(ValueError, match=r"between 0\.01 and 1, not 3"):
        od.convex_parts(*bracket(), threshold=3)
