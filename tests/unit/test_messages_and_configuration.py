"""Messages of the engine go to warnings and to logging; its configuration can be queried."""

import logging
import warnings

import numba
import numpy as np
import pytest

import opendynamics as od
from opendynamics.c_api import dCheckConfiguration, dGetConfiguration
from opendynamics.cli.checks.extras import EXTRAS, version_of
from opendynamics.core.compile.messages import Messages


def test_every_warning_is_logged_and_warned_of_at_the_users_line(caplog):
    world = od.World()
    with warnings.catch_warnings(record=True) as warned, caplog.at_level("WARNING", logger="opendynamics"):
        warnings.simplefilter("default")
        for _ in range(3):
            world.erp = 1.5
    assert len(warned) == 1  # once for a place
    assert warned[0].filename == __file__
    records = [record for record in caplog.records if record.name == "opendynamics"]
    assert len(records) == 3 and all("should be between 0 and 1" in record.getMessage() for record in records)
    assert all(record.levelno == logging.WARNING and record.pathname == __file__ for record in records)


def test_a_frozen_body_is_logged(caplog):
    world = od.World()
    body = world.add_body(mass=1, name="comet")
    body.linear_velocity = (1e308, 0, 0)
    body.add_force((1e308, 0, 0))
    with pytest.warns(od.FaultWarning):
        world.advance(1.0)
    assert any("comet" in record.getMessage() for record in caplog.records)


def test_without_logging_nothing_is_printed(capfd):
    root = logging.getLogger()
    handlers, root.handlers = root.handlers, []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            od.World().erp = 1.5
    finally:
        root.handlers = handlers
    assert capfd.readouterr() == ("", "")


def test_compiled_kernels_are_logged(caplog):
    with caplog.at_level("INFO", logger="opendynamics"), Messages().waiting_for("core.step", "nowhere"):
        pass
    assert "compiled core.step in 0.0 s" in caplog.text


def test_configuration():
    made_of = od.configuration()
    assert (made_of.version, made_of.precision) == (od.__version__, "double")
    assert (made_of.numpy, made_of.numba) == (np.__version__, numba.__version__)
    assert made_of.processors >= 1 and made_of.machine_code.name
    assert set(made_of.extras) == {
        extra for extra, (names, _) in EXTRAS.items() if all(version_of(name) is not None for name in names)
    }
    assert dGetConfiguration() == " ".join(made_of.tokens)
    assert [dCheckConfiguration(token) for token in ("ODE_EXT_trimesh", "ODE_EXT", "ODE_single_precision")] == [1, 0, 0]
