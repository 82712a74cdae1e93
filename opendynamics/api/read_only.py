"""Arrays that properties return: copies that refuse to be written.

`body.position[2] = 5` would change a copy and so nothing; it raises a ValueError instead. The way is to assign the property:
`body.position = (0, 0, 5)`. Rejected: a subclass of ndarray that words the error better, as it slows down all that users
compute with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def read_only(values: Any) -> npt.NDArray[np.float64]:
    """A copy of numbers as an array that cannot be written."""
    array = np.array(values)
    array.setflags(write=False)
    return array
