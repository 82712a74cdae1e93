"""`od.configuration()` counted processors that the process may not use, unlike `world.threads`."""

from __future__ import annotations

import os

import pytest

import opendynamics as od


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no affinity of processes")
def test_processors_are_those_of_the_process(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0})
    assert od.configuration().processors == od.World().threads == 1
