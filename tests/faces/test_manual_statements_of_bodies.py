"""Statements of ODE's manual about worlds and bodies, in its order, that no other test of the C names covers."""

import itertools
import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
STEP = 0.01


@pytest.fixture
def world():
    return ode.dWorldCreate()


def a_body(world, *velocity):
    body = ode.dBodyCreate(world)
    ode.dBodySetLinearVel(body, *(velocity or (0, 0, 0)))
    return body


def a_joint(create, world, body1, body2):
    joint = create(world, 0)
    ode.dJointAttach(joint, body1, body2)
    return joint


# Concepts


def test_one_enabled_body_enables_its_island_at_the_next_step_and_joints_with_the_world_do_not(world):
    chain = [a_body(world) for _ in range(3)]
    alone = a_body(world)
    for one, other in itertools.pairwise(chain):
        a_joint(ode.dJointCreateBall, world, one, other)
    a_joint(ode.dJointCreateBall, world, alone, 0)
    for body in (*chain, alone):
        ode.dBodyDisable(body)
    ode.dWorldStep(world, STEP)
    assert [ode.dBodyIsEnabled(body) for body in (*chain, alone)] == [0, 0, 0, 0]
    ode.dBodyEnable(chain[0])
    assert [ode.dBodyIsEnabled(body) for body in (*chain, alone)] == [1, 0, 0, 0]
    ode.dWorldStep(world, STEP)
    assert [ode.dBodyIsEnabled(body) for body in (*chain, alone)] == [1, 1, 1, 0]


def test_disabled_bodies_are_not_updated(world):
    body = a_body(world, 1, 0, 0)
    ode.dBodyDisable(body)
    ode.dBodyAddForce(body, 0, 0, 5)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetPosition(body)[:3], [0, 0, 0])
    assert ode.dBodyIsEnabled(body) == 0


@pytest.mark.parametrize("erp", [0.1, 0.5, 1.0])
def test_erp_is_the_part_of_the_error_that_a_step_reduces(world, erp):
    ode.dWorldSetERP(world, erp)
    ode.dWorldSetCFM(world, 0)
    body = a_body(world)
    joint = a_joint(ode.dJointCreateBall, world, body, 0)
    ode.dJointSetBallAnchor(joint, 0, 0, 0)
    ode.dBodySetPosition(body, 0.1, 0, 0)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetPosition(body)[0], 0.1 * (1 - erp), atol=1e-12)


def test_erp_and_cfm_are_a_spring_and_a_damper_integrated_implicitly(world):
    """ERP = h kp / (h kp + kd), CFM = 1 / (h kp + kd)."""
    spring, damper, step = 100.0, 3.0, 0.01
    ode.dWorldSetERP(world, step * spring / (step * spring + damper))
    ode.dWorldSetCFM(world, 1 / (step * spring + damper))
    body = a_body(world)
    joint = a_joint(ode.dJointCreateBall, world, body, 0)
    ode.dJointSetBallAnchor(joint, 0, 0, 0)
    ode.dBodySetPosition(body, 0.1, 0, 0)
    place, velocity = 0.1, 0.0
    for _ in range(20):
        velocity = (velocity - step * spring * place) / (1 + step * damper + step * step * spring)
        place += step * velocity
        ode.dWorldStep(world, step)
        close(ode.dBodyGetPosition(body)[0], place, atol=1e-10)


@pytest.mark.parametrize("quick", [False, True])
def test_friction_is_bounded_by_a_force_or_by_the_normal_force_without_friction(quick):
    """Without dContactApprox1 mu is a force; with it, a ratio. 10 m/s2, a body of 1 kg and a push of 8 N."""
    for mode, mu, left in ((0, 3.0, 5.0), (ode.dContactApprox1, 0.5, 3.0), (0, math.inf, 0.0)):
        world = ode.dWorldCreate()
        ode.dWorldSetGravity(world, 0, 0, -10)
        body, contact = a_body(world), ode.dContact()
        contact.surface.mode, contact.surface.mu = mode, mu
        contact.geom.normal[:3] = [0, 0, 1]
        a_joint(lambda w, group, c=contact: ode.dJointCreateContact(w, group, c), world, body, 0)
        ode.dBodyAddForce(body, 8, 0, 0)
        (ode.dWorldQuickStep if quick else ode.dWorldStep)(world, 0.1)
        close(ode.dBodyGetLinearVel(body)[0], 0.1 * left, atol=1e-5)


# World


def test_bodies_of_two_worlds_do_not_meet():
    """A joint of one world does not take a body of another."""
    one, other = ode.dWorldCreate(), ode.dWorldCreate()
    joint = ode.dJointCreateBall(one, 0)
    with pytest.raises(ValueError, match="world"):
        ode.dJointAttach(joint, ode.dBodyCreate(one), ode.dBodyCreate(other))
    assert ode.dJointGetNumBodies(joint) == 0


def test_settings_of_worlds_are_of_bodies_made_after_them_but_for_damping(world):
    body = a_body(world)
    ode.dWorldSetAutoDisableLinearThreshold(world, 0.5)
    ode.dWorldSetMaxAngularSpeed(world, 3)
    assert ode.dBodyGetAutoDisableLinearThreshold(body) == 0.01
    assert ode.dBodyGetMaxAngularSpeed(body) == math.inf
    assert ode.dBodyGetMaxAngularSpeed(a_body(world)) == 3


def test_quick_step_has_twenty_iterations_and_a_relaxation_of_1_3(world):
    assert ode.dWorldGetQuickStepNumIterations(world) == 20
    assert ode.dWorldGetQuickStepW(world) == 1.3
    ode.dWorldSetQuickStepNumIterations(world, 33)
    ode.dWorldSetQuickStepW(world, 1.1)
    assert (ode.dWorldGetQuickStepNumIterations(world), ode.dWorldGetQuickStepW(world)) == (33, 1.1)


def test_an_impulse_is_a_force_for_the_next_step(world):
    body = a_body(world)
    ode.dBodyAddForce(body, *ode.dWorldImpulseToForce(world, STEP, 1, -2, 3)[:3])
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(body)[:3], [1, -2, 3])


@pytest.mark.parametrize("limit", [math.inf, 0.5])
def test_contacts_correct_no_faster_than_the_limit(world, limit):
    ode.dWorldSetContactMaxCorrectingVel(world, limit)
    body, contact = a_body(world), ode.dContact()
    contact.geom.normal[:3], contact.geom.depth = [0, 0, 1], 0.1
    a_joint(lambda w, group: ode.dJointCreateContact(w, group, contact), world, body, 0)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(body)[2], min(limit, 0.2 * 0.1 / STEP), rtol=1e-6)


def test_contacts_sink_into_the_surface_layer(world):
    ode.dWorldSetContactSurfaceLayer(world, 0.04)
    for depth, velocity in ((0.03, 0.0), (0.04, 0.0), (0.05, 0.2 * 0.01 / STEP)):
        body, contact = a_body(world), ode.dContact()
        contact.geom.normal[:3], contact.geom.depth = [0, 0, 1], depth
        a_joint(lambda w, group, c=contact: ode.dJointCreateContact(w, group, c), world, body, 0)
        ode.dWorldStep(world, STEP)
        close(ode.dBodyGetLinearVel(body)[2], velocity, rtol=1e-6, atol=1e-9)


# Rigid bodies


def test_joints_of_a_destroyed_body_are_in_limbo_and_stay(world):
    one, other = a_body(world), a_body(world, 1, 0, 0)
    joint = a_joint(ode.dJointCreateFixed, world, one, other)
    ode.dBodyDestroy(one)
    assert ode.dJointGetBody(joint, 0) is None
    assert ode.dJointGetBody(joint, 1) is None and ode.dBodyGetNumJoints(other) == 0
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(other)[:3], [1, 0, 0])
    ode.dJointDestroy(joint)


def test_forces_are_accumulated_and_zeroed_by_the_step(world):
    body = a_body(world)
    ode.dBodyAddForce(body, 1, 2, 3)
    ode.dBodyAddForce(body, 1, 0, 0)
    ode.dBodyAddTorque(body, 0, 0, 4)
    close(ode.dBodyGetForce(body)[:3], [2, 2, 3])
    close(ode.dBodyGetTorque(body)[:3], [0, 0, 4])
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetForce(body)[:3], [0, 0, 0])
    close(ode.dBodyGetTorque(body)[:3], [0, 0, 0])


def test_forces_added_to_a_disabled_body_stay_until_they_are_set(world):
    body = a_body(world)
    ode.dBodyDisable(body)
    ode.dBodyAddForce(body, 1, 2, 3)
    ode.dBodyAddTorque(body, 3, 2, 1)
    assert ode.dBodyIsEnabled(body) == 0
    close(ode.dBodyGetForce(body)[:3], [1, 2, 3])
    ode.dBodySetForce(body, 0, 0, 0)
    ode.dBodySetTorque(body, 0, 0, 0)
    ode.dBodyEnable(body)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(body)[:3], [0, 0, 0])
    close(ode.dBodyGetAngularVel(body)[:3], [0, 0, 0])


def test_kinematic_bodies_follow_their_velocity_and_nothing_else(world):
    ode.dWorldSetGravity(world, 0, 0, -10)
    lift, load = a_body(world, 0, 0, 2), a_body(world)
    ode.dBodySetKinematic(lift)
    ode.dBodyAddForce(lift, 100, 0, 0)
    ode.dJointSetFixed(a_joint(ode.dJointCreateFixed, world, lift, load))
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetPosition(lift)[:3], [0, 0, 0.02])
    close(ode.dBodyGetLinearVel(lift)[:3], [0, 0, 2])
    close(ode.dBodyGetLinearVel(load)[:3], [0, 0, 2], atol=1e-8)


def test_joints_between_kinematic_bodies_or_of_one_with_the_world_are_ignored(world):
    one, other = a_body(world, 1, 0, 0), a_body(world, -1, 0, 0)
    for body in (one, other):
        ode.dBodySetKinematic(body)
    a_joint(ode.dJointCreateBall, world, one, other)
    a_joint(ode.dJointCreateHinge, world, one, 0)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetPosition(one)[:3], [STEP, 0, 0])
    close(ode.dBodyGetPosition(other)[:3], [-STEP, 0, 0])


def test_a_dynamic_body_has_its_mass_again(world):
    body, mass = a_body(world), ode.dMass()
    ode.dMassSetBoxTotal(mass, 4, 1, 2, 3)
    ode.dBodySetMass(body, mass)
    ode.dBodySetKinematic(body)
    ode.dBodySetDynamic(body)
    assert ode.dBodyIsKinematic(body) == 0 and ode.dBodyGetMass(body).mass == 4
    ode.dBodyAddForce(body, 8, 0, 0)
    ode.dBodyAddTorque(body, 0, 0, 1)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(body)[0], 2 * STEP)
    close(ode.dBodyGetAngularVel(body)[2], STEP / mass.I[10], rtol=1e-9)


def test_the_inverse_of_a_point_and_of_a_vector(world):
    body = a_body(world, 1, 2, 3)
    ode.dBodySetPosition(body, 4, 5, 6)
    ode.dBodySetAngularVel(body, 0.1, 0.2, 0.3)
    ode.dBodySetQuaternion(body, [0.5, 0.5, 0.5, 0.5])
    point = ode.dBodyGetRelPointPos(body, 1, 2, 3)
    close(point[:3], [7, 6, 8])
    close(ode.dBodyGetPosRelPoint(body, *point[:3])[:3], [1, 2, 3])
    close(ode.dBodyVectorFromWorld(body, *ode.dBodyVectorToWorld(body, 1, 2, 3)[:3])[:3], [1, 2, 3])
    close(ode.dBodyGetPointVel(body, *point[:3])[:3], ode.dBodyGetRelPointVel(body, 1, 2, 3)[:3])
    close(ode.dBodyGetPointVel(body, *point[:3])[:3], np.add([1, 2, 3], np.cross([0.1, 0.2, 0.3], [3, 1, 2])))


@pytest.mark.parametrize(("steps", "time", "idle"), [(4, 0, 4), (0, 0.045, 5), (3, 0.055, 6), (7, 0.035, 7), (0, 0, 0)])
def test_bodies_are_disabled_after_so_many_idle_steps_and_so_much_idle_time(world, steps, time, idle):
    """Both have to be over, zero leaves one out; they count from the last step in which the body was faster.

    With both left out a body is disabled while it moves, as by ODE.
    """
    body = a_body(world, 5, 0, 0)
    a_joint(ode.dJointCreateLMotor, world, body, 0)  # bodies without joints are never disabled
    ode.dBodySetAutoDisableFlag(body, 1)
    ode.dBodySetAutoDisableSteps(body, steps)
    ode.dBodySetAutoDisableTime(body, time)
    ode.dWorldStep(world, STEP)
    ode.dBodySetLinearVel(body, 0, 0, 0)
    taken = 0
    while ode.dBodyIsEnabled(body) and taken < 20:
        ode.dWorldStep(world, STEP)
        taken += 1
    assert taken == idle


@pytest.mark.parametrize("what", ["linear", "angular"])
def test_an_infinite_threshold_leaves_a_velocity_out(world, what):
    body = a_body(world)
    a_joint(ode.dJointCreateLMotor, world, body, 0)  # bodies without joints are never disabled
    ode.dBodySetAutoDisableFlag(body, 1)
    ode.dBodySetAutoDisableSteps(body, 2)
    (ode.dBodySetLinearVel if what == "linear" else ode.dBodySetAngularVel)(body, 5, 0, 0)
    for _ in range(5):
        ode.dWorldStep(world, STEP)
    assert ode.dBodyIsEnabled(body) == 1
    setter = ode.dBodySetAutoDisableLinearThreshold if what == "linear" else ode.dBodySetAutoDisableAngularThreshold
    setter(body, math.inf)
    for _ in range(6):
        ode.dWorldStep(world, STEP)
    assert ode.dBodyIsEnabled(body) == 0


def test_damping_acts_after_the_move_and_after_the_moved_callback(world):
    body, seen = a_body(world, 1, 0, 0), []
    ode.dBodySetDamping(body, 0.25, 0)
    ode.dBodySetMovedCallback(body, lambda b: seen.append(float(ode.dBodyGetLinearVel(b)[0])))
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetPosition(body)[0], STEP)
    close(ode.dBodyGetLinearVel(body)[0], 0.75)
    assert seen == [1.0]


def test_damping_acts_above_the_threshold_only_and_may_be_negative(world):
    body = a_body(world, 1, 0, 0)
    ode.dBodySetDamping(body, 0.5, 0.5)
    ode.dBodySetLinearDampingThreshold(body, 0.6)
    for velocity in (0.5, 0.5):
        ode.dWorldStep(world, STEP)
        close(ode.dBodyGetLinearVel(body)[0], velocity)
    ode.dBodySetLinearDamping(body, -0.5)
    ode.dBodySetLinearDampingThreshold(body, 0.1)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(body)[0], 0.75)


def test_a_body_keeps_the_damping_that_its_world_had_when_it_was_made(world):
    """The manual lets it follow the world until it has a scale of its own, which ODE does not do."""
    body = a_body(world)
    ode.dWorldSetLinearDamping(world, 0.3)
    assert ode.dBodyGetLinearDamping(body) == 0
    assert ode.dBodyGetLinearDamping(a_body(world)) == 0.3
    ode.dBodySetLinearDamping(body, 0.1)
    ode.dWorldSetLinearDamping(world, 0.4)
    assert ode.dBodyGetLinearDamping(body) == 0.1
    ode.dBodySetDampingDefaults(body)
    assert ode.dBodyGetLinearDamping(body) == 0.4


def test_the_limit_of_the_angular_speed_acts_before_the_body_moves(world):
    body = a_body(world)
    ode.dBodySetMaxAngularSpeed(body, 2)
    ode.dBodySetFiniteRotationMode(body, 1)
    ode.dBodySetAngularVel(body, 0, 0, 8)
    ode.dWorldStep(world, 0.1)
    close(ode.dBodyGetAngularVel(body)[2], 2)
    close(ode.dBodyGetQuaternion(body), [math.cos(0.1), 0, 0, math.sin(0.1)], atol=1e-12)


def test_finite_rotation_about_an_axis_is_exact_about_it(world):
    body = a_body(world)
    assert ode.dBodyGetFiniteRotationMode(body) == 0
    ode.dBodySetFiniteRotationMode(body, 1)
    close(ode.dBodyGetFiniteRotationAxis(body)[:3], [0, 0, 0])
    ode.dBodySetFiniteRotationAxis(body, 0, 0, 5)
    close(ode.dBodyGetFiniteRotationAxis(body)[:3], [0, 0, 1])
    ode.dBodySetAngularVel(body, 0, 0, 10)
    ode.dWorldStep(world, 0.1)
    close(ode.dBodyGetQuaternion(body), [math.cos(0.5), 0, 0, math.sin(0.5)], atol=1e-12)
    ode.dBodySetFiniteRotationAxis(body, 0, 0, 0)
    close(ode.dBodyGetFiniteRotationAxis(body)[:3], [0, 0, 0])


def test_gravity_may_be_left_out(world):
    ode.dWorldSetGravity(world, 0, 0, -10)
    body, falling = a_body(world), a_body(world)
    assert ode.dBodyGetGravityMode(body) == 1
    ode.dBodySetGravityMode(body, 0)
    ode.dWorldStep(world, STEP)
    close(ode.dBodyGetLinearVel(body)[:3], [0, 0, 0])
    close(ode.dBodyGetLinearVel(falling)[:3], [0, 0, -0.1])


def test_geoms_of_a_body_are_followed_one_by_one(world):
    body = a_body(world)
    assert not ode.dBodyGetFirstGeom(body)
    geoms = [ode.dCreateSphere(0, 1) for _ in range(3)]
    for geom in geoms:
        ode.dGeomSetBody(geom, body)
    found, geom = [], ode.dBodyGetFirstGeom(body)
    while geom:
        found.append(geom)
        geom = ode.dBodyGetNextGeom(geom)
    assert [geoms.index(geom) for geom in found] == [2, 1, 0]


def test_joints_of_a_body_by_number(world):
    one, other = a_body(world), a_body(world)
    joints = [a_joint(ode.dJointCreateBall, world, one, other), a_joint(ode.dJointCreateHinge, world, one, 0)]
    assert ode.dBodyGetNumJoints(one) == 2 and ode.dBodyGetNumJoints(other) == 1
    assert [joints.index(ode.dBodyGetJoint(one, k)) for k in (0, 1)] == [1, 0]


def test_a_step_may_be_as_long_as_10_s(world):
    """ODE's first example of a unit test: gravity acts on the velocity first."""
    body = a_body(world)
    ode.dWorldSetGravity(world, 0, 0, -10)
    ode.dWorldStep(world, 10)
    close(ode.dBodyGetPosition(body)[:3], [0, 0, -1000])
    close(ode.dBodyGetLinearVel(body)[:3], [0, 0, -100])
