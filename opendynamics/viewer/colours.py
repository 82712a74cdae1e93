"""Colours of geoms: by the state of their body, or one colour per body. Reads flags of bodies; colours are sRGB, 0 to 255.

The palette steps through hues by the golden angle at constant lightness and chroma in OKLCH, the polar form of OKLab
(Ottosson, "A perceptual color space for image processing", 2020), so that no body stands out and consecutive bodies differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.color import as_bytes, shown_color
from opendynamics.api.geoms.geom import Geom
from opendynamics.core.arrays.bodies import ENABLED, FAULTY, KINEMATIC
from opendynamics.viewer.srgb import encoded

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[Any]

STATES = ("active", "sleeping", "kinematic", "static", "faulty")
ACTIVE, SLEEPING, KINEMATIC_STATE, STATIC, FAULTY_STATE = range(5)

# By state. Sleeping bodies are desaturated, faulty ones conspicuous.
BY_STATE = np.array([(240, 126, 48), (128, 146, 168), (142, 108, 210), (202, 200, 194), (226, 24, 60)], np.uint8)

# Range of lightness of bodies in the same state, to either side.
VARIED = 0.10

# Fraction of grey in the colour of a sleeping body.
PALER = 0.6

# Light of a face of tone 1, relative to a face of tone 0.
DARKER = 0.72

LIGHTNESS, CHROMA = 0.7, 0.135  # of the palette, in OKLCH
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))  # rad

GROUND = (206, 210, 214)

# By force: from 0.1 to 10 times a usual weight, on a logarithmic scale; no colour below a hundredth.
HEAT = np.array([(58, 104, 206), (48, 164, 132), (244, 190, 48), (222, 48, 40)], np.float64)
LEAST, MOST, NONE = 0.1, 10.0, 0.01
UNLOADED = (214, 214, 210)


def colours_of(geoms: Sequence[Geom], by: Literal["state", "body"] = "state") -> Bytes:
    """Colours of geoms, shape (n, 3): by the state of their bodies, or a palette by body. Planes have the colour of the ground.

    Colours set by users take precedence over the palette.
    """
    numbers = np.array([-1 if geom.body is None else reading.row_of(geom.body) for geom in geoms], np.int64)
    states = states_of(geoms)
    found = by_state(states, numbers) if by == "state" else by_body(numbers)
    found[states == STATIC] = BY_STATE[STATIC]
    found[[geom.shape == "plane" for geom in geoms]] = GROUND
    return paint(found, geoms) if by == "body" else found


def paint(found: Bytes, geoms: Sequence[Geom]) -> Bytes:
    """`found`, shape (n, 3), with the colours that users set for geoms or their bodies."""
    for number, geom in enumerate(geoms):
        if (color := shown_color(geom)) is not None:
            found[number] = as_bytes(color)
    return found


def states_of(geoms: Sequence[Geom]) -> Bytes:
    """Numbers of STATES, shape (n,). A geom without a body is static."""
    return np.array([STATIC if geom.body is None else state_of(geom.body) for geom in geoms], np.uint8)


def state_of(body: Any) -> int:
    """Index of the state in STATES."""
    if body.faulty:
        return FAULTY_STATE
    if body.kinematic:
        return KINEMATIC_STATE
    return ACTIVE if body.enabled else SLEEPING


def states_of_flags(flags: Numbers) -> Bytes:
    """The same of many bodies at once, from their flags in the tables, shape (n,)."""
    states = np.full(np.shape(flags), SLEEPING, np.uint8)
    states[flags & ENABLED != 0] = ACTIVE
    states[flags & KINEMATIC != 0] = KINEMATIC_STATE
    states[flags & FAULTY != 0] = FAULTY_STATE
    return states


def by_state(states: Numbers, numbers: Numbers) -> Bytes:
    """The state's colour, slightly lighter or darker by the body's number, shape (n, 3)."""
    wave = (np.asarray(numbers) * 0.6180339887498949) % 1.0  # spreads evenly for any numbers
    factor = 1.0 + VARIED * (2.0 * wave - 1.0) * (np.asarray(states) < STATIC)
    return np.clip(BY_STATE[states] * factor[:, None], 0, 255).round().astype(np.uint8)


def by_body(numbers: Numbers) -> Bytes:
    """The palette's colour of each number, shape (n, 3)."""
    hue = np.asarray(numbers, np.float64) * GOLDEN + 0.6
    return _srgb(np.full(hue.shape, LIGHTNESS), CHROMA * np.cos(hue), CHROMA * np.sin(hue))


def by_force(ratios: Numbers) -> Bytes:
    """Colours of forces given relative to a usual weight, shape (n, 3): blue, green, yellow, red; grey without force."""
    known = np.clip(np.nan_to_num(np.asarray(ratios, np.float64), posinf=MOST), NONE, MOST)
    place = np.clip(np.log(known / LEAST) / np.log(MOST / LEAST), 0.0, 1.0) * (len(HEAT) - 1)
    found = np.stack([np.interp(place, np.arange(len(HEAT)), HEAT[:, k]) for k in range(3)], axis=-1)
    found[known <= NONE] = UNLOADED
    return np.asarray(found.round(), np.uint8)


def resting(found: Bytes, states: Numbers) -> Bytes:
    """Colours, shape (n, 3), with those of sleeping bodies mixed with grey, and conspicuous ones for faulty bodies."""
    shown = found.copy()
    asleep = np.asarray(states) == SLEEPING
    shown[asleep] = (1.0 - PALER) * found[asleep] + PALER * BY_STATE[SLEEPING]
    shown[np.asarray(states) == FAULTY_STATE] = BY_STATE[FAULTY_STATE]
    return shown


def darker(colours: Numbers) -> Bytes:
    """The shade for faces of tone 1 of geoms with these colours."""
    return (np.asarray(colours) * DARKER).round().astype(np.uint8)


def _srgb(lightness: Numbers, a: Numbers, b: Numbers) -> Bytes:
    """OKLab to sRGB, with the matrices of the source."""
    cone = np.stack(
        [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        ]
    )
    to_linear = np.array(
        [
            (4.0767416621, -3.3077115913, 0.2309699292),
            (-1.2684380046, 2.6097574011, -0.3413193965),
            (-0.0041960863, -0.7034186147, 1.7076147010),
        ]
    )
    return encoded(np.einsum("ij,j...->...i", to_linear, cone**3))
