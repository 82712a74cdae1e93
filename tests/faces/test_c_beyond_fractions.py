"""ERP, bounce of stops and damping outside [0, 1]: C names and PyODE accept them, as ODE does."""

import pytest

import opendynamics as od
from opendynamics import pyode
from opendynamics.c_api import (
    dBodyCreate,
    dBodyGetAutoDisableTime,
    dBodyGetLinearVel,
    dBodySetAutoDisableTime,
    dBodySetDamping,
    dBodySetLinearVel,
    dJointCreateBall,
    dJointCreateHinge,
    dJointGetBallParam,
    dJointGetHingeParam,
    dJointSetBallParam,
    dJointSetHingeParam,
    dParamBounce,
    dParamCFM,
    dParamStopERP,
    dWorldCreate,
    dWorldGetCFM,
    dWorldGetERP,
    dWorldGetLinearDamping,
    dWorldGetQuickStepW,
    dWorldSetCFM,
    dWorldSetDamping,
    dWorldSetERP,
    dWorldSetQuickStepW,
    dWorldStep,
)


def test_c_names_take_them():
    world = dWorldCreate()
    dWorldSetERP(world, 1.5)
    dWorldSetDamping(world, 2.0, -0.5)
    assert (dWorldGetERP(world), dWorldGetLinearDamping(world)) == (1.5, 2.0)
    joint = dJointCreateHinge(world, 0)
    for parameter, value in ((dParamStopERP, 8.0), (dParamBounce, 6.0)):
        dJointSetHingeParam(joint, parameter, value)
        assert dJointGetHingeParam(joint, parameter) == value
    with pytest.raises(ValueError, match="finite"):
        dWorldSetERP(world, float("inf"))


def test_damping_beyond_one_turns_the_velocity_round_as_in_ode():
    world = dWorldCreate()
    body = dBodyCreate(world)
    dBodySetDamping(body, 1.5, 0.0)
    dBodySetLinearVel(body, 1.0, 0.0, 0.0)
    dWorldStep(world, 0.01)
    assert dBodyGetLinearVel(body)[0] == pytest.approx(-0.5)


def test_pyode_takes_them():
    world = pyode.World()
    world.setERP(1.5)
    world.setLinearDamping(2.0)
    hinge = pyode.HingeJoint(world)
    hinge.setParam(pyode.ParamStopERP, 8.0)
    assert (world.getERP(), world.getLinearDamping(), hinge.getParam(pyode.ParamStopERP)) == (1.5, 2.0, 8.0)


def test_the_pythonic_face_warns_of_them():
    world = od.World()
    hinge = world.add_hinge(world.add_body(), None)
    for owner, name, value, bounds in (
        *((world, name, 1.5, "between 0 and 1") for name in ("erp", "linear_damping", "angular_damping")),
        *((owner, "cfm", -1e-3, "at least 0") for owner in (world, hinge.limit_motor)),
        (hinge.limit_motor, "stop_erp", -0.5, "between 0 and 1"),
        (world, "quickstep_relaxation", 2.5, "between 0 and 2"),
    ):
        with pytest.warns(UserWarning, match=f"is {value}, but should be {bounds}"):
            setattr(owner, name, value)
        assert getattr(owner, name) == value


def test_c_names_take_negative_softness_and_any_relaxation():
    world = dWorldCreate()
    dWorldSetCFM(world, -1e-3)
    dWorldSetQuickStepW(world, 2.5)
    joint = dJointCreateBall(world, 0)
    dJointSetBallParam(joint, dParamCFM, -0.5)
    body = dBodyCreate(world)
    dBodySetAutoDisableTime(body, -1.0)
    assert (dWorldGetCFM(world), dWorldGetQuickStepW(world)) == (-1e-3, 2.5)
    assert (dJointGetBallParam(joint, dParamCFM), dBodyGetAutoDisableTime(body)) == (-0.5, -1.0)
