"""Colours of geoms and bodies, as those who draw them are to show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks

# A name, "#rrggbb", or red, green and blue from 0 to 1 (sRGB).
Color: TypeAlias = "str | tuple[float, float, float] | list[float] | npt.NDArray[Any]"
Rgb: TypeAlias = tuple[float, float, float]

# Some of CSS's names.
NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#808080",
    "grey": "#808080",
    "silver": "#c0c0c0",
    "red": "#ff0000",
    "orange": "#ffa500",
    "gold": "#ffd700",
    "yellow": "#ffff00",
    "green": "#008000",
    "lime": "#00ff00",
    "teal": "#008080",
    "cyan": "#00ffff",
    "blue": "#0000ff",
    "navy": "#000080",
    "purple": "#800080",
    "magenta": "#ff00ff",
    "pink": "#ffc0cb",
    "brown": "#a52a2a",
}


def checked_color(what: str, color: Any) -> Rgb | None:
    """`color` as red, green and blue from 0 to 1; None: none of its own."""
    if color is None:
        return None
    remedy = f"'#rrggbb', three numbers from 0 to 1, or one of {', '.join(NAMES)}"
    if isinstance(color, str):
        digits = NAMES.get(color.lower(), color)
        if len(digits) != 7 or digits[0] != "#" or not all(digit in "0123456789abcdefABCDEF" for digit in digits[1:]):
            raise ValueError(f"{what} must be {remedy}, not {color!r}")
        red, green, blue = (int(digits[k : k + 2], 16) / 255 for k in (1, 3, 5))
        return red, green, blue
    red, green, blue = checks.vector(what, color)
    if not all(0.0 <= part <= 1.0 for part in (red, green, blue)):
        raise ValueError(f"{what} must be {remedy}, not {color!r}")
    return red, green, blue


class Colored:
    """Something that has a colour."""

    __slots__ = ()

    _color: Rgb | None
    _row: int
    _say: Callable[[str], str]

    @property
    def color(self) -> Rgb | None:
        """Colour in views, pictures and recordings: red, green and blue from 0 to 1 (sRGB). None, the default: they choose.

        It is set by these numbers, by "#rrggbb" or by a name such as "red". A geom without one has that of its body.
        """
        self._row  # noqa: B018
        return self._color

    @color.setter
    def color(self, color: Color | None) -> None:
        self._row  # noqa: B018
        self._put_color(checked_color(self._say("the colour"), color))

    def _put_color(self, color: Rgb | None) -> None:
        """Keep it, and let those who look at changes know."""
        raise NotImplementedError


def shown_color(geom: Any) -> Rgb | None:
    """The colour of a geom: its own, or that of its body; None: neither has one."""
    found: Rgb | None = geom.color
    return geom.body.color if found is None and geom.body is not None else found


def as_bytes(color: Rgb) -> npt.NDArray[np.uint8]:
    """Red, green and blue from 0 to 255."""
    return np.round(255.0 * np.array(color)).astype(np.uint8)
