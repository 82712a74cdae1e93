"""`model.state()` took a pose and displacements, but no velocities."""

from pathlib import Path

import numpy as np
import pytest

import opendynamics as od

MODEL = Path(__file__).parents[1] / "data" / "models" / "SR1" / "SR1.body"


def test_a_new_state_has_the_given_velocities():
    model = od.load_robot(MODEL)
    state = model.state(
        q={"LLEG_KNEE": 0.5}, dq={"LLEG_KNEE": -2.0}, linear_velocity=(1, 2, 3), angular_velocity=(4, 5, 6)
    )
    knee = model.joints["LLEG_KNEE"].index
    assert state.q[knee] == 0.5 and state.dq[knee] == -2.0 and np.count_nonzero(state.dq) == 1
    assert state.velocity[:6].tolist() == [1, 2, 3, 4, 5, 6]
    speeds = np.linspace(-1, 1, len(model.joints))
    assert np.array_equal(model.state(dq=speeds).dq, speeds) and not model.state().velocity.any()


def test_a_robot_starts_with_the_velocities_of_its_state():
    model = od.load_robot(MODEL)
    start = model.state(
        position=(0, 0, 5), dq={"LLEG_KNEE": 1.5}, linear_velocity=(1, 0, 0), angular_velocity=(0, 0, 2)
    )
    robot = od.Robot(od.World(), model, start)
    assert robot.read().velocity == pytest.approx(start.velocity, abs=1e-12)


def test_velocities_that_a_state_cannot_have():
    model = od.load_robot(MODEL, fixed_root=True)
    with pytest.raises(
        ValueError, match="the root of SR1 is fixed and has no linear velocity; load it with fixed_root=False"
    ):
        model.state(linear_velocity=(1, 0, 0))
    with pytest.raises(ValueError, match="dq of SR1 must have the shape"):
        model.state(dq=(1, 2))
    with pytest.raises(KeyError, match="LLEG_KNEE"):
        model.state(dq={"LLEG_KNE": 1.0})
