"""Calls of geoms, spaces and collision, with PyODE's results."""

import math

import numpy as np
import pytest

from opendynamics import pyode as ode

near = pytest.approx


def placed_geom():
    geom = ode.GeomBox(lengths=(1, 2, 3))
    geom.setPosition((1, 2, 3))
    assert geom.getPosition() == (1.0, 2.0, 3.0)
    assert geom.getRotation() == [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    geom.setRotation((0, -1, 0, 1, 0, 0, 0, 0, 1))
    assert geom.getQuaternion() == near((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    geom.setQuaternion((2, 0, 0, 0))
    assert geom.getAABB() == near((0.5, 1.5, 1, 3, 1.5, 4.5))
    assert (geom.isEnabled(), geom.isSpace(), geom.placeable()) == (1, 0, True)
    geom.disable()
    assert geom.isEnabled() == 0
    geom.enable()
    assert geom.isEnabled() == 1
    assert geom.getCategoryBits() == geom.getCollideBits() == 2**64 - 1
    geom.setCategoryBits(2**32 - 1)
    geom.setCollideBits(1.5)
    assert (geom.getCategoryBits(), geom.getCollideBits()) == (2**32 - 1, 1)
    with pytest.raises(OverflowError):
        geom.setCategoryBits(-1)
    assert isinstance(geom._id(), int)
    assert geom._id() != ode.GeomBox()._id()


def geom_on_body():
    body, geom = ode.Body(ode.World()), ode.GeomSphere(radius=0.5)
    assert geom.getBody() is None
    geom.setBody(body)
    assert geom.getBody() is body
    body.setPosition((1, 0, 0))
    assert geom.setOffsetPosition((0, 0, 1)) is None
    assert (geom.getOffsetPosition(), geom.getPosition()) == ((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))
    geom.setOffsetRotation((0, -1, 0, 1, 0, 0, 0, 0, 1))
    assert geom.getOffsetRotation() == near([0, -1, 0, 1, 0, 0, 0, 0, 1])
    geom.setOffsetQuaternion((1, 0, 0, 0))
    assert geom.getOffsetRotation() == near([1, 0, 0, 0, 1, 0, 0, 0, 1])
    geom.clearOffset()
    assert geom.getPosition() == (1.0, 0.0, 0.0)
    geom.setBody(None)
    assert geom.getBody() is None
    with pytest.raises(ValueError, match="setBody"):
        geom.setOffsetPosition((0, 0, 1))


def geom_attributes():
    geom = ode.GeomSphere()
    geom.body, geom.name, geom.no_contact = 3, "ball", {1, 2}
    assert (geom.body, geom.name) == (3, "ball")
    assert geom.attribs == {"body": 3, "name": "ball", "no_contact": {1, 2}}
    geom.attribs = 5  # an attribute like any other, which is read from the dictionary only
    assert geom.attribs == {"body": 3, "name": "ball", "no_contact": {1, 2}, "attribs": 5}
    del geom.attribs
    geom.attribs["name"] = "bowl"
    assert geom.name == "bowl" and "attribs" not in geom.attribs
    with pytest.raises(AttributeError, match="geom has no attribute 'colour'"):
        _ = geom.colour
    assert geom.getBody() is None


def shapes():
    sphere = ode.GeomSphere(None, 2.0)
    sphere.setRadius(1.0)
    assert (sphere.getRadius(), sphere.pointDepth((0, 0, 0.25))) == (1.0, 0.75)
    box = ode.GeomBox()
    box.setLengths((1, 2, 3))
    assert (box.getLengths(), box.pointDepth((0, 0, 1))) == ((1.0, 2.0, 3.0), near(0.5))
    plane = ode.GeomPlane(None, (0, 0, 2), 4)
    assert plane.getParams() == ((0.0, 0.0, 1.0), 2.0)
    plane.setParams((0, 1, 0), 1)
    assert (plane.getParams(), plane.pointDepth((5, 0, 5))) == (((0.0, 1.0, 0.0), 1.0), 1.0)
    assert (plane.placeable(), plane.getBody()) == (False, None)
    capsule = ode.GeomCCylinder(None, 0.3, 2.0)
    assert ode.GeomCCylinder is ode.GeomCapsule
    assert (capsule.getParams(), ode.GeomCapsule().getParams()) == ((0.3, 2.0), (0.5, 1.0))
    capsule.setParams(0.5, 1.0)
    assert (capsule.getParams(), capsule.pointDepth((0, 0, 0.75))) == ((0.5, 1.0), near(0.25))
    cylinder = ode.GeomCylinder(None, 0.3, 2.0)
    cylinder.setParams(radius=0.4, length=1.0)
    assert cylinder.getParams() == (0.4, 1.0)


def non_placeable():
    for geom in (ode.GeomPlane(), ode.SimpleSpace()):
        for name, arguments in {
            "setBody": (None,),
            "setPosition": ((0, 0, 0),),
            "getPosition": (),
            "setRotation": ((1, 0, 0, 0, 1, 0, 0, 0, 1),),
            "getRotation": (),
            "setQuaternion": ((1, 0, 0, 0),),
            "getQuaternion": (),
            "setOffsetPosition": ((0, 0, 0),),
            "setOffsetRotation": ((1, 0, 0, 0, 1, 0, 0, 0, 1),),
            "setOffsetQuaternion": ((1, 0, 0, 0),),
            "getOffsetPosition": (),
            "getOffsetRotation": (),
            "clearOffset": (),
        }.items():
            with pytest.raises(ValueError, match="placeable"):
                getattr(geom, name)(*arguments)


def ray():
    line, floor = ode.GeomRay(rlen=5.0), ode.GeomPlane()
    line.setLength(10)
    line.set((0, 0, 5), (0, 0, -3))
    assert (line.getLength(), line.get(), line.placeable()) == (10.0, ((0.0, 0.0, 5.0), (0.0, 0.0, -1.0)), True)
    (contact,) = ode.collide(line, floor)
    assert contact.getContactGeomParams() == (near((0, 0, 0)), near((0, 0, 1)), near(5), line, floor)
    space = ode.HashSpace()
    space.add(floor)
    (contact,) = ode.collide(line, space)
    assert contact.getContactGeomParams()[3] is line


def transform():
    space, body = ode.SimpleSpace(), ode.Body(ode.World())
    outer, inner = ode.GeomTransform(space), ode.GeomSphere(None, 0.5)
    inner.setPosition((0, 0, 1))
    assert (outer.getGeom(), outer.getInfo(), outer.placeable()) == (None, 0, True)
    assert outer.setGeom(inner) is None
    assert outer.getGeom() is inner
    outer.setBody(body)
    body.setPosition((0, 0, -1.25))
    floor = ode.GeomPlane()
    (contact,) = ode.collide(outer, floor)
    assert contact.getContactGeomParams()[2:] == (near(0.75), inner, floor)
    outer.setInfo(1)
    assert outer.getInfo() == 1
    assert ode.collide(outer, floor)[0].getContactGeomParams()[3] is outer
    with pytest.raises(ValueError, match="Must be either 0 or 1"):
        outer.setInfo(2)
    with pytest.raises(TypeError):
        outer.setGeom(None)
    with pytest.raises(ValueError, match="placeable"):
        outer.setGeom(floor)
    with pytest.raises(ValueError, match="space"):
        outer.setGeom(ode.GeomSphere(space))
    held = ode.GeomSphere()
    held.setBody(body)
    with pytest.raises(ValueError, match="body"):
        outer.setGeom(held)


def trimesh():
    data = ode.TriMeshData()
    assert data.build(np.array([(0, 0, 0), (4, 0, 0), (0, 4, 0)]), [(0, 1, 2)]) is None
    with pytest.raises(ValueError, match="Vertex index out of range"):
        data.build([(0, 0, 0)], [(0, 1, 2)])
    mesh = ode.GeomTriMesh(data)
    mesh.setPosition((0, 0, 1))
    assert (mesh.getTriangleCount(), mesh.placeable()) == (1, True)
    assert mesh.getTriangle(0) == ((0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (0.0, 4.0, 1.0))
    ball = ode.GeomSphere(None, 0.5)
    ball.setPosition((1, 1, 1.4))
    (contact,) = ode.collide(ball, mesh)
    assert contact.getContactGeomParams()[1:] == (near((0, 0, 1)), near(0.1), ball, mesh)
    assert mesh.clearTCCache() is None
    assert len(ode.collide(ball, mesh)) == 1


def heightfields():
    heights = [0, 1, 2, 3]
    buffers = {
        "buildByte": bytes(heights),
        "buildShort": np.array(heights, np.int16),
        "buildSingle": np.array(heights, np.float32),
        "buildDouble": np.array(heights, np.float64).tobytes(),
    }
    how = 2.0, 2.0, 2, 2, 1.0, 0.0, 1.0, 0
    line = ode.GeomRay(None, 10.0)
    line.set((0.5, 5, 0.5), (0, -1, 0))

    def sample(data, x, z):
        assert data == "user data"
        return x + 2 * z

    depths = []
    for name, buffer in buffers.items():
        data = ode.HeightfieldData()
        assert getattr(data, name)(buffer, True, *how) is None
        field = ode.GeomHeightfield(data)
        depths.append(ode.collide(line, field)[0].getContactGeomParams()[2])
    data = ode.HeightfieldData()
    data.build_callback("user data", sample, *how)
    field = ode.GeomHeightfield(data, placeable=False)
    depths.append(ode.collide(line, field)[0].getContactGeomParams()[2])
    assert depths == near([2.75] * 5)
    assert (field.placeable(), ode.GeomHeightfield(data).placeable()) == (False, True)
    space = ode.SimpleSpace()
    assert ode.GeomHeightfield(data, space).getSpace() is space  # the older order of the arguments
    data.setBounds(-5.0, 5.0)
    other = ode.HeightfieldData()
    other.build_callback(None, lambda data, x, z: 1.0, *how)
    field.setHeightfieldData(other)
    assert ode.collide(line, field)[0].getContactGeomParams()[2] == near(4.0)


def space_members():
    space = ode.Space()
    assert isinstance(space, ode.SimpleSpace)
    assert isinstance(ode.Space(space_type=1), ode.HashSpace)
    assert isinstance(ode.Space(type=1), ode.HashSpace)
    with pytest.raises(ValueError, match="Unknown space type"):
        ode.Space(2)
    one, two = ode.GeomSphere(space, 1), ode.GeomBox()
    assert (one.getSpace(), two.getSpace()) == (space, None)
    space.add(two)
    assert two.getSpace() is None  # as in PyODE: only what the constructor was given
    assert (len(space), space.getNumGeoms(), space.query(one), space.query(ode.GeomBox())) == (2, 2, 1, 0)
    assert list(space) == [two, one]
    assert (space.getGeom(0), space.getGeom(1)) == (two, one)
    with pytest.raises(IndexError, match="out of range"):
        space.getGeom(5)
    members = iter(space)
    assert (next(members), members.next(), iter(members)) == (two, one, members)
    assert isinstance(members, ode._SpaceIterator)
    space.remove(two)
    assert (len(space), space.isSpace(), space.placeable(), space.getBody()) == (1, 1, False, None)
    del one, members
    assert len(space) == 0  # it was referred to no more
    assert space.clean() is None
    space.colour = "red"
    assert space.colour == "red"


def kinds_of_spaces():
    space = ode.HashSpace()
    assert space.getLevels() == (-3, 10)
    space.setLevels(-1, 4)
    assert space.getLevels() == (-1, 4)
    with pytest.raises(ValueError, match="minlevel"):
        space.setLevels(3, 1)
    inner = ode.QuadTreeSpace((0, 0, 0), (10, 10, 10), 3, space)
    assert (inner.getSpace(), space.query(inner)) == (space, 1)
    assert (inner.getCleanup(), inner.getManualCleanup(), inner.getSublevel()) == (1, 0, 0)
    inner.setCleanup(0)
    inner.setManualCleanup(1)
    inner.setSublevel(2)
    assert (inner.getCleanup(), inner.getManualCleanup(), inner.getSublevel()) == (0, 1, 2)
    sweep = ode.SAPSpace(sweep_order="XZY")
    ball = ode.GeomSphere(sweep, 1)
    assert sweep.getGeom(0) is ball
    with pytest.raises(ValueError, match="sweep order"):
        ode.SAPSpace(None, "XXX")
    assert isinstance(space._id(), int)


def collision():
    space, log = ode.SimpleSpace(), []
    floor, ball = ode.GeomPlane(space), ode.GeomSphere(space, 1.0)
    ball.setPosition((0, 0, 0.9))
    assert space.collide(("x", 1), lambda *pair: log.append(pair)) is None
    assert log == [(("x", 1), ball, floor)]
    (contact,) = ode.collide(ball, floor)
    assert contact.getContactGeomParams() == (near((0, 0, -0.1)), near((0, 0, 1)), near(0.1), ball, floor)
    assert (contact.getMode(), contact.getMu(), contact.getBounce()) == (4, math.inf, 0.1)
    assert ode.collide(floor, floor) == []
    log.clear()
    other = ode.GeomSphere(None, 5.0)
    assert ode.collide2(space, other, "arg", lambda *pair: log.append(pair)) is None
    assert [pair[0] for pair in log] == ["arg", "arg"]
    assert {geom for pair in log for geom in pair[1:]} == {floor, ball, other}
    outer, nested = ode.SimpleSpace(), []
    outer.add(space)
    outer.add(other)
    outer.collide(None, lambda arg, a, b: nested.append((a, b)))
    assert nested == [(other, space)]
    assert len(ode.collide(other, space)) == 2


def module():
    assert (ode.InitODE(), ode.CloseODE(), ode.environment) == (None, None, None)
    for kind in (ode.GeomObject, ode.SpaceBase, ode.Joint):
        with pytest.raises(NotImplementedError):
            kind()


CALLS = [
    *(placed_geom, geom_on_body, geom_attributes, shapes, non_placeable, ray, transform, trimesh, heightfields),
    *(space_members, kinds_of_spaces, collision, module),
]
