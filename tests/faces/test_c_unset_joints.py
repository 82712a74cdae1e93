"""C names: defaults are as in ODE 0.16.2, or as in docs/deviations.md."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as ode
from tests.faces.unset_joints import after_a_step, attached, cases, recorded, returned

# In docs/deviations.md: joints attached as (null, body), and axes of motors, which ODE leaves zero.
STEPS_DIFFER = {("PR", "second"), ("PU", "second"), ("Piston", "second")}
GETTERS_DIFFER = ("dJointGetAMotorAxis ", "dJointGetLMotorAxis ", "dJointGetAMotorAngleRate ")


@pytest.mark.parametrize(("kind", "how"), list(cases()))
def test_an_unset_joint_returns_and_does_what_odes_does(kind, how):
    figures = recorded()[f"{kind} {how}"]
    world, bodies, joint = attached(ode, kind, how)
    found = returned(ode, kind, joint)
    for call, expected in figures["returned"].items():
        if not call.startswith(GETTERS_DIFFER):
            assert found[call] == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), call
    same = np.allclose(after_a_step(ode, world, bodies), figures["step"], rtol=1e-9, atol=1e-9)
    assert same is ((kind, how) not in STEPS_DIFFER)


@pytest.mark.parametrize("kind", ["ball", "hinge", "universal", "piston", "pr", "pu"])
@pytest.mark.parametrize("how", ["first", "second"])
def test_the_anchor_to_the_static_world_is_where_the_body_is_unless_it_is_set(kind, how):
    world = od.World()
    body = world.add_body(position=(1, 2, 3))
    joint = getattr(world, f"add_{kind}")(*((body, None) if how == "first" else (None, body)))
    assert joint.anchor.tolist() == [1, 2, 3]
    assert joint.anchor2.tolist() == [1, 2, 3] if hasattr(joint, "anchor2") else True
    body.linear_velocity = (0, 0, -1)
    world.step(0.01)
    assert body.position.tolist() == pytest.approx([1, 2, 3], abs=1e-9)


@pytest.mark.parametrize("how", ["both", "first", "second"])
def test_a_fixed_joint_that_was_never_set_holds_the_bodies_as_they_were_attached(how):
    # ODE pulls them together, with one orientation, or to the world's origin.
    world, bodies, _ = attached(ode, "Fixed", how)
    for body in bodies:
        body.linear_velocity = body.angular_velocity = (0, 0, 0)
    before = bodies[1].point_from_world(bodies[0].position) if how == "both" else bodies[0].position
    for _ in range(10):
        ode.dWorldStep(world, 0.01)
    after = bodies[1].point_from_world(bodies[0].position) if how == "both" else bodies[0].position
    assert after == pytest.approx(before, abs=1e-6)


def test_the_axis_of_a_double_hinge_that_was_never_set_is_the_first_bodys_x_axis():
    # ODE has the zero vector, and ends the process in the first step.
    world, bodies, joint = attached(ode, "DHinge", "both")
    assert ode.dJointGetDHingeAxis(joint) == pytest.approx(bodies[0].rotation[:, 0])
    assert np.isfinite(after_a_step(ode, world, bodies)).all()


def test_axes_of_a_transmission_that_were_never_set_are_parallel():
    # ODE has the x axis of each body.
    _, bodies, joint = attached(ode, "Transmission", "both")
    for axis in (ode.dJointGetTransmissionAxis1(joint), ode.dJointGetTransmissionAxis2(joint)):
        assert axis == pytest.approx(bodies[0].rotation[:, 0])


def test_a_transmission_with_one_body_is_refused():
    # ODE ends the process.
    with pytest.raises(ValueError, match="a transmission joint joins two bodies, not body 1 and the static world"):
        attached(ode, "Transmission", "first")


def test_setting_the_mass_of_a_kinematic_body_makes_it_dynamic():
    world = ode.dWorldCreate()
    body, mass = ode.dBodyCreate(world), ode.dMass()
    ode.dMassSetBox(mass, 100.0, 1.0, 1.0, 1.0)
    ode.dBodySetKinematic(body)
    ode.dBodySetMass(body, mass)
    assert not ode.dBodyIsKinematic(body)
    ode.dBodyAddForce(body, 200.0, 0.0, 0.0)
    ode.dWorldStep(world, 0.5)
    assert ode.dBodyGetLinearVel(body).tolist() == [1.0, 0.0, 0.0]


def test_a_double_hinge_attached_anew_has_one_axis():
    world = ode.dWorldCreate()
    bodies = [ode.dBodyCreate(world) for _ in range(3)]
    ode.dBodySetPosition(bodies[2], 1, 0, 0)
    ode.dBodySetQuaternion(bodies[2], (np.cos(0.2), np.sin(0.2), 0, 0))
    joint = ode.dJointCreateDHinge(world, 0)
    ode.dJointAttach(joint, bodies[0], bodies[1])
    ode.dJointSetDHingeAxis(joint, 0, 0, 1)
    ode.dJointAttach(joint, bodies[2], bodies[1])
    assert ode.dJointGetDHingeAxis(joint) == pytest.approx([0, -np.sin(0.4), np.cos(0.4)])
    ode.dWorldStep(world, 0.01)
    for body in bodies:
        assert np.allclose([ode.dBodyGetLinearVel(body), ode.dBodyGetAngularVel(body)], 0.0, atol=1e-9)


def test_feedback_of_one_body_is_zero_for_the_other():
    world = ode.dWorldCreate()
    ode.dWorldSetGravity(world, 0, 0, -10)
    one, other = (ode.dBodyCreate(world) for _ in range(2))
    ode.dBodySetPosition(other, 1, 0, 0)
    joint, feedback = ode.dJointCreateBall(world, 0), ode.dJointFeedback()
    ode.dJointAttach(joint, one, other)
    ode.dJointSetFeedback(joint, feedback)
    ode.dBodySetGravityMode(other, 0)
    ode.dWorldStep(world, 0.01)
    assert np.any(feedback.f2)
    ode.dJointAttach(joint, one, 0)
    ode.dWorldStep(world, 0.01)
    assert np.any(feedback.f1) and not np.any(feedback.f2)
