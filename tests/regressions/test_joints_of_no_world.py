"""Joints whose equations ODE has wrong raised AttributeError for what is no world, where all others name the mistake."""

from __future__ import annotations

import pytest

import opendynamics as od


@pytest.mark.parametrize("kind", [od.Hinge, od.PR, od.PU, od.Transmission])
def test_what_is_no_world_is_named(kind):
    with pytest.raises(TypeError, match=f"a {kind.kind} joint lives in a World, not in 5"):
        kind(5)
