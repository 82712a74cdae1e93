"""Colours of geoms and bodies, as those who draw them are to show them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import nearest

# A name of CSS, "#rrggbb", or red, green and blue from 0 to 1 (sRGB).
Color: TypeAlias = "str | tuple[float, float, float] | list[float] | npt.NDArray[Any]"
Rgb: TypeAlias = tuple[float, float, float]


def checked_color(what: str, color: Any) -> Rgb | None:
    """`color` as red, green and blue from 0 to 1; None: none of its own."""
    if color is None:
        return None
    remedy = "'#rrggbb', three numbers from 0 to 1, or a name of CSS such as 'orange'"
    if isinstance(color, str):
        import webcolors

        try:
            read = webcolors.hex_to_rgb if color.startswith("#") else webcolors.name_to_rgb
            red, green, blue = (part / 255 for part in read(color))
        except ValueError:
            raise ValueError(f"{what} must be {remedy}, not {color!r}{nearest(color, webcolors.names())}") from None
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

        It is set by these numbers, by "#rrggbb" or by a name of CSS such as "red". A geom without one has that of its body.
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
