"""The transfer function of sRGB (IEC 61966-2-1): colours of 0 to 255 and linear light of 0 to 1, for arrays of any shape.

light    L = c / 12.92                   if c <= 0.04045, with c = colour / 255
         L = ((c + 0.055) / 1.055)^2.4   otherwise
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def linear(colours: Any) -> npt.NDArray[np.float64]:
    """Colours, 0 to 255, as linear light."""
    part = np.asarray(colours, np.float64) / 255.0
    return np.asarray(np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4))


def encoded(light: Any) -> npt.NDArray[np.uint8]:
    """Linear light as the nearest colours, clamped to 0 to 1."""
    part = np.clip(light, 0.0, 1.0)
    curved = np.where(part <= 0.0031308, 12.92 * part, 1.055 * part ** (1 / 2.4) - 0.055)
    return np.asarray(255.0 * curved + 0.5, np.uint8)
