"""A surface set for a tuple of one material was stored, but not found by that tuple."""

from __future__ import annotations

import opendynamics as od


def test_a_material_in_a_tuple_is_that_material():
    surfaces = od.World().surfaces
    surfaces[("ice",)] = od.Surface(mu=0.1)
    assert surfaces["ice"] == surfaces[("ice",)] == od.Surface(mu=0.1)
    assert "ice" in surfaces and ("ice",) in surfaces
    assert ("wood",) not in surfaces and ("ice", "wood") not in surfaces
