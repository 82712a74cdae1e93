"""A name where a frame was expected raised an error from inside that said nothing about recordings."""

import pytest

import opendynamics as od


def test_a_name_is_no_frame(tmp_path):
    world = od.World()
    world.add_body(od.Sphere(0.1), name="ball")
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.01, steps=2)
    with od.Recording(tmp_path / "run.odr") as recording:
        with pytest.raises(TypeError, match=r"a whole number.*'ball'; the path of a body is recording\.positions"):
            recording["ball"]
        with pytest.raises(AttributeError, match=r"pandas\.read_csv"):
            recording.to_pandas  # noqa: B018
