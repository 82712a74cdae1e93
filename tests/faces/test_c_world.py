"""The C names of the world: parameters, steps, and what bodies inherit."""

import gc
import math
import weakref

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


@pytest.fixture
def world():
    return ode.dWorldCreate()


@pytest.mark.parametrize(
    ("setter", "getter", "default", "value"),
    [
        (ode.dWorldSetData, ode.dWorldGetData, None, {"mine": 1}),
        (ode.dWorldSetERP, ode.dWorldGetERP, 0.2, 0.7),
        (ode.dWorldSetCFM, ode.dWorldGetCFM, 1e-10, 1e-3),
        (ode.dWorldSetContactMaxCorrectingVel, ode.dWorldGetContactMaxCorrectingVel, math.inf, 0.5),
        (ode.dWorldSetContactSurfaceLayer, ode.dWorldGetContactSurfaceLayer, 0.0, 0.01),
        (ode.dWorldSetStepIslandsProcessingMaxThreadCount, ode.dWorldGetStepIslandsProcessingMaxThreadCount, 0, 3),
    ],
)
def test_parameters(world, setter, getter, default, value):
    assert getter(world) == default
    setter(world, value)
    assert getter(world) == value
    assert getter(ode.dWorldCreate()) == default


# Setter, getter, ODE's default, another value; the same of a body.
BODY_SETTINGS = [
    *zip(
        (
            ode.dWorldSetAutoDisableLinearThreshold,
            ode.dWorldSetAutoDisableAngularThreshold,
            ode.dWorldSetAutoDisableTime,
        ),
        (
            ode.dWorldGetAutoDisableLinearThreshold,
            ode.dWorldGetAutoDisableAngularThreshold,
            ode.dWorldGetAutoDisableTime,
        ),
        (ode.dBodySetAutoDisableLinearThreshold, ode.dBodySetAutoDisableAngularThreshold, ode.dBodySetAutoDisableTime),
        (ode.dBodyGetAutoDisableLinearThreshold, ode.dBodyGetAutoDisableAngularThreshold, ode.dBodyGetAutoDisableTime),
        (0.01, 0.01, 0.0),
        (0.5, 0.6, 0.7),
        strict=True,
    ),
    *zip(
        (ode.dWorldSetAutoDisableAverageSamplesCount, ode.dWorldSetAutoDisableSteps, ode.dWorldSetAutoDisableFlag),
        (ode.dWorldGetAutoDisableAverageSamplesCount, ode.dWorldGetAutoDisableSteps, ode.dWorldGetAutoDisableFlag),
        (ode.dBodySetAutoDisableAverageSamplesCount, ode.dBodySetAutoDisableSteps, ode.dBodySetAutoDisableFlag),
        (ode.dBodyGetAutoDisableAverageSamplesCount, ode.dBodyGetAutoDisableSteps, ode.dBodyGetAutoDisableFlag),
        (1, 10, 0),
        (4, 5, 1),
        strict=True,
    ),
    *zip(
        (ode.dWorldSetLinearDamping, ode.dWorldSetAngularDamping, ode.dWorldSetMaxAngularSpeed),
        (ode.dWorldGetLinearDamping, ode.dWorldGetAngularDamping, ode.dWorldGetMaxAngularSpeed),
        (ode.dBodySetLinearDamping, ode.dBodySetAngularDamping, ode.dBodySetMaxAngularSpeed),
        (ode.dBodyGetLinearDamping, ode.dBodyGetAngularDamping, ode.dBodyGetMaxAngularSpeed),
        (0.0, 0.0, math.inf),
        (0.1, 0.2, 3.0),
        strict=True,
    ),
    *zip(
        (ode.dWorldSetLinearDampingThreshold, ode.dWorldSetAngularDampingThreshold),
        (ode.dWorldGetLinearDampingThreshold, ode.dWorldGetAngularDampingThreshold),
        (ode.dBodySetLinearDampingThreshold, ode.dBodySetAngularDampingThreshold),
        (ode.dBodyGetLinearDampingThreshold, ode.dBodyGetAngularDampingThreshold),
        (0.01, 0.01),
        (0.3, 0.4),
        strict=True,
    ),
]


@pytest.mark.parametrize(("set_world", "get_world", "set_body", "get_body", "default", "value"), BODY_SETTINGS)
def test_settings_of_worlds_and_bodies(world, set_world, get_world, set_body, get_body, default, value):
    before = ode.dBodyCreate(world)
    assert get_world(world) == get_body(before) == default
    set_world(world, value)
    after = ode.dBodyCreate(world)
    assert get_world(world) == get_body(after) == value
    assert get_body(before) == default
    set_body(before, value)
    assert get_body(before) == value
    set_body(before, default)
    assert get_body(before) == default


def test_bodies_take_over_defaults(world):
    body = ode.dBodyCreate(world)
    ode.dWorldSetDamping(world, 0.1, 0.2)
    ode.dWorldSetAutoDisableFlag(world, 1)
    ode.dWorldSetAutoDisableSteps(world, 77)
    assert (ode.dWorldGetLinearDamping(world), ode.dWorldGetAngularDamping(world)) == (0.1, 0.2)
    ode.dBodySetDampingDefaults(body)
    assert (ode.dBodyGetLinearDamping(body), ode.dBodyGetAngularDamping(body)) == (0.1, 0.2)
    ode.dBodySetAutoDisableDefaults(body)
    assert ode.dBodyGetAutoDisableFlag(body) == 1 and ode.dBodyGetAutoDisableSteps(body) == 77
    ode.dBodySetDamping(body, 0.3, 0.4)
    assert (ode.dBodyGetLinearDamping(body), ode.dBodyGetAngularDamping(body)) == (0.3, 0.4)


def test_damping_and_speed_limit_act(world):
    body = ode.dBodyCreate(world)
    ode.dBodySetDamping(body, 0.1, 0.2)
    ode.dBodySetLinearVel(body, 1, 0, 0)
    ode.dBodySetAngularVel(body, 0, 1, 0)
    ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetLinearVel(body), [0.9, 0, 0])
    close(ode.dBodyGetAngularVel(body), [0, 0.8, 0])
    ode.dBodySetMaxAngularSpeed(body, 0.5)
    ode.dWorldStep(world, 0.01)
    close(ode.dBodyGetAngularVel(body), [0, 0.4, 0])


def test_gravity_and_step(world):
    close(ode.dWorldGetGravity(world), [0, 0, 0])
    ode.dWorldSetGravity(world, 1, 2, -9.81)
    close(ode.dWorldGetGravity(world), [1, 2, -9.81])
    body = ode.dBodyCreate(world)
    assert ode.dWorldStep(world, 0.1) == 1
    close(ode.dBodyGetLinearVel(body), [0.1, 0.2, -0.981])
    close(ode.dWorldImpulseToForce(world, 0.5, 1, 2, 3), [2, 4, 6])
    with pytest.raises(ValueError, match="step size"):
        ode.dWorldStep(world, 0)


def test_threads_and_memory_are_accepted(world):
    pool = ode.dThreadingAllocateThreadPool(4, 0, ode.dAllocateFlagBasicData, None)
    served = []
    for implementation in (
        ode.dThreadingAllocateMultiThreadedImplementation(),
        ode.dThreadingAllocateSelfThreadedImplementation(),
    ):
        ode.dThreadingThreadPoolServeMultiThreadedImplementation(pool, implementation)
        ode.dExternalThreadingServeMultiThreadedImplementation(implementation, served.append, "ready")
        functions = ode.dThreadingImplementationGetFunctions(implementation)
        assert ode.dWorldSetStepThreadingImplementation(world, functions, implementation) is None
        assert ode.dWorldStep(world, 0.01) == 1
        ode.dThreadingImplementationShutdownProcessing(implementation)
        ode.dThreadingImplementationCleanupForRestart(implementation)
        ode.dThreadingThreadPoolWaitIdleState(pool)
        ode.dThreadingFreeImplementation(implementation)
        assert isinstance(implementation, ode.dThreadingImplementationID)
    ode.dThreadingFreeThreadPool(pool)
    assert served == ["ready", "ready"] and isinstance(pool, ode.dThreadingThreadPoolID)
    assert ode.dWorldUseSharedWorkingMemory(world, ode.dWorldCreate()) == 1
    assert ode.dWorldUseSharedWorkingMemory(world, None) == 1
    assert ode.dWorldSetStepMemoryReservationPolicy(world, ode.dWorldStepReserveInfo(16, 1.5, 1000)) == 1
    assert ode.dWorldSetStepMemoryManager(world, ode.dWorldStepMemoryFunctionsInfo()) == 1
    assert ode.dWorldSetStepMemoryManager(world, 0) == 1
    assert ode.dWorldCleanupWorkingMemory(world) is None
    with pytest.raises(TypeError, match="must be the ID of a World"):
        ode.dWorldUseSharedWorkingMemory(world, "another")
    for call, wrong in (
        (ode.dWorldSetStepMemoryReservationPolicy, (7,)),
        (ode.dWorldSetStepMemoryManager, ("x",)),
        (ode.dWorldSetStepThreadingImplementation, (5, None)),
        (ode.dWorldSetStepThreadingImplementation, (None, 6)),
    ):
        with pytest.raises(TypeError, match=f"{call.__name__}: .* must be"):
            call(world, *wrong)
    for wrong in ((5, None), (None, 6)):
        with pytest.raises(TypeError, match=r"dCooperativeCreate: .* must be"):
            ode.dCooperativeCreate(*wrong)


def test_the_end_of_a_world(world):
    body, space = ode.dBodyCreate(world), ode.dSimpleSpaceCreate(None)
    geom, joint = ode.dCreateSphere(space, 1), ode.dJointCreateBall(world, 0)
    ode.dGeomSetBody(geom, body)
    ode.dJointAttach(joint, body, 0)
    ode.dWorldDestroy(world)
    with pytest.raises(ReferenceError):
        ode.dBodyGetPosition(body)
    with pytest.raises(ReferenceError):
        ode.dJointGetBallAnchor(joint)
    assert ode.dGeomGetBody(geom) is None and ode.dSpaceQuery(space, geom) == 1


def test_nothing_keeps_a_forgotten_world():
    world = ode.dWorldCreate()
    joint = ode.dJointCreateBall(world, 0)
    ode.dJointAttach(joint, ode.dBodyCreate(world), None)
    ode.dJointSetFeedback(joint, ode.dJointFeedback())
    ode.dWorldSetStepIslandsProcessingMaxThreadCount(world, 2)
    gone = weakref.ref(world)
    del world, joint
    gc.collect()
    assert gone() is None
