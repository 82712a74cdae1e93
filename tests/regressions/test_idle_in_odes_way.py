"""A differential run against libode found two differences of auto-disabling by ODE's rule.

dBodySetDampingDefaults counted the idle steps of a body anew, which only dBodySetAutoDisableDefaults does; and kinematic bodies
that a joint holds to the static world never fell asleep, because such a joint moves nothing and was not counted.
"""

import pytest

import opendynamics as od
from opendynamics.c_api import (
    dBodyCreate,
    dBodyIsEnabled,
    dBodySetAngularVel,
    dBodySetAutoDisableSteps,
    dBodySetDampingDefaults,
    dBodySetKinematic,
    dContact,
    dJointAttach,
    dJointCreateBall,
    dJointCreateContact,
    dJointDisable,
    dWorldCreate,
    dWorldSetAutoDisableFlag,
    dWorldSetAutoDisableSteps,
    dWorldStep,
)


def idle_body(steps):
    world = dWorldCreate()
    dWorldSetAutoDisableFlag(world, 1)
    dWorldSetAutoDisableSteps(world, steps)
    return world, dBodyCreate(world)


def test_damping_defaults_count_no_idle_steps_anew():
    world, body = idle_body(10)
    joint = dJointCreateBall(world, 0)
    dJointAttach(joint, body, 0)
    dBodySetAutoDisableSteps(body, 1)  # 10 steps are left all the same, as in ODE
    dBodySetDampingDefaults(body)
    awake = []
    for _ in range(10):
        dWorldStep(world, 0.01)
        awake.append(dBodyIsEnabled(body))
    assert awake == [1] * 9 + [0]


@pytest.mark.parametrize("order", ["body first", "world first"])
@pytest.mark.parametrize("kind", ["ball", "disabled ball", "contact"])
def test_a_kinematic_body_on_a_joint_to_the_world_falls_asleep_by_odes_rule(kind, order):
    world, body = idle_body(0)
    dBodySetKinematic(body)
    joint = dJointCreateContact(world, 0, dContact()) if kind == "contact" else dJointCreateBall(world, 0)
    dJointAttach(joint, *((body, 0) if order == "body first" else (0, body)))
    if kind == "disabled ball":
        dJointDisable(joint)
    dBodySetAngularVel(body, 0.9, -1.1, 1.2)  # with no idle steps and no idle time required, any speed is idle
    dWorldStep(world, 0.01)
    assert not dBodyIsEnabled(body)


def test_without_a_joint_it_does_not():
    world, body = idle_body(0)
    dBodySetKinematic(body)
    dJointAttach(dJointCreateBall(world, 0), dBodyCreate(world), 0)
    dWorldStep(world, 0.01)
    assert dBodyIsEnabled(body)


def test_islands_never_let_kinematic_bodies_sleep():
    world = od.World()
    world.auto_disable, world.auto_disable_steps = True, 0
    body = world.add_body(mass=1, kinematic=True)
    world.add_ball(body, None, anchor=(0, 0, 0))
    world.advance(0.01, steps=3)
    assert body.enabled
