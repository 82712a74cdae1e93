"""QuickStep with C names."""

import pytest

from opendynamics import c_api as ode
from opendynamics.c_api import (
    dBodyCreate,
    dBodyGetPosition,
    dBodySetPosition,
    dJointAttach,
    dJointCreateBall,
    dJointSetBallAnchor,
    dRandGetSeed,
    dRandSetSeed,
    dWorldCreate,
    dWorldGetQuickStepNumIterations,
    dWorldGetQuickStepW,
    dWorldQuickStep,
    dWorldSetGravity,
    dWorldSetQuickStepNumIterations,
    dWorldSetQuickStepW,
    dWorldStep,
)


def chain(step):
    """Where the end of a chain of four bodies is after ten steps."""
    world = dWorldCreate()
    dWorldSetGravity(world, 0, 0, -9.81)
    dWorldSetQuickStepNumIterations(world, 200)
    dWorldSetQuickStepW(world, 1.2)
    assert dWorldGetQuickStepNumIterations(world) == 200
    assert dWorldGetQuickStepW(world) == 1.2
    last = 0
    for k in range(4):
        body = dBodyCreate(world)
        dBodySetPosition(body, k + 1, 0, 0)
        joint = dJointCreateBall(world, 0)
        dJointAttach(joint, last, body)
        dJointSetBallAnchor(joint, k, 0, 0)
        last = body
    for _ in range(10):
        assert step(world, 0.01) == 1
    return dBodyGetPosition(last)


def test_many_sweeps_come_close_to_the_exact_step():
    assert chain(dWorldQuickStep) == pytest.approx(chain(dWorldStep), abs=1e-4)


def test_the_seed_is_the_process_s_and_moves_on():
    dRandSetSeed(0)
    first = chain(dWorldQuickStep)
    assert dRandGetSeed() != 0
    dRandSetSeed(0)
    assert list(chain(dWorldQuickStep)) == list(first)


@pytest.mark.parametrize("mode", [ode.dContactApprox1, 0])
def test_endless_friction_holds_before_the_normal_force_has_risen(mode):
    """In the first iteration all forces are 0, and infinity times 0 bounds nothing in ODE; a coefficient of 5 does."""
    speeds = []
    for mu in (ode.dInfinity, 5.0):
        world = ode.dWorldCreate()
        ode.dWorldSetQuickStepNumIterations(world, 1)
        ode.dWorldSetQuickStepW(world, 1.0)
        body = ode.dBodyCreate(world)
        ode.dBodySetLinearVel(body, 1, 0, 1)  # it separates: there is no normal force
        contact = ode.dContact()
        contact.geom.normal[:] = 0, 0, 1
        contact.surface.mode, contact.surface.mu = mode, mu
        ode.dJointAttach(ode.dJointCreateContact(world, 0, contact), body, 0)
        ode.dWorldQuickStep(world, 0.01)
        speeds.append(ode.dBodyGetLinearVel(body)[0])
    assert abs(speeds[0]) < 1e-8
    if mode:
        assert speeds[1] == 1.0


def test_iterations_until_it_converges():
    """ODE's development version: early exit, extra iterations, and a structure that counts them."""
    world = ode.dWorldCreate()
    assert ode.dWorldGetQuickStepDynamicIterationParameters(world) == (0.0, 0.0, 0.01)
    ode.dWorldSetQuickStepDynamicIterationParameters(world)
    assert ode.dWorldGetQuickStepDynamicIterationParameters(world) == (1e-8, 1.0, 1e-2)
    body = ode.dBodyCreate(world)
    joint = ode.dJointCreateBall(world, 0)
    ode.dJointAttach(joint, body, 0)
    ode.dJointSetBallAnchor(joint, 1, 0, 0)
    ode.dBodySetAngularVel(body, 0, 0, 1)
    counts = ode.dWorldQuickStepIterationCount_DynamicAdjustmentStatistics()
    assert ode.dWorldAttachQuickStepDynamicIterationStatisticsSink(world, counts) == 1
    ode.dWorldSetQuickStepNumIterations(world, 200)
    ode.dWorldQuickStep(world, 0.01)
    assert 0 < counts.iteration_count < 200
    assert (counts.premature_exits, counts.prolonged_execs, counts.full_extra_execs) == (1, 0, 0)
    before = counts.iteration_count
    ode.dWorldSetQuickStepDynamicIterationParameters(world, 0.0, 3.0, 1e-12)
    ode.dWorldSetQuickStepNumIterations(world, 2)
    ode.dBodySetAngularVel(body, 0, 0, 5)
    ode.dWorldQuickStep(world, 0.01)
    assert counts.iteration_count == before + 2 * (1 + 3)
    assert (counts.premature_exits, counts.prolonged_execs, counts.full_extra_execs) == (1, 1, 1)
    assert ode.dWorldAttachQuickStepDynamicIterationStatisticsSink(world, 0) == 1
    ode.dWorldQuickStep(world, 0.01)
    assert counts.iteration_count == before + 8
    for wrong in ((-1.0,), (0.0, float("nan")), (0.0, 1e9)):
        with pytest.raises(ValueError):
            ode.dWorldSetQuickStepDynamicIterationParameters(world, *wrong)
        assert ode.dWorldGetQuickStepDynamicIterationParameters(world) == (0.0, 3.0, 1e-12)


FIRST = [0.0, -0.023210832, 0.017408124, -0.006382979, -0.020889749, -0.027852998]
SECOND = [0.0, 0.006963249, -0.005222437, -0.006382979, 0.006266925, 0.008355899]


def test_joints_and_contacts_are_iterated_in_the_order_in_which_they_were_attached():
    """Velocities of libode 0.16.2."""
    for order, expected in (
        ("contact first", FIRST),
        ("joint first", SECOND),
        ("joint after an emptied group", SECOND),
    ):
        world, group = ode.dWorldCreate(), ode.dJointGroupCreate(0)
        ode.dWorldSetQuickStepNumIterations(world, 1)
        body, joint = ode.dBodyCreate(world), ode.dJointCreatePiston(world, 0)

        def touch(world=world, group=group, body=body):
            contact = ode.dContact()
            contact.surface.mode, contact.surface.soft_cfm, contact.surface.motionN = 0x90, 0.01, -0.1
            contact.geom.pos[:3], contact.geom.normal[:3], contact.geom.depth = (1.2, -1.3, 0.7), (0, -0.8, 0.6), 0.04
            ode.dJointAttach(ode.dJointCreateContact(world, group, contact), body, 0)

        if order != "joint first":
            touch()
        ode.dJointAttach(joint, body, 0)
        if order == "joint after an emptied group":
            ode.dJointGroupEmpty(group)
        if order != "contact first":
            touch()
        ode.dWorldQuickStep(world, 0.05)
        assert [*ode.dBodyGetLinearVel(body), *ode.dBodyGetAngularVel(body)] == pytest.approx(expected, abs=1e-8), order
