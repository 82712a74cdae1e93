"""Recordings that a browser requests of a scene with a long name: their file could not be made, and the view stopped."""

import pytest

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics import scenes
from opendynamics.viewer.live.taping import Tape, file_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [("x" * 300, "x" * 60), ("漢" * 300, "漢" * 60), ("a/b: c.", "a_b__c"), ("..", "opendynamics")],
)
def test_recordings_of_any_name(name, expected):
    tape = Tape()
    tape.start(scenes.build("falling_ball"), name)
    found, content = tape.stop()
    assert found == f"{expected}.odr" == f"{file_name(name)}.odr" and content
