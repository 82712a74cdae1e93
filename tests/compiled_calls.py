"""What the tests of compiled calls have in common."""

import sys
from contextlib import contextmanager

from opendynamics.api.compiled_calls import vectorcall


def counts(*things):
    """How often objects are referenced."""
    return [sys.getrefcount(thing) for thing in things]


def outcome(call, *arguments, **options):
    """The result of a call, or its error."""
    try:
        return call(*arguments, **options)
    except Exception as error:
        return type(error), str(error)


@contextmanager
def machine_code_alone(*calls):
    """Calls that machine code leaves to their Python functions raise AssertionError."""

    def refuse(*arguments, **options):
        raise AssertionError("machine code left a call to its function")

    for call in calls:
        vectorcall._set_field(call, vectorcall.FUNCTION, id(refuse))
    try:
        yield
    finally:
        for call in calls:
            vectorcall._set_field(call, vectorcall.FUNCTION, id(call.__wrapped__))
