"""Calls of joints, with PyODE's results."""

import math

import pytest

from opendynamics import pyode as ode

near = pytest.approx

QUARTER = (math.sqrt(0.5), 0, 0, math.sqrt(0.5))


def pair(kind, *group):
    """A joint of two bodies, 2 m apart along x."""
    world = ode.World()
    one, two = ode.Body(world), ode.Body(world)
    two.setPosition((2, 0, 0))
    joint = kind(world, *group)
    joint.attach(one, two)
    return world, one, two, joint


def every_joint():
    _world, one, two, joint = pair(ode.HingeJoint)
    assert (joint.getBody(0), joint.getBody(1)) == (one, two)
    with pytest.raises(IndexError):
        joint.getBody(2)
    assert (ode.areConnected(one, two), ode.areConnected(one, ode.environment)) == (True, False)
    assert (one.getNumJoints(), joint.isEnabled()) == (1, 1)
    joint.disable()
    assert joint.isEnabled() == 0
    joint.enable()
    assert joint.isEnabled() == 1
    joint.attach(ode.environment, two)
    assert (joint.getBody(0), joint.getBody(1), one.getNumJoints()) == (None, two, 0)
    joint.style, joint.attach = "steel", 3
    assert joint.style == "steel"
    assert joint.attach(one, None) is None
    with pytest.raises(AttributeError, match="Joint object has no attribute 'colour'"):
        _ = joint.colour
    del joint
    assert one.getNumJoints() == 0


def feedback():
    world = ode.World()
    world.setGravity((0, 0, -10))
    body = ode.Body(world)
    joint = ode.BallJoint(world)
    joint.attach(body, ode.environment)
    joint.setAnchor((0, 0, 0))
    assert joint.getFeedback() is None
    joint.setFeedback()
    world.step(0.01)
    force1, torque1, force2, torque2 = joint.getFeedback()
    assert force1 == near((0, 0, 10))
    assert (torque1, force2, torque2) == (near((0, 0, 0)), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    joint.setFeedback(False)
    assert joint.getFeedback() is None
    joint.setFeedback(release=True)  # what Debian's calls `flag`
    assert joint.getFeedback() is not None


def groups():
    group = ode.JointGroup()
    world, one, two, joint = pair(ode.BallJoint, group)
    del joint
    assert one.getNumJoints() == 1  # the group keeps it
    assert group.empty() is None
    assert one.getNumJoints() == 0
    other = ode.HingeJoint(world)
    other.attach(one, two)
    group._addjoint(other)
    group.empty()
    assert (other.getBody(0), other._destroyed()) == (None, None)
    ode.HingeJoint(world, group).attach(one, two)
    assert one.getNumJoints() == 2  # `other` was not of this group
    del group
    assert one.getNumJoints() == 1


def ball():
    _world, _one, two, joint = pair(ode.BallJoint)
    joint.setAnchor((1, 0, 0))
    two.setPosition((2, 1, 0))
    assert (joint.getAnchor(), joint.getAnchor2()) == ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0))
    joint.setParam(ode.ParamFMax, 3.0)
    assert joint.getParam(ode.ParamFMax) == 0.0


def hinge():
    _world, one, two, joint = pair(ode.HingeJoint)
    joint.setAnchor((1, 0, 0))
    joint.setAxis((0, 0, 2))
    assert (joint.getAnchor(), joint.getAnchor2(), joint.getAxis()) == (
        near((1, 0, 0)),
        near((1, 0, 0)),
        near((0, 0, 1)),
    )
    one.setQuaternion(QUARTER)
    one.setAngularVel((0, 0, 1))
    assert (joint.getAngle(), joint.getAngleRate()) == (near(math.pi / 2), near(1))
    joint.setAxisAndAngleOffset((0, 0, 1), 0.5)
    assert joint.getAngle() == near(0.5)
    joint.setAngleOffset(0.25)
    assert joint.getAngle() == near(0.25)
    joint.addTorque(3.0)
    assert (one.getTorque(), two.getTorque()) == (near((0, 0, 3)), near((0, 0, -3)))
    assert (joint.getParam(ode.ParamLoStop), joint.getParam(ode.ParamHiStop)) == (-math.inf, math.inf)
    joint.setParam(ode.ParamVel, 2.0)
    assert (joint.getParam(ode.ParamVel), joint.getParam(ode.ParamFudgeFactor), joint.getParam(999)) == (2.0, 1.0, 0.0)


def motors_work():
    """With Debian's numbers for the parameters this one does not turn."""
    world = ode.World()
    body, joint = ode.Body(world), ode.HingeJoint(world)
    joint.attach(body, None)
    joint.setAxis((0, 0, 1))
    joint.setParam(ode.ParamVel, 2)
    joint.setParam(ode.ParamFMax, 100)
    world.step(0.1)
    assert joint.getAngleRate() == near(2.0, abs=1e-8)


def parameters():
    _world, _one, _two, joint = pair(ode.UniversalJoint)
    for name in ("lo_stop", "hi_stop", "vel", "fmax", "fudge_factor", "bounce", "cfm", "stop_erp", "stop_cfm"):
        setattr(joint.param, name, 0.25)
        setattr(joint.param[2], name, 0.5)
        code = getattr(ode, "Param" + {"fmax": "FMax", "cfm": "CFM"}.get(name, camel(name)))
        assert (joint.getParam(code), joint.getParam(code + ode.ParamGroup)) == (0.25, 0.5)
        assert (getattr(joint.param, name), getattr(joint.param[2], name)) == (0.25, 0.5)
    wheel = pair(ode.Hinge2Joint)[3]
    wheel.param.suspension_erp, wheel.param.suspension_cfm = 0.8, 0.5
    assert (wheel.getParam(ode.ParamSuspensionERP), wheel.getParam(ode.ParamSuspensionCFM)) == (0.8, 0.5)
    assert (joint.param[9]._index, joint.param._index) == (3, 1)
    with pytest.raises(AttributeError):
        joint.param.velocity = 1.0
    assert isinstance(ode.JointParams.vel, ode.JointParam)


def camel(name):
    return "".join(part.upper() if part in ("erp", "cfm") else part.capitalize() for part in name.split("_"))


def slider():
    _world, one, two, joint = pair(ode.SliderJoint)
    joint.setAxis((1, 0, 0))
    one.setPosition((0.5, 0, 0))
    one.setLinearVel((3, 0, 0))
    assert (joint.getAxis(), joint.getPosition(), joint.getPositionRate()) == ((1.0, 0.0, 0.0), near(0.5), near(3))
    joint.addForce(2.0)
    assert (one.getForce(), two.getForce()) == (near((2, 0, 0)), near((-2, 0, 0)))
    joint.setParam(ode.ParamFMax, 3.0)
    assert joint.getParam(ode.ParamFMax) == 3.0


def universal():
    _world, one, _two, joint = pair(ode.UniversalJoint)
    joint.setAnchor((1, 0, 0))
    joint.setAxis1((1, 0, 0))
    joint.setAxis2((0, 1, 0))
    assert (joint.getAnchor(), joint.getAnchor2()) == (near((1, 0, 0)), near((1, 0, 0)))
    assert (joint.getAxis1(), joint.getAxis2()) == (near((1, 0, 0)), near((0, 1, 0)))
    one.setAngularVel((1, 2, 0))
    assert (joint.getAngle1(), joint.getAngle2()) == near((0, 0))
    assert (joint.getAngle1Rate(), joint.getAngle2Rate()) == near((1, 2))
    joint.addTorques(3.0, 4.0)
    assert one.getTorque() == near((3, 4, 0))
    joint.setParam(ode.ParamVel2, 3.0)
    assert joint.getParam(ode.ParamVel2) == 3.0


def hinge2():
    _world, one, _two, joint = pair(ode.Hinge2Joint)
    joint.setAnchor((2, 0, 0))
    joint.setAxis1((0, 1, 0))  # along what axis 2 is at first: ODE 0.16 aborts here
    joint.setAxis2((0, 0, 1))
    assert (joint.getAnchor(), joint.getAnchor2()) == (near((2, 0, 0)), near((2, 0, 0)))
    assert (joint.getAxis1(), joint.getAxis2()) == (near((0, 1, 0)), near((0, 0, 1)))
    one.setAngularVel((0, 1, 2))
    assert (joint.getAngle1(), joint.getAngle2()) == near((0, 0))
    assert (joint.getAngle1Rate(), joint.getAngle2Rate()) == near((1, 2))
    joint.addTorques(3.0, 4.0)
    assert one.getTorque() == near((0, 3, 4))
    joint.setParam(ode.ParamFMax2, 5.0)
    assert joint.getParam(ode.ParamFMax2) == 5.0


def fixed_and_contact():
    world, one, two, joint = pair(ode.FixedJoint)
    assert joint.setFixed() is None
    one.setLinearVel((0, 2, 0))
    world.step(0.01)
    mid = (one.getLinearVel()[1] + two.getLinearVel()[1]) / 2
    assert mid == near(1)
    contact = ode.Contact()
    contact.setContactGeomParams((0, 0, 0), (0, 0, 1), 0.0)
    group, body = ode.JointGroup(), ode.Body(world)
    body.setLinearVel((0, 0, -1))
    touch = ode.ContactJoint(world, jointgroup=group, contact=contact)
    assert touch.attach(body, ode.environment) is None
    world.step(0.01)
    assert body.getLinearVel() == near((0, 0, 0.1), abs=1e-7)  # it bounces


def quick_contact():
    world, group = ode.World(), ode.JointGroup()
    body, floor, ball_ = ode.Body(world), ode.GeomPlane(), ode.GeomSphere(None, 1.0)
    ball_.setBody(body)
    body.setPosition((0, 0, 1))
    body.setLinearVel((0, 0, -1))
    (contact,) = ode.collide(ball_, floor)
    surface = (ode.ContactBounce, 0.0, 0.0, 0.5, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, (0, 0, 0))
    assert ode.CreateContactJointQ(world, group, contact, surface, ball_, floor) is None
    world.step(0.01)
    assert body.getLinearVel() == near((0, 0, 0.5), abs=1e-7)


def angular_motor():
    world, one, two, joint = pair(ode.AMotor)
    assert (joint.getMode(), joint.getNumAxes()) == (ode.AMotorUser, 0)
    joint.setNumAxes(1)
    joint.setAxis(0, 1, (0, 0, 2))
    joint.setAngle(0, 0.3)
    assert (joint.getNumAxes(), joint.getAxis(0), joint.getAxisRel(0)) == (1, (0.0, 0.0, 1.0), 1)
    assert joint.getAngle(0) == 0.3
    joint.setParam(ode.ParamVel, 2.0)
    joint.setParam(ode.ParamFMax, 100.0)
    world.step(0.01)
    assert one.getAngularVel()[2] - two.getAngularVel()[2] == near(2.0, abs=1e-8)
    assert joint.getAngleRate(0) == near(2.0, abs=1e-8)
    joint.addTorques(3.0, 4.0, 5.0)
    assert one.getTorque() == near((0, 0, 3))
    assert joint.getParam(ode.ParamVel) == 2.0
    joint.setMode(ode.AMotorEuler)
    joint.setNumAxes(2)
    assert (joint.getMode(), joint.getNumAxes()) == (ode.AMotorEuler, 3)


def linear_motor():
    world, one, two, joint = pair(ode.LMotor)
    joint.setNumAxes(1)
    joint.setAxis(0, 0, (1, 0, 0))
    joint.setParam(ode.ParamVel, 2.0)
    joint.setParam(ode.ParamFMax, 100.0)
    world.step(0.01)
    assert (joint.getNumAxes(), joint.getAxis(0), joint.getParam(ode.ParamVel)) == (1, (1.0, 0.0, 0.0), 2.0)
    assert one.getLinearVel()[0] - two.getLinearVel()[0] == near(2.0, abs=1e-8)


def plane2d():
    world = ode.World()
    world.setGravity((0, 0, -10))
    body, joint = ode.Body(world), ode.Plane2DJoint(world)
    joint.attach(body, ode.environment)
    joint.setXParam(ode.ParamFMax, 10)
    joint.setXParam(ode.ParamVel, 1)
    joint.setYParam(ode.ParamFMax, 10)
    joint.paramY.vel = 2
    joint.setAngleParam(ode.ParamFMax, 10)
    joint.paramAngle.vel = 3
    joint.paramX.vel = 1.5
    world.step(0.1)
    assert (body.getLinearVel(), body.getAngularVel()[2]) == (near((1, 1, 0), abs=1e-6), near(1.0, abs=1e-6))
    with pytest.raises(NotImplementedError):
        joint.dontGetParam(ode.ParamVel)
    with pytest.raises(NotImplementedError):
        _ = joint.paramX.vel


def slider_and_hinge():
    _world, one, _two, joint = pair(ode.PRJoint)
    joint.setAnchor((2, 0, 0))
    joint.setAxis1((1, 0, 0))
    joint.setAxis2((0, 0, 1))
    assert (joint.getAnchor(), joint.getAxis1(), joint.getAxis2()) == (
        near((2, 0, 0)),
        near((1, 0, 0)),
        near((0, 0, 1)),
    )
    one.setPosition((0.5, 0, 0))
    assert joint.getPosition() == near(0.5)
    joint.setParam(ode.ParamFMax2, 3.0)
    assert joint.getParam(ode.ParamFMax2) == 3.0


def piston():
    _world, one, _two, joint = pair(ode.PistonJoint)
    joint.setAnchor((1, 0, 0))
    joint.setAxis((1, 0, 0))
    assert (joint.getAnchor(), joint.getAnchor2(), joint.getAxis()) == (
        near((1, 0, 0)),
        near((1, 0, 0)),
        near((1, 0, 0)),
    )
    one.setPosition((0.5, 0, 0))
    one.setLinearVel((2, 0, 0))
    one.setAngularVel((3, 0, 0))
    assert (joint.getPosition(), joint.getPositionRate()) == (near(0.5), near(2))
    assert (joint.getAngle(), joint.getAngleRate()) == (near(0), near(3))
    joint.addForce(2.0)
    assert one.getForce() == near((2, 0, 0))
    joint.setAxisDelta((1, 0, 0), (0.25, 0, 0))
    assert joint.getAxis() == near((1, 0, 0))
    assert joint.param[2].fmax == 0.0


def slider_and_universal():
    _world, one, _two, joint = pair(ode.PUJoint)
    joint.setAnchor((2, 0, 0))
    joint.setAxis1((0, 1, 0))
    joint.setAxis2((0, 0, 1))
    joint.setAxis3((1, 0, 0))
    assert joint.getAxis3() == near((1, 0, 0))
    joint.setAxisP((1, 0, 0))
    axes = joint.getAxis1(), joint.getAxis2(), joint.getAxisP(), joint.getAnchor()
    assert axes == (near((0, 1, 0)), near((0, 0, 1)), near((1, 0, 0)), near((2, 0, 0)))
    one.setPosition((0.5, 0, 0))
    one.setLinearVel((2, 0, 0))
    assert (joint.getPosition(), joint.getPositionRate()) == (near(0.5), near(2))
    one.setAngularVel((0, 1, 0))
    assert joint.getAngles() == (joint.getAngle1(), joint.getAngle2()) == near((0, 0))
    assert (joint.getAngle1Rate(), joint.getAngle2Rate()) == near((1, 0))
    joint.setAnchorDelta((2, 0, 0), (0.25, 0, 0))
    assert joint.getAnchor() == near((2, 0, 0))


def unattached():
    """Setting has no effect, as in ODE; where ODE reads what memory held, there are zeros."""
    joint = ode.HingeJoint(ode.World())
    assert (joint.setAnchor((1, 2, 3)), joint.setAxis((0, 0, 1)), joint.addTorque(1.0)) == (None, None, None)
    assert (joint.getAnchor(), joint.getAxis(), joint.getAngle()) == ((0.0,) * 3, (0.0,) * 3, 0.0)
    assert (joint.getBody(0), joint.getBody(1)) == (None, None)


def motor_axes_before_bodies():
    """Axes that stand still are kept, as in ODE, which crashes for others."""
    for kind, rate in ((ode.AMotor, ode.Body.getAngularVel), (ode.LMotor, ode.Body.getLinearVel)):
        world = ode.World()
        body, motor = ode.Body(world), kind(world)
        motor.setNumAxes(1)
        motor.setAxis(0, 0, (0, 0, 2))
        motor.setParam(ode.ParamVel, 1.5)
        motor.setParam(ode.ParamFMax, 1000)
        with pytest.raises(ValueError, match="attach it first"):
            motor.setAxis(1, 1, (1, 0, 0))
        motor.attach(None, None)
        assert motor.getAxis(0) == (0.0, 0.0, 1.0)
        motor.attach(body, None)
        assert motor.getAxis(0) == (0.0, 0.0, 1.0)
        world.step(0.01)
        assert rate(body) == near((0, 0, 1.5), abs=1e-7)


CALLS = [
    *(every_joint, feedback, groups, ball, hinge, motors_work, parameters, slider, universal, hinge2),
    *(fixed_and_contact, quick_contact, angular_motor, linear_motor, plane2d, slider_and_hinge, piston),
    *(slider_and_universal, unattached, motor_axes_before_bodies),
]
