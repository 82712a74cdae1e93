"""Colours of geoms and bodies for viewers, renderers and recordings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import nearest

# A CSS colour name, "#rrggbb", or red, green and blue from 0 to 1 (sRGB).
Color: TypeAlias = "str | tuple[float, float, float] | list[float] | npt.NDArray[Any]"
Rgb: TypeAlias = tuple[float, float, float]


def checked_color(what: str, color: Any) -> Rgb | None:
    """`color` as red, green and blue from 0 to 1; None: no own colour."""
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
        """Colour in views, pictures and recordings: red, green and blue, 0 to 1 (sRGB). None, the default: the viewer chooses.

        Set it by these numbers, by "#rrggbb" or by a CSS name such as "red". A geom without a colour has that of its body.
        """
        self._row  # noqa: B018
        return self._color

    @color.setter
    def color(self, color: Color | None) -> None:
        self._row  # noqa: B018
        self._put_color(checked_color(self._say("the colour"), color))

    def _put_color(self, color: Rgb | None) -> None:
        """Store the colour and count the change."""
        raise NotImplementedError


def shown_color(geom: Any) -> Rgb | None:
    """Colour of a geom: its own, or that of its body; None: neither has one."""
    found: Rgb | None = geom.color
    return geom.body.color if found is None and geom.body is not None else found


def as_bytes(color: Rgb) -> npt.NDArray[np.uint8]:
    """Red, green and blue from 0 to 255."""
    return np.round(255.0 * np.array(color)).astype(np.uint8)
