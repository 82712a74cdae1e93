"""Data of C's meshes and heightfields kept every geom that was ever made of it, destroyed or released."""

import gc
import weakref

import numpy as np
import pytest

import opendynamics.c_api as c
from opendynamics import pyode

POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
TRIANGLES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def mesh_data(height=1.0):
    data = c.dGeomTriMeshDataCreate()
    c.dGeomTriMeshDataBuildSimple(data, np.multiply(POINTS, height), 4, np.array(TRIANGLES), 12)
    return data, lambda: c.dCreateTriMesh(None, data, None, None, None)


def field_data():
    data = c.dGeomHeightfieldDataCreate()
    c.dGeomHeightfieldDataBuildDouble(data, np.zeros(9), 1, 1, 1, 3, 3, 1, 0, 1, 0)
    return data, lambda: c.dCreateHeightfield(None, data, 1)


@pytest.mark.parametrize("make_data", [mesh_data, field_data])
def test_released_geoms_end(make_data):
    data, create = make_data()
    kept, released = create(), weakref.ref(create())
    for _ in range(3):
        c.dGeomDestroy(create())
    gc.collect()
    assert released() is None and list(data.geoms) == [kept]


def test_meshes_of_pyode_end():
    data = pyode.TriMeshData()
    data.build(POINTS, TRIANGLES)
    for _ in range(3):
        pyode.GeomTriMesh(data)
    pyode.SimpleSpace().getNumGeoms()  # destroys what was released
    gc.collect()
    assert len(data._ode_id.geoms) == 0


def test_geoms_follow_data_that_is_rebuilt_and_no_other():
    data, create = mesh_data()
    other, create_other = mesh_data(3.0)
    geom, moved = create(), create_other()
    c.dGeomTriMeshSetData(moved, data)
    c.dGeomTriMeshDataBuildSimple(data, np.multiply(POINTS, 2.0), 4, np.array(TRIANGLES), 12)
    c.dGeomTriMeshDataBuildSimple(other, np.multiply(POINTS, 9.0), 4, np.array(TRIANGLES), 12)
    assert c.dGeomGetAABB(geom)[1] == c.dGeomGetAABB(moved)[1] == 2.0


@pytest.mark.parametrize("counts", [(4, -3), (-1, 3)])
def test_counts_below_zero(counts):
    data = c.dGeomTriMeshDataCreate()
    with pytest.raises(ValueError, match="must be at least 0"):
        c.dGeomTriMeshDataBuildSimple(data, np.array(POINTS, float), counts[0], np.array(TRIANGLES), counts[1])


def test_polygons_of_a_negative_number_of_vertices():
    with pytest.raises(ValueError, match="vertices of polygon 0 of a convex must be at least 3, not -100"):
        c.dCreateConvex(None, [0, 0, -1, 0] * 4, 4, np.ravel(POINTS), 4, [-100])
