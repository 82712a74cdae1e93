"""Kinds of joints in a DIF file: the fields of the file, and those of a joint's record, by kind.

Fields are ODE's, with additional ones for what ODE omits: kinds that it calls unknown, the reference of Euler angles, a
joint's own softness. `limit`, `motor`: stops and motor, with a number if there are several.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opendynamics.core.constrain.joints import hinge2, pr, pu, transmission
from opendynamics.core.constrain.joints.motors import amotor, lmotor, servo
from opendynamics.core.constrain.parts.cross import REST0, REST1
from opendynamics.core.constrain.parts.distance import LENGTH
from opendynamics.core.constrain.parts.motor_axes import AXES, FRAMES, USED
from opendynamics.core.constrain.parts.sliding import LIKE_ODE


@dataclass(frozen=True)
class Field:
    """A field of a file: `slot` of the joint's record, or, as a number, its index in `numbers`; `size` numbers.

    `frame`: for axes, the frame they are relative to, in the order of the inner bodies.
    """

    slot: str | int
    size: int = 1
    frame: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of joint: its name in a file, its fields, number of limits, whether it has its own ERP and CFM.

    `cross`: fields qrel1 and qrel2 contain the cross of both axes in the frame of each body. `bits`: of the record's mode, by
    the field `mode`; `given`: those to set in addition.
    """

    name: str
    fields: Mapping[str, Field]
    limits: int = 0
    soft: bool = False
    cross: bool = False
    bits: tuple[int, ...] = ()
    given: int = 0


_ANCHORS = {"anchor1": Field("anchor0", 3), "anchor2": Field("anchor1", 3)}
_AXES = {"axis1": Field("axis0", 3), "axis2": Field("axis1", 3)}
_TURN = {"qrel": Field("relative", 4)}
_DRIVEN = {
    "num": Field(USED),
    "rel": Field(FRAMES, 3, frame=True),
    **{f"axis{k + 1}": Field(AXES + 3 * k, 3) for k in range(3)},
}
_ANGLES = {f"angle{k + 1}": Field(amotor.ANGLES + k) for k in range(3)}
_EULER_GIVEN = 2 | 8  # axes 0 and 2 of an angular motor were set by the user
_GEARS = {
    **_ANCHORS,
    **_AXES,
    "ratio": Field(transmission.RATIO),
    "radius1": Field(transmission.RADIUS),
    "radius2": Field(transmission.RADIUS + 1),
    "backlash": Field(transmission.BACKLASH),
    "reference1": Field(transmission.START, 3),
    "reference2": Field(transmission.START + 3, 3),
    "angle1": Field(transmission.PHASE),
    "angle2": Field(transmission.PHASE + 1),
    "seen": Field(transmission.SEEN, 2),
    "contact1": Field(transmission.CONTACT, 3),
    "contact2": Field(transmission.CONTACT + 3, 3),
    "sign": Field(transmission.SIGN, 2),
    "flip": Field(transmission.FLIP),
    "step": Field(transmission.STEP),
}
_HINGE2 = {
    **_ANCHORS,
    **_AXES,
    "v1": Field(REST0, 3),
    "w1": Field(REST1, 3),
    "sine": Field(hinge2.SINE),
    "cosine": Field(hinge2.COSINE),
    "susp_erp": Field("erp"),
    "susp_cfm": Field("cfm"),
}
_SERVO = {
    **_AXES,
    **_TURN,
    "anchor2": Field("anchor1", 3),
    "linear": Field(servo.LINEAR),
    "target": Field(servo.TARGET),
    "rate": Field(servo.RATE),
    "stiffness": Field(servo.STIFFNESS),
    "damping": Field(servo.DAMPING),
    "max_force": Field(servo.MAX_FORCE),
}
_SLIDE = {"axisP1": Field("axis0", 3), "axisR1": Field(pr.HINGE, 3), "axisR2": Field("axis1", 3)}

# By the names of the files in core/constrain/joints. Names with ODE_ are specific to ODE.
KINDS = {
    "ball": Kind("ball", _ANCHORS, soft=True),
    "hinge": Kind("hinge", _ANCHORS | _AXES | _TURN, limits=1),
    "slider": Kind(
        "slider", {"axis1": Field("axis0", 3), "axis2": Field("axis1", 3), **_TURN, "offset": Field("anchor1", 3)}, 1
    ),
    "universal": Kind("universal", _ANCHORS | _AXES, limits=2, cross=True),
    "hinge2": Kind("ODE_hinge2", _HINGE2, limits=2),
    "fixed": Kind("fixed", {**_TURN, "offset": Field("anchor0", 3)}, soft=True),
    "null": Kind("null", {}),
    "amotor": Kind(
        "ODE_angular_motor",
        {**_DRIVEN, **_ANGLES, "reference1": Field(amotor.REST0, 3), "reference2": Field(amotor.REST2, 3)},
        limits=3,
        bits=(0, amotor.EULER),
        given=_EULER_GIVEN,
    ),
    "lmotor": Kind(
        "ODE_linear_motor",
        {**_DRIVEN, "anchor2": Field("anchor1", 3), **{f"offset{k + 1}": Field(lmotor.REST + k) for k in range(3)}},
        limits=3,
    ),
    "pr": Kind(
        "PR",
        {"anchor2": Field("anchor1", 3), **_SLIDE, **_TURN, "offset": Field("anchor0", 3)},
        2,
        bits=(0, LIKE_ODE),
    ),
    "pu": Kind("PU", {**_ANCHORS, **_AXES, "axisP": Field(pu.SLIDE, 3)}, limits=3, cross=True, bits=(0, LIKE_ODE)),
    "piston": Kind("piston", _ANCHORS | _AXES | _TURN, limits=2),
    "plane2d": Kind("ODE_plane2d", _TURN, limits=3),
    "dball": Kind("ODE_double_ball", {**_ANCHORS, "distance": Field(LENGTH)}, soft=True),
    "dhinge": Kind("ODE_double_hinge", {**_ANCHORS, **_AXES, "distance": Field(LENGTH)}, soft=True),
    "transmission": Kind(
        "ODE_transmission",
        _GEARS,
        soft=True,
        bits=tuple(
            option | mode
            for option in (0, transmission.LIKE_ODE)
            for mode in (transmission.PARALLEL, transmission.INTERSECTING, transmission.CHAIN)
        ),
    ),
    "servo": Kind("servo", _SERVO),
}
# A body that is fixed to the world has its pose there instead.
FIXED_TO_WORLD = Kind("fixed", {**_TURN, "offset": Field("anchor1", 3)}, soft=True)
BY_NAME = {kind.name: key for key, kind in KINDS.items()}

# Stops and motor: fields, attributes of a LimitMotor, and values that are omitted, as in ODE.
LIMIT: dict[str, tuple[str, Any]] = {"low_stop": ("low", None), "high_stop": ("high", None), "bounce": ("bounce", 0.0)}
LIMIT_OWN: dict[str, tuple[str, Any]] = {"stop_erp": ("stop_erp", None), "stop_cfm": ("stop_cfm", None)}
MOTOR: dict[str, tuple[str, Any]] = {"vel": ("velocity", 0.0), "fmax": ("max_force", 0.0)}
MOTOR_OWN: dict[str, tuple[str, Any]] = {"fudge_factor": ("fudge", None), "normal_cfm": ("cfm", None)}
