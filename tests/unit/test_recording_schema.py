"""Rules of what the header and the events of a recording may hold."""

import pytest

from opendynamics.io.recording.schema import numbers_of
from opendynamics.io.schema import number


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ([1, 2.5], True),
        ([1], False),
        ([1, 2, 3], False),
        ([1, "a"], False),
        ((1, 2), False),
        ({1: 2}, False),
        ("ab", False),
    ],
)
def test_a_list_has_numbers_and_its_length(value, right):
    assert (numbers_of(number, 2)(value) is None) is right
    assert numbers_of(number, 2)("ab") == "a list of 2 numbers"


def test_a_list_of_any_length():
    assert numbers_of(number)([]) is None and numbers_of(number)([1, 2, 3]) is None
    assert numbers_of(number)([[1]]) == numbers_of(number)(1) == "a list of numbers"
