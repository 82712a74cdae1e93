"""dBodySetAutoDisableFlag(body, 0) and dBodySetAutoDisableDefaults counted the idle steps of a body anew, which ODE does not.

How many steps are left are ODE's.
"""

import pytest

from opendynamics.c_api import (
    dBodyCreate,
    dBodyDisable,
    dBodyIsEnabled,
    dBodySetAutoDisableDefaults,
    dBodySetAutoDisableFlag,
    dBodySetAutoDisableSteps,
    dJointAttach,
    dJointCreateFixed,
    dWorldCreate,
    dWorldSetAutoDisableSteps,
    dWorldStep,
)


@pytest.mark.parametrize("disabled", [False, True])
@pytest.mark.parametrize(("idle", "steps_of_world", "steps_of_body"), [(0, 10, 3), (4, 10, 10), (4, 6, 3), (4, 20, 10)])
@pytest.mark.parametrize("clear", [lambda body: dBodySetAutoDisableFlag(body, 0), dBodySetAutoDisableDefaults])
def test_idle_steps_are_not_counted_anew(clear, idle, steps_of_world, steps_of_body, disabled):
    world = dWorldCreate()
    body = dBodyCreate(world)
    dJointAttach(dJointCreateFixed(world, 0), body, 0)
    dBodySetAutoDisableFlag(body, 1)
    for _ in range(idle):
        dWorldStep(world, 0.05)
    dWorldSetAutoDisableSteps(world, steps_of_world)
    dBodySetAutoDisableSteps(body, steps_of_body)
    if disabled:
        dBodyDisable(body)
    clear(body)
    dBodySetAutoDisableFlag(body, 1)
    steps = 0
    while dBodyIsEnabled(body):
        dWorldStep(world, 0.05)
        steps += 1
    assert steps == 10 - idle
