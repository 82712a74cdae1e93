"""Common idioms of C programs, right and wrong: single contacts, null outputs, invalid callbacks."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


def touching_balls():
    one, other = ode.dCreateSphere(0, 1.0), ode.dCreateSphere(0, 1.0)
    ode.dGeomSetPosition(other, 1.5, 0, 0)
    return one, other


@pytest.mark.parametrize("kind", [ode.dContact, ode.dContactGeom])
def test_a_single_contact_may_stand_for_an_array_of_one(kind):
    """`dContactGeom c; dCollide(a, b, 1, &c, sizeof c)`"""
    contact = kind()
    assert ode.dCollide(*touching_balls(), 1, contact, 0) == 1
    point = contact.geom if kind is ode.dContact else contact
    assert point.depth == pytest.approx(0.5)
    with pytest.raises(ValueError, match="argument 4 of dCollide must be a list of 2"):
        ode.dCollide(*touching_balls(), 2, contact, 0)


def flat_mesh():
    data = ode.dGeomTriMeshDataCreate()
    corners = np.array([(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)], float)
    ode.dGeomTriMeshDataBuildDouble(data, corners, 24, 4, np.array([0, 1, 2, 0, 2, 3], np.int32), 6, 12)
    return ode.dCreateTriMesh(0, data, None, None, None)


def test_outputs_that_are_not_wanted_may_be_null():
    corner = ode.dVector3()
    ode.dGeomTriMeshGetTriangle(flat_mesh(), 1, None, corner, 0)
    close(corner[:3], (5, 5, 0))
    space, most = ode.dHashSpaceCreate(0), np.zeros(1, np.int64)
    ode.dHashSpaceSetLevels(space, -2, 6)
    ode.dHashSpaceGetLevels(space, None, most)
    assert most[0] == 6
    with pytest.raises(TypeError, match="argument 2 of dGeomBoxGetLengths is an output"):  # C writes there and crashes
        ode.dGeomBoxGetLengths(ode.dCreateBox(0, 1, 1, 1), None)


def test_what_is_no_function_is_refused_as_a_callback_before_it_is_called():
    mesh = flat_mesh()
    setters = (
        *(getattr(ode, f"dGeomTriMeshSet{kind}Callback") for kind in ("", "Array", "Ray", "TriMerge")),
        *(lambda _, handler, name=name: getattr(ode, name)(handler) for name in HANDLERS),
    )
    for setter in setters:
        with pytest.raises(TypeError, match="must be a function, or None or 0 for none, not 'near'"):
            setter(mesh, "near")
        setter(mesh, print)
        setter(mesh, 0)
    for kind in ("", "Array", "Ray", "TriMerge"):
        assert getattr(ode, f"dGeomTriMeshGet{kind}Callback")(mesh) is None
    assert ode.dGetErrorHandler() is ode.dGetDebugHandler() is ode.dGetMessageHandler() is None


HANDLERS = ("dSetErrorHandler", "dSetDebugHandler", "dSetMessageHandler")


def test_structures_of_another_kind_are_named():
    with pytest.raises(TypeError, match="must be described by a dGeomClass, not None"):
        ode.dCreateGeomClass(None)
    with pytest.raises(TypeError, match="the report goes to a text file"):
        ode.dTimerReport("report.txt", 0)
