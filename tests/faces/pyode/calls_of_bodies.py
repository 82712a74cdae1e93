"""Calls of worlds, bodies, masses and contacts, with PyODE's results."""

import math

import pytest

from opendynamics import pyode as ode

near = pytest.approx


def world_settings():
    world = ode.World()
    world.setGravity([0, 0, -9.81, "ignored"])
    assert world.getGravity() == (0.0, 0.0, -9.81)
    assert (world.getERP(), world.getCFM(), world.getQuickStepNumIterations()) == (0.2, 1e-10, 20)
    assert (world.getContactSurfaceLayer(), world.getContactMaxCorrectingVel()) == (0.0, math.inf)
    for name, value in {
        "ERP": 0.3,
        "CFM": 1e-5,
        "QuickStepNumIterations": 30,
        "ContactMaxCorrectingVel": 2.0,
        "ContactSurfaceLayer": 0.001,
        "AutoDisableLinearThreshold": 0.02,
        "AutoDisableAngularThreshold": 0.03,
        "AutoDisableSteps": 7,
        "AutoDisableTime": 0.5,
        "LinearDamping": 0.01,
        "AngularDamping": 0.02,
    }.items():
        assert getattr(world, f"set{name}")(value) is None
        assert getattr(world, f"get{name}")() == value
    assert world.getAutoDisableFlag() == 0
    world.setAutoDisableFlag(True)
    assert (world.getAutoDisableFlag(), type(world.getAutoDisableFlag())) == (1, int)
    assert world.impulseToForce(0.01, (1, 2, 3)) == near((100, 200, 300))


def world_steps():
    world = ode.World()
    world.setGravity((0, 0, -10))
    body = ode.Body(world)
    assert world.step(0.1) is None
    assert body.getLinearVel() == near((0, 0, -1))
    assert world.quickStep(0.1) is None
    assert body.getPosition() == near((0, 0, -0.3))


def body_place():
    body = ode.Body(ode.World())
    assert body.getPosition() == (0.0, 0.0, 0.0)
    assert body.getRotation() == (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    assert body.getQuaternion() == (1.0, 0.0, 0.0, 0.0)
    body.setPosition({0: 1, 1: 2, 2: 3})
    body.setQuaternion((0, 0, 0, 2))
    assert body.getQuaternion() == (0.0, 0.0, 0.0, 1.0)
    assert body.getRotation() == near((-1, 0, 0, 0, -1, 0, 0, 0, 1))
    c, s = 2 * math.cos(math.pi / 3), 2 * math.sin(math.pi / 3)
    body.setRotation((c, -s, 0, s, c, 0, 0, 0, 2))  # no rotation: ODE turns the body by more than 60 degrees
    assert body.getQuaternion() == near((0.8219949365267865, 0, 0, 0.5694947974514994))
    body.setRotation([0, 1, 0, -1, 0, 0, 0, 0, 1])
    assert body.getRotation() == near((0, 1, 0, -1, 0, 0, 0, 0, 1))
    assert body.getRelPointPos((1, 0, 0)) == near((1, 1, 3))
    assert body.getPosRelPoint((1, 1, 3)) == near((1, 0, 0))
    assert body.vectorToWorld((1, 0, 0)) == near((0, -1, 0))
    assert body.vectorFromWorld((0, -1, 0)) == near((1, 0, 0))


def body_motion():
    world = ode.World()
    body = ode.Body(world)
    body.setLinearVel((1, 0, 0))
    body.setAngularVel((0, 0, 2))
    assert (body.getLinearVel(), body.getAngularVel()) == ((1.0, 0.0, 0.0), (0.0, 0.0, 2.0))
    assert body.getPointVel((0, 1, 0)) == near((-1, 0, 0))
    assert body.getRelPointVel((0, 1, 0)) == near((-1, 0, 0))
    moved = []
    body.setMovedCallback(moved.append)
    world.step(0.1)
    assert moved == [body]
    body.setMovedCallback(None)
    world.step(0.1)
    assert moved == [body]
    body.setMaxAngularSpeed(1.0)
    world.step(0.1)
    assert body.getAngularVel() == near((0, 0, 1))


def body_forces():
    body = ode.Body(ode.World())
    body.setPosition((1, 0, 0))
    body.setQuaternion((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))  # x of the body is y of the world
    body.addForce((1, 0, 0))
    body.addRelForce((2, 0, 0))
    body.addForceAtPos((0, 0, 1), (1, 1, 0))
    body.addForceAtRelPos((0, 0, 1), (1, 0, 0))
    body.addRelForceAtPos((0, 0, 1), (1, 1, 0))
    body.addRelForceAtRelPos((0, 0, 1), (1, 0, 0))
    assert body.getForce() == near((1, 2, 4))
    assert body.getTorque() == near((4, 0, 0))
    body.addTorque((0, 0, 1))
    body.addRelTorque((1, 0, 0))
    assert body.getTorque() == near((4, 1, 1))
    body.setForce((1, 2, 3))
    body.setTorque((4, 5, 6))
    assert (body.getForce(), body.getTorque()) == ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))


def body_modes():
    world = ode.World()
    world.setGravity((0, 0, -10))
    body = ode.Body(world)
    assert (body.isEnabled(), body.isKinematic(), body.getGravityMode(), body.getFiniteRotationMode()) == (1, 0, 1, 0)
    body.disable()
    assert body.isEnabled() == 0
    world.step(0.1)
    body.enable()
    body.setGravityMode(0)
    world.step(0.1)
    body.setGravityMode(True)
    body.setKinematic()
    assert body.isKinematic() == 1
    world.step(0.1)
    assert body.getLinearVel() == (0.0, 0.0, 0.0)
    body.setDynamic()
    world.step(0.1)
    assert body.getLinearVel() == near((0, 0, -1))
    body.setFiniteRotationMode(1)
    body.setFiniteRotationAxis((0, 0, 2))
    assert (body.getFiniteRotationMode(), body.getFiniteRotationAxis()) == (1, (0.0, 0.0, 1.0))


def body_attributes():
    body = ode.Body(ode.World())
    body.shape, body.mass, body.setPosition = "box", ode.Mass(), 5
    assert (body.shape, body.getNumJoints()) == ("box", 0)
    assert body.setPosition((1, 2, 3)) is None  # the method wins
    del body.shape
    assert not hasattr(body, "shape")
    with pytest.raises(AttributeError, match="Body object has no attribute 'shape'"):
        del body.shape


def body_mass():
    body, mass = ode.Body(ode.World()), ode.Mass()
    mass.setBoxTotal(2.0, 1, 2, 3)
    body.setMass(mass)
    got = body.getMass()
    assert got is not mass
    assert (got.mass, got.I) == (2.0, mass.I)
    mass.adjust(4)
    assert body.getMass().mass == 2.0


def mass_shapes():
    mass = ode.Mass()
    assert (mass.mass, mass.c, mass.I) == (0.0, (0.0, 0.0, 0.0), ((0.0, 0.0, 0.0),) * 3)
    mass.setSphere(2.5, 0.5)
    assert mass.mass == near(1.3089969389957472)
    mass.mass = 1
    assert (mass.mass, mass.I[0][0]) == (1.0, near(0.1))
    mass.setSphereTotal(3, 0.5)
    assert (mass.mass, mass.I[2][2]) == (3.0, near(0.3))
    mass.setBox(2, 1, 1, 1)
    assert (mass.mass, mass.I[0][0]) == (2.0, near(1 / 3))
    mass.setCylinder(1, 3, 0.5, 2)
    assert (mass.mass, mass.I[0][0], mass.I[2][2]) == near(
        (1.5707963267948966, 0.6217735460229799, 0.19634954084936207)
    )
    mass.setCylinderTotal(1, 1, 0.5, 2)
    assert mass.I[0][0] == near(0.125)
    mass.setCapsule(1, 3, 0.5, 2)
    capsule, mass2 = mass.I, ode.Mass()
    assert mass.mass == near(2.0943951023931953)
    mass2.setCappedCylinder(1, 3, 0.5, 2)
    assert capsule == mass2.I
    mass.setCapsuleTotal(2, 2, 0.5, 2)
    mass2.setCappedCylinderTotal(2, 2, 0.5, 2)
    assert (mass.mass, mass.I) == (2.0, mass2.I)
    assert mass.I[1][1] < mass.I[0][0] == near(mass.I[2][2])


def mass_sums():
    mass, other = ode.Mass(), ode.Mass()
    mass.setParameters(1, 0, 0, 0, 4, 5, 6, 0.1, 0.2, 0.3)
    assert str(mass) == "Mass=1.0\nCg=(0.0, 0.0, 0.0)\nI11=4.0 I22=5.0 I33=6.0\nI12=0.1 I13=0.2 I23=0.3"
    other.setParameters(3, 0, 0, 0, 1, 1, 1, 0, 0, 0)
    assert (mass + other) is mass  # in place, as in PyODE
    assert (mass.mass, mass.I[0][0]) == (4.0, 5.0)
    mass.add(other)
    assert mass.mass == 7.0
    with pytest.raises(TypeError, match="only a Mass can be added"):
        1 + mass
    mass.setZero()
    assert mass.mass == 0.0
    other.translate((1, 0, 0))
    assert (other.c, other.I[1][1]) == ((1.0, 0.0, 0.0), near(4))
    for name in ("c", "I"):
        with pytest.raises(AttributeError, match="setParameters"):
            setattr(mass, name, (0, 0, 0))
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = mass.colour
    with pytest.raises(AttributeError):
        mass.colour = 1


def contact_numbers():
    contact = ode.Contact()
    assert (contact.getMode(), contact.getMu(), contact.getBounce()) == (ode.ContactBounce, ode.Infinity, 0.1)
    others = ("BounceVel", "SoftERP", "SoftCFM", "Motion1", "Motion2", "Slip1", "Slip2", "Mu2")
    assert all(getattr(contact, f"get{name}")() == 0.0 for name in others)
    for k, name in enumerate(("Mu", "Bounce", *others)):
        getattr(contact, f"set{name}")(0.5 + k)
        assert getattr(contact, f"get{name}")() == 0.5 + k
    contact.setMode(ode.ContactSlip1 + ode.ContactMu2)
    assert contact.getMode() == 257
    contact.setFDir1((0, 1, 0))
    assert contact.getFDir1() == (0.0, 1.0, 0.0)
    with pytest.raises(KeyError, match="0"):
        contact.getContactGeomParams()
    one, two = ode.GeomSphere(), ode.GeomBox()
    assert contact.setContactGeomParams((1, 2, 3), (0, 0, 1), 0.1, one, two) is None
    assert contact.getContactGeomParams() == ((1.0, 2.0, 3.0), (0.0, 0.0, 1.0), 0.1, one, two)
    del two
    with pytest.raises(KeyError):
        contact.getContactGeomParams()


CALLS = [
    *(world_settings, world_steps, body_place, body_motion, body_forces, body_modes, body_attributes, body_mass),
    *(mass_shapes, mass_sums, contact_numbers),
]
