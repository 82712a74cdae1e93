"""A tiny entry of the package, made as often as a test needs it, as if by as many processes."""

from opendynamics.core import types
from opendynamics.core.kernels import ENTRIES, entry

SIGNATURE = types.float64(types.float64)


def thrice(x):
    return 3.0 * x


# Machine code is kept of functions of the package only.
thrice.__module__ = "opendynamics.core.algebra.vec3"


def fresh():
    """The entry, in no way compiled or loaded."""
    made = entry(SIGNATURE)(thrice)
    ENTRIES.remove(made)
    return made


def loads():
    """Whether the machine code of the entry is loaded; otherwise it is compiled. Either must give the right number."""
    made = fresh()
    assert made(2.0) == 6.0
    return made.cache.was_kept
