"""Setters and getters of C names: worlds, bodies, geoms, spaces and the parameters of every joint."""

import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


@pytest.fixture
def world():
    return ode.dWorldCreate()


@pytest.fixture
def body(world):
    body = ode.dBodyCreate(world)
    ode.dBodySetPosition(body, 1, 2, 3)
    ode.dBodySetRotation(body, ode.dRFromAxisAndAngle(0, 0, 1, np.pi / 2))  # its x is the world's y
    return body


def test_settings_of_a_world(world):
    ode.dWorldSetAngularDamping(world, 0.25)
    ode.dWorldSetAngularDampingThreshold(world, 0.2)
    ode.dWorldSetLinearDampingThreshold(world, 0.3)
    ode.dWorldSetAutoDisableAngularThreshold(world, 0.4)
    ode.dWorldSetAutoDisableLinearThreshold(world, 0.5)
    ode.dWorldSetAutoDisableFlag(world, 1)
    ode.dWorldSetAutoDisableSteps(world, 7)
    ode.dWorldSetAutoDisableTime(world, 0.6)
    ode.dWorldSetAutoDisableAverageSamplesCount(world, 3)
    ode.dWorldSetContactMaxCorrectingVel(world, 0.7)
    ode.dWorldSetContactSurfaceLayer(world, 0.01)
    ode.dWorldSetMaxAngularSpeed(world, 8)
    ode.dWorldSetData(world, "mine")
    assert ode.dWorldGetAngularDamping(world) == 0.25
    assert ode.dWorldGetAngularDampingThreshold(world) == 0.2
    assert ode.dWorldGetLinearDampingThreshold(world) == 0.3
    assert ode.dWorldGetAutoDisableAngularThreshold(world) == 0.4
    assert ode.dWorldGetAutoDisableLinearThreshold(world) == 0.5
    assert ode.dWorldGetAutoDisableFlag(world) == 1
    assert ode.dWorldGetAutoDisableSteps(world) == 7
    assert ode.dWorldGetAutoDisableTime(world) == 0.6
    assert ode.dWorldGetAutoDisableAverageSamplesCount(world) == 3
    assert ode.dWorldGetContactMaxCorrectingVel(world) == 0.7
    assert ode.dWorldGetContactSurfaceLayer(world) == 0.01
    assert ode.dWorldGetMaxAngularSpeed(world) == 8
    assert ode.dWorldGetData(world) == "mine"


def test_settings_of_a_body(body):
    ode.dBodySetAngularDamping(body, 0.1)
    ode.dBodySetAngularDampingThreshold(body, 0.2)
    ode.dBodySetLinearDamping(body, 0.3)
    ode.dBodySetLinearDampingThreshold(body, 0.4)
    ode.dBodySetAutoDisableAngularThreshold(body, 0.5)
    ode.dBodySetAutoDisableLinearThreshold(body, 0.6)
    ode.dBodySetMaxAngularSpeed(body, 7)
    assert ode.dBodyGetAngularDamping(body) == 0.1
    assert ode.dBodyGetAngularDampingThreshold(body) == 0.2
    assert ode.dBodyGetLinearDamping(body) == 0.3
    assert ode.dBodyGetLinearDampingThreshold(body) == 0.4
    assert ode.dBodyGetAutoDisableAngularThreshold(body) == 0.5
    assert ode.dBodyGetAutoDisableLinearThreshold(body) == 0.6
    assert ode.dBodyGetMaxAngularSpeed(body) == 7
    close(ode.dBodyCopyQuaternion(body), ode.dBodyGetQuaternion(body))
    close(ode.dBodyCopyRotation(body), ode.dBodyGetRotation(body))


def loads(body):
    """Force and torque since the last call."""
    found = np.concatenate([ode.dBodyGetForce(body)[:3], ode.dBodyGetTorque(body)[:3]])
    ode.dBodySetForce(body, 0, 0, 0)
    ode.dBodySetTorque(body, 0, 0, 0)
    return found


def test_forces_in_both_frames_at_points_of_both(body):
    """Torque = arm x force; the body's x, y and z are the world's y, -x and z, its origin is (1, 2, 3)."""
    ode.dBodyAddTorque(body, 1, 2, 3)
    close(loads(body), [0, 0, 0, 1, 2, 3])
    ode.dBodyAddRelTorque(body, 1, 2, 3)
    close(loads(body), [0, 0, 0, -2, 1, 3], atol=1e-14)
    ode.dBodyAddRelForce(body, 1, 2, 3)
    close(loads(body), [-2, 1, 3, 0, 0, 0], atol=1e-14)
    ode.dBodyAddForceAtPos(body, 0, 0, 5, 2, 2, 3)
    close(loads(body), [0, 0, 5, 0, -5, 0])
    ode.dBodyAddForceAtRelPos(body, 0, 0, 5, 1, 0, 0)
    close(loads(body), [0, 0, 5, 5, 0, 0], atol=1e-14)
    ode.dBodyAddRelForceAtPos(body, 5, 0, 0, 2, 2, 3)
    close(loads(body), [0, 5, 0, 0, 0, 5], atol=1e-14)
    ode.dBodyAddRelForceAtRelPos(body, 0, 0, 5, 1, 0, 0)
    close(loads(body), [0, 0, 5, 5, 0, 0], atol=1e-14)


def test_places_of_geoms_are_copied(body):
    geom = ode.dCreateBox(0, 1, 2, 3)
    ode.dGeomSetPosition(geom, 4, 5, 6)
    close(ode.dGeomCopyPosition(geom)[:3], [4, 5, 6])
    close(ode.dGeomCopyRotation(geom), ode.dGeomGetRotation(geom))
    ode.dGeomSetBody(geom, body)
    turn = ode.dQFromAxisAndAngle(1, 0, 0, 0.5)
    ode.dGeomSetOffsetPosition(geom, 0, 0, 2)
    ode.dGeomSetOffsetQuaternion(geom, turn)
    close(ode.dGeomCopyOffsetPosition(geom)[:3], [0, 0, 2])
    close(ode.dGeomCopyOffsetRotation(geom), ode.dRFromAxisAndAngle(1, 0, 0, 0.5), atol=1e-14)
    ode.dGeomSetOffsetWorldQuaternion(geom, turn)
    close(ode.dGeomGetQuaternion(geom), turn, atol=1e-14)
    ode.dGeomSetOffsetWorldRotation(geom, ode.dRFromAxisAndAngle(0, 1, 0, 0.25))
    close(ode.dGeomGetRotation(geom), ode.dRFromAxisAndAngle(0, 1, 0, 0.25), atol=1e-14)


def test_capsules_and_spaces():
    capsule = ode.dCreateCapsule(0, 1, 1)
    ode.dGeomCapsuleSetParams(capsule, 0.5, 2)
    close(ode.dGeomCapsuleGetParams(capsule), (0.5, 2))
    assert ode.dGeomCapsulePointDepth(capsule, 0, 0, 1.25) == 0.25
    space = ode.dSimpleSpaceCreate(0)
    assert ode.dSpaceGetCleanup(space) == 1 and ode.dSpaceGetSublevel(space) == 0
    ode.dSpaceSetCleanup(space, 0)
    assert ode.dSpaceGetCleanup(space) == 0


def test_a_stranger_is_removed_from_no_space():
    space, other = ode.dHashSpaceCreate(0), ode.dHashSpaceCreate(0)
    stranger, member = ode.dCreateSphere(other, 1), ode.dCreateSphere(space, 1)
    ode.dSpaceRemove(space, stranger)
    ode.dSpaceRemove(space, ode.dCreateSphere(0, 1))
    assert ode.dSpaceQuery(other, stranger) == 1 and ode.dSpaceQuery(space, member) == 1
    ode.dSpaceRemove(space, member)
    assert ode.dSpaceGetNumGeoms(space) == 0


def test_threading_parameters(world):
    parameters = ode.dWorldSteppingThreadingParameters(
        ode.dWSTP_LCPSolvingMaxThreads | ode.dWSTP_IslandSteppingMaxThreads
    )
    parameters.lcp_solving_max_threads, parameters.island_stepping_max_threads = 3, 2
    parameters.world_islands_iteration_max_threads = 9  # is not meant
    ode.dWorldSetSteppingThreadingParameters(world, parameters)
    found = ode.dWorldSteppingThreadingParameters(7)
    ode.dWorldGetSteppingThreadingParameters(world, found)
    assert (found.lcp_solving_max_threads, found.island_stepping_max_threads) == (3, 2)
    assert found.world_islands_iteration_max_threads == ode.dWORLDSTEP_THREADCOUNT_UNLIMITED
    ode.dWorldSetStepIslandsProcessingMaxThreadCount(world, 4)
    assert ode.dWorldGetStepIslandsProcessingMaxThreadCount(world) == 4
    ode.dWorldGetSteppingThreadingParameters(world, found)
    assert found.world_islands_iteration_max_threads == 4
    found.lcp_solving_max_threads = -1
    with pytest.raises(ValueError, match="lcp_solving_max_threads must be at least 0"):
        ode.dWorldSetSteppingThreadingParameters(world, found)
    with pytest.raises(ValueError, match="param_set"):
        ode.dWorldGetSteppingThreadingParameters(world, ode.dWorldSteppingThreadingParameters(8))


def pulling(limit, at=(0.0, 0.0, 0.0)):
    """A contact at a point that may pull a body up with so much force."""
    contact = ode.dContact()
    contact.surface.mode, contact.surface.inward_force_limit = ode.dContactInelastic | ode.dContactApprox1, limit
    contact.surface.mu = 0.5
    contact.geom.pos, contact.geom.normal = np.array(at), np.array([0.0, 0.0, -1.0])
    return contact


@pytest.mark.parametrize("step", [ode.dWorldStep, ode.dWorldQuickStep])
@pytest.mark.parametrize("limit", [-30.0, -2.0, 0.0, 1.0, -math.inf])
def test_inelastic_contacts_pull_as_far_as_they_may(world, body, step, limit):
    """ODE's development version: the force along the normal is at least the limit, if that is below 0, otherwise 0."""
    ode.dWorldSetGravity(world, 0, 0, -10.0)  # the body has 1 kg
    group, force = ode.dJointGroupCreate(0), ode.dJointFeedback()
    for _ in range(10):
        joint = ode.dJointCreateContact(world, group, pulling(limit, at=ode.dBodyGetPosition(body)[:3]))
        ode.dJointAttach(joint, body, 0)
        ode.dJointSetFeedback(joint, force)
        ode.dBodyAddForce(body, 4.0, 0, 0)
        step(world, 0.01)
        ode.dJointGroupEmpty(group)
    held = min(10.0, -min(limit, 0.0))
    close(force.f1[2], held, atol=1e-6)
    close(ode.dBodyGetLinearVel(body)[2], -(10.0 - held) * 0.1, atol=1e-6)
    close(
        force.f1[0], -min(4.0, 0.5 * held), rtol=1e-3, atol=1e-6
    )  # friction follows the size of the force along the normal


def test_contacts_that_pull_do_not_bounce(world):
    contact = pulling(-1.0)
    contact.surface.mode |= ode.dContactBounce
    with pytest.raises(ValueError, match="does not bounce: leave out dContactBounce"):
        ode.dJointCreateContact(world, None, contact)
    contact.surface.inward_force_limit = 0.0  # pulls not
    ode.dJointCreateContact(world, None, contact)
    contact.surface.inward_force_limit = math.nan
    with pytest.raises(ValueError, match="inward_force_limit"):
        ode.dJointCreateContact(world, None, contact)


def joint_of(create, world, body):
    joint = create(world, 0)
    other = 0 if create is ode.dJointCreatePlane2D else ode.dBodyCreate(world)
    ode.dJointAttach(joint, body, other)
    return joint


def test_parameters_of_universal_joints(world, body):
    joint = joint_of(ode.dJointCreateUniversal, world, body)
    ode.dJointSetUniversalParam(joint, ode.dParamLoStop, -0.5)
    ode.dJointSetUniversalParam(joint, ode.dParamHiStop2, 0.75)
    assert ode.dJointGetUniversalParam(joint, ode.dParamLoStop) == -0.5
    assert ode.dJointGetUniversalParam(joint, ode.dParamHiStop2) == 0.75
    assert ode.dJointGetUniversalParam(joint, ode.dParamHiStop) == ode.dInfinity


def test_parameters_of_sliding_joints(world, body):
    joint = joint_of(ode.dJointCreateSlider, world, body)
    ode.dJointSetSliderParam(joint, ode.dParamBounce, 0.5)
    assert ode.dJointGetSliderParam(joint, ode.dParamBounce) == 0.5
    joint = joint_of(ode.dJointCreatePR, world, body)
    ode.dJointSetPRParam(joint, ode.dParamVel2, 3)
    assert ode.dJointGetPRParam(joint, ode.dParamVel2) == 3 and ode.dJointGetPRParam(joint, ode.dParamVel) == 0
    joint = joint_of(ode.dJointCreatePU, world, body)
    ode.dJointSetPUParam(joint, ode.dParamFMax3, 4)
    assert ode.dJointGetPUParam(joint, ode.dParamFMax3) == 4 and ode.dJointGetPUParam(joint, ode.dParamFMax) == 0
    joint = joint_of(ode.dJointCreatePiston, world, body)
    ode.dJointSetPistonParam(joint, ode.dParamStopERP2, 0.4)
    assert ode.dJointGetPistonParam(joint, ode.dParamStopERP2) == 0.4
    assert ode.dJointGetPistonParam(joint, ode.dParamStopERP1) == 0.2


def test_softness_of_joints_that_have_their_own(world, body):
    joint = joint_of(ode.dJointCreateFixed, world, body)
    ode.dJointSetFixedParam(joint, ode.dParamERP, 0.3)
    assert ode.dJointGetFixedParam(joint, ode.dParamERP) == 0.3
    joint = joint_of(ode.dJointCreateDBall, world, body)
    ode.dJointSetDBallParam(joint, ode.dParamCFM, 1e-4)
    assert ode.dJointGetDBallParam(joint, ode.dParamCFM) == 1e-4
    joint = joint_of(ode.dJointCreateDHinge, world, body)
    ode.dJointSetDHingeParam(joint, ode.dParamERP, 0.5)
    assert ode.dJointGetDHingeParam(joint, ode.dParamERP) == 0.5
    joint = joint_of(ode.dJointCreateTransmission, world, body)
    ode.dJointSetTransmissionParam(joint, ode.dParamCFM, 1e-5)
    assert ode.dJointGetTransmissionParam(joint, ode.dParamCFM) == 1e-5


def test_motors_of_a_body_in_the_plane(world):
    body = ode.dBodyCreate(world)
    joint = joint_of(ode.dJointCreatePlane2D, world, body)
    for function, speed in (
        (ode.dJointSetPlane2DXParam, 1),
        (ode.dJointSetPlane2DYParam, 2),
        (ode.dJointSetPlane2DAngleParam, 3),
    ):
        function(joint, ode.dParamFMax, ode.dInfinity)
        function(joint, ode.dParamVel, speed)
    ode.dJointSetPlane2DXParam(joint, ode.dParamVel, 4)
    ode.dJointSetPlane2DYParam(joint, ode.dParamVel, 5)
    ode.dJointSetPlane2DAngleParam(joint, ode.dParamVel, 6)
    ode.dWorldStep(world, 0.01)
    close([*ode.dBodyGetLinearVel(body)[:2], ode.dBodyGetAngularVel(body)[2]], [4, 5, 6], rtol=1e-6)


@pytest.mark.parametrize("kind", ["PR", "PU", "Transmission"])
def test_joints_of_c_names_have_odes_rows(world, kind):
    joint = getattr(ode, f"dJointCreate{kind}")(world, None)
    assert joint.like_ode is True
    joint.like_ode = False  # the switch
    assert joint.like_ode is False
