"""A geom transform with an offset of zero had no offset for dGeomIsOffset, where ODE asks whether one was set."""

from opendynamics.c_api import (
    dBodyCreate,
    dCreateGeomTransform,
    dCreateSphere,
    dGeomClearOffset,
    dGeomIsOffset,
    dGeomSetBody,
    dGeomSetOffsetPosition,
    dGeomSetOffsetQuaternion,
    dGeomTransformSetGeom,
    dWorldCreate,
)


def test_an_offset_of_zero_is_an_offset():
    transform, world = dCreateGeomTransform(0), dWorldCreate()
    dGeomSetBody(transform, dBodyCreate(world))
    assert not dGeomIsOffset(transform)
    dGeomSetOffsetQuaternion(transform, (1.0, 0.0, 0.0, 0.0))
    assert dGeomIsOffset(transform)
    dGeomTransformSetGeom(transform, dCreateSphere(0, 1))
    assert dGeomIsOffset(transform)
    dGeomClearOffset(transform)
    assert not dGeomIsOffset(transform)
    dGeomSetOffsetPosition(transform, 0, 0, 0)
    assert dGeomIsOffset(transform)
    dGeomSetBody(transform, dBodyCreate(world))
    assert not dGeomIsOffset(transform)
