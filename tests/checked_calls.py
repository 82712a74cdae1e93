"""Checked calls of entries from Python: machine code accepts any array as the declared type."""

import numpy as np

from opendynamics.core import types
from opendynamics.core.kernels import Entry

NUMBERS = {
    types.boolean: (bool, np.bool_),
    types.int64: (int, np.integer),
    types.int32: (int, np.integer),
    types.float64: (float, int, np.floating, np.integer),
}
DTYPES = {
    types.boolean: np.bool_,
    types.int64: np.int64,
    types.float64: np.float64,
    types.int32: np.int32,
    types.uint8: np.uint8,
}


def fits(value, declared):
    """Whether a value is what an entry is declared to take."""
    if isinstance(declared, types.Array):
        flags = value.flags
        return (
            value.dtype == (DTYPES[declared.dtype] if isinstance(declared.dtype, types.Type) else declared.dtype)
            and value.ndim == declared.ndim
            and flags.c_contiguous
            and (flags.writeable or declared.readonly)
        )
    if isinstance(declared, types.Tuple):
        return len(value) == len(declared.types) and all(map(fits, value, declared.types))
    return isinstance(value, NUMBERS[declared])


def check_calls():
    """Make all entries loaded from now on check their arguments."""
    load = Entry.load

    def load_checked(entry):
        load(entry)
        call, declared = entry.call, entry.signature.args

        def checked(*arguments):
            assert len(arguments) == len(declared), f"{entry} takes {len(declared)} arguments"
            for value, wanted in zip(arguments, declared, strict=True):
                assert fits(value, wanted), f"{entry} is declared for {wanted}, and called with {value!r}"
            return call(*arguments)

        entry.call = checked

    Entry.load = load_checked
