"""At the end of a program, geoms that were still held printed "TypeError: 'NoneType' object is not callable"."""

import opendynamics as od
from opendynamics.api.geoms import geom as module


def test_a_geom_that_goes_when_python_ends_uses_no_global_name(monkeypatch):
    ball = od.Sphere(1.0)
    with monkeypatch.context() as ending:
        for name in ("suppress", "Context"):  # as Python leaves them
            ending.setattr(module, name, None)
        ball.__del__(lambda: True)
    assert ball.alive
