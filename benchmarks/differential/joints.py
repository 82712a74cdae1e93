"""Joints of programs: every kind, with all its setters and getters, which are found by their names."""

from __future__ import annotations

import math

from benchmarks.differential.program import Ref
from benchmarks.differential.writer import STOPS, Writer, functions
from opendynamics import c_api

KINDS = (
    *("Ball", "Hinge", "Slider", "Universal", "Hinge2", "PR", "PU", "Piston", "Fixed", "Null"),
    *("AMotor", "LMotor", "Plane2D", "DBall", "DHinge", "Transmission"),
)
_BOTH = ("Hinge2", "Transmission")  # these need two bodies
_FIRST = ("PR", "PU", "Piston")  # (null, body) holds wrong places in ODE
_ONE = ("Plane2D",)
_NO_STOPS = ("LMotor", "Plane2D")  # ODE ignores them there
_ATTACHED_ONCE = ("Transmission",)  # whose wheels mesh from then on
_SET_ANEW = ("Fixed", "DHinge", "AMotor", "LMotor")  # to other bodies, they keep what belongs to the earlier ones


class Made:
    """A joint of a program."""

    def __init__(self, ref: Ref, kind: str, bodies: tuple[Ref | int, Ref | int]) -> None:
        self.ref, self.kind, self.bodies = ref, kind, bodies
        self.feedback: Ref | None = None
        self.euler = False  # mode of an angular motor


def add_joint(w: Writer, world: Ref, group: Ref | int, bodies: list[Ref]) -> Made | None:
    """A joint with settings; None if there are too few bodies."""
    kind = w.draw.choice(KINDS)
    pair = _pair(w, kind, bodies)
    if pair is None:
        return None
    joint = w.call(f"dJointCreate{kind}", world, group)
    w.call("dJointAttach", joint, *pair)
    made = Made(joint, kind, pair)
    made.euler = kind == "AMotor" and w.chance(0.3)
    _set(w, made)
    if w.chance(0.5):
        made.feedback = w.call("dJointFeedback")
        w.call("dJointSetFeedback", joint, made.feedback)
    if w.chance(0.05):
        w.call("dJointDisable", joint)
    return made


def _pair(w: Writer, kind: str, bodies: list[Ref]) -> tuple[Ref | int, Ref | int] | None:
    one = w.draw.choice(bodies)
    others = [body for body in bodies if body != one]
    if kind in _ONE:
        return one, 0
    if kind in _BOTH or (others and w.chance(0.6)):
        return (one, w.draw.choice(others)) if others else None
    return (one, 0) if kind in _FIRST or w.chance(0.6) else (0, one)


def _set(w: Writer, made: Made) -> None:
    """Axes and anchors, then the rest, then stops."""
    kind, alone = made.kind, 0 in made.bodies
    left_out = [
        f"dJointSetTransmission{part}" for part in ("Mode", "Axis1", "Axis2", "Radius1", "Radius2")
    ]  # of other modes
    if made.euler:
        left_out.append("dJointSetAMotorAngle")
    if kind == "Universal" and alone:
        left_out += ["dJointSetUniversalAxis1Offset", "dJointSetUniversalAxis2Offset"]
    if kind in ("AMotor", "LMotor"):
        left_out += [f"dJointSet{kind}{part}" for part in ("NumAxes", "Axis", "Mode")]
        _set_motor_axes(w, made)
    places = [name for name in _setters(w, kind) if not name.endswith("Param") and name not in left_out]
    for name in places:
        w.call(name, made.ref, *w.arguments(name, alone=alone))
    _set_parameters(w, made)


def _setters(w: Writer, kind: str) -> list[str]:
    """Setters of a kind, in any order."""
    names = [name for name in functions(f"dJointSet{kind}") if _is_of(kind, name)]
    w.draw.shuffle(names)
    return names


def _set_parameters(w: Writer, made: Made) -> None:
    for name in _setters(w, made.kind):
        if name.endswith("Param"):
            for _ in range(w.draw.randrange(4)):
                w.call(name, made.ref, *w.arguments(name))
            reversed_euler = made.euler and made.bodies[0] == 0  # ODE's stops drive it further out
            if made.kind not in _NO_STOPS and not reversed_euler and w.chance(0.5):
                _set_stops(w, made.ref, name)


def change_joint(w: Writer, made: Made, bodies: list[Ref]) -> None:
    """Switch it off or on, set parameters, or attach it to other bodies."""
    if w.chance(0.1):
        w.call(w.draw.choice(("dJointDisable", "dJointEnable")), made.ref)
    if w.chance(0.2):
        _set_parameters(w, made)
    pair = _pair(w, made.kind, bodies)
    if pair is not None and made.kind not in _ATTACHED_ONCE and not made.euler and w.chance(0.1):
        w.call("dJointAttach", made.ref, *pair)
        made.bodies = pair
        if made.kind in _SET_ANEW or w.chance(0.5):
            _set(w, made)


def _set_motor_axes(w: Writer, made: Made) -> None:
    """All axes, because one that was never set is a zero vector in ODE; in Euler mode each has its body."""
    kind, joint = made.kind, made.ref
    if made.euler:
        w.call("dJointSetAMotorMode", joint, c_api.dAMotorEuler)
        w.call("dJointSetAMotorAxis", joint, 0, 1, *w.unit())
        w.call("dJointSetAMotorAxis", joint, 2, 2, *w.unit())
        return
    w.call(f"dJointSet{kind}NumAxes", joint, w.draw.randrange(1, 4))
    for axis in range(3):
        w.call(f"dJointSet{kind}Axis", joint, axis, w.draw.randrange(3), *w.unit())


def _set_stops(w: Writer, joint: Ref, name: str) -> None:
    group, reach = 0x100 * w.draw.randrange(3), w.draw.choice((1.5, 1.5, 0.02))
    low, high = sorted((w.number(-reach, reach), w.number(-reach, reach)))
    low, high = w.draw.choice(((low, high), (low, high), (low, low), (high, low), (-math.inf, high), (low, math.inf)))
    w.call(name, joint, group + STOPS[0], low)
    w.call(name, joint, group + STOPS[1], high)


def _is_of(kind: str, name: str) -> bool:
    """Whether a function is this kind's: dJointSetHinge2Param is not Hinge's."""
    rest = name[len("dJointSet") + len(kind) :]
    return not (kind == "Hinge" and rest.startswith("2"))


def drive(w: Writer, made: Made) -> None:
    """Forces by the joint."""
    for name in functions(f"dJointAdd{made.kind}"):
        if _is_of(made.kind, name) and w.chance(0.3):
            w.call(name, made.ref, *w.arguments(name))


def ask_joint(w: Writer, made: Made) -> None:
    """Every getter."""
    joint = made.ref
    for name in ("Type", "NumBodies", "Feedback", "Data"):
        w.call(f"dJointGet{name}", joint)
    w.call("dJointIsEnabled", joint)
    if made.feedback is not None:
        w.call("read_feedback", made.feedback, 1 if 0 in made.bodies else 2)
    for index in (0, 1):
        w.call("dJointGetBody", joint, index)
    for name in functions(f"dJointGet{made.kind}"):
        if _is_of(made.kind, name):
            w.call(name, joint, *w.arguments(name))


def parameters_of_all_groups() -> list[int]:
    """Every code of a joint parameter."""
    return [code + group for code in range(c_api.dParamsInGroup) for group in (0x000, 0x100, 0x200)]
