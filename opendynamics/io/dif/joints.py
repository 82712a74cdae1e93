"""Joints of a DIF file: their bodies, and the fields of `joint_kinds`, with conversions between ODE's and the engine's.

Where ODE has the cross of two axes in a body's frame as a quaternion, qrel, the engine has one of its axes: the y axis of

    R(qrel1) = (axis1, r0, axis1 x r0) in the frame of body 0,    R(qrel2) = (axis2, r1, axis2 x r1) in that of body 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks, reading, rotation
from opendynamics.api.body import Body
from opendynamics.api.joint_methods import joint_class
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.joint import Joint
from opendynamics.api.joints.servo import Servo
from opendynamics.api.restoring import restore_joint
from opendynamics.api.world import World
from opendynamics.core.constrain.joints import hinge2
from opendynamics.core.constrain.joints.motors import amotor, lmotor
from opendynamics.core.constrain.parts.cross import REST0, REST1
from opendynamics.io.dif.contacts import read_contact, write_contact
from opendynamics.io.dif.fields import Fields
from opendynamics.io.dif.joint_kinds import (
    BY_NAME,
    FIXED_TO_WORLD,
    KINDS,
    LIMIT,
    LIMIT_OWN,
    MOTOR,
    MOTOR_OWN,
    Field,
    Kind,
)
from opendynamics.io.dif.text import Lines, Name

_REL = {0: 0, 1: 2, 2: 1}  # frames for the inner bodies of a reversed joint


def kind_name(joint: Joint) -> str:
    """Name of a joint of this kind in a file."""
    return "contact" if isinstance(joint, ContactJoint) else KINDS[joint.kind].name


def write_joint(lines: Lines, joint: Joint, names: dict[Any, Name]) -> None:
    """Add the fields of a joint; `names`: names of bodies and joints in the file."""
    bodies = [names[body] for body in joint.bodies if body is not None]
    lines.line("body = {" + ",".join(bodies) + "},")
    if joint.reversed:
        lines.field("reversed", 1)
    if not joint.enabled:
        lines.field("disabled", 1)
    if isinstance(joint, ContactJoint):
        write_contact(lines, joint)
        return
    if isinstance(joint, Servo) and joint.driven is not None:
        lines.field("drives", names[joint.driven])
    kind, record = _kind_of(joint), reading.record_of(joint)
    if kind.bits:
        taken = [k for k, bits in enumerate(kind.bits) if bits and int(record["mode"]) & bits == bits]
        lines.field("mode", max(taken, default=0))
    for key, field in kind.fields.items():
        lines.field(key, _value(joint, field, record))
    if kind.cross:
        for key, axis, rest in (("qrel1", "axis0", REST0), ("qrel2", "axis1", REST1)):
            if record["numbers"][rest : rest + 3].any():  # it is attached
                lines.field(key, _cross(record[axis], record["numbers"][rest : rest + 3]))
    if kind.soft:
        with lines.table("ODE = "):
            lines.field("ERP", record["erp"])
            lines.field("CFM", record["cfm"])
    for k, limit in enumerate(joint.limit_motors):
        number = "" if kind.limits == 1 else str(k + 1)
        for word, outer, inner in (("limit", LIMIT, LIMIT_OWN), ("motor", MOTOR, MOTOR_OWN)):
            with lines.table(f"{word}{number} = "):
                _write_numbers(lines, limit, outer)
                with lines.table("ODE = "):
                    _write_numbers(lines, limit, inner)


def _kind_of(joint: Joint) -> Kind:
    to_world = joint.kind == "fixed" and None in joint.bodies
    return FIXED_TO_WORLD if to_world else KINDS[joint.kind]


def _value(joint: Joint, field: Field, record: Any) -> Any:
    """The values of a field."""
    if isinstance(field.slot, str):
        return record[field.slot]
    found = record["numbers"][field.slot : field.slot + field.size]
    if field.frame and joint.reversed:
        return [_REL[int(frame)] for frame in found]
    return found if field.size > 1 else found[0]


def _cross(axis: Any, rest: Any) -> Any:
    return rotation.quaternion_from_matrix(np.column_stack([axis, rest, np.cross(axis, rest)]))


def _write_numbers(lines: Lines, limit: Any, fields: dict[str, tuple[str, Any]]) -> None:
    for key, (name, usual) in fields.items():
        if getattr(limit, name) != usual:
            lines.field(key, getattr(limit, name))


# -- reading ----------------------------------------------------------------------------------------------------------


def read_joint(fields: Fields, world: World, bodies: list[Body], driven: Joint | None) -> Joint:
    """Create the joint of a table between `bodies`; `driven`: the joint that the table says it drives."""
    name = fields.table.kind.removeprefix("dynamics.").removesuffix("_joint")
    if name != "contact" and name not in BY_NAME:
        known = ", ".join(["contact", *BY_NAME])
        raise fields.error(f"a joint must be one of {known}, not {name!r}", "leave the joint out")
    is_reversed, disabled = fields.flag("reversed", False), fields.flag("disabled", False)
    if len(bodies) > 2 or (is_reversed and len(bodies) != 1):
        raise fields.error(f"a joint joins up to two bodies, one if it is reversed, not {len(bodies)}")
    pair: list[Body | None] = [*bodies, None, None][:2]
    if is_reversed:
        pair.reverse()
    if name == "contact":
        joint: Joint = read_contact(fields, world, pair[0], pair[1])
    elif driven is not None:
        joint = _servo_of(fields, driven)
    else:
        joint = _joint_of(fields, BY_NAME[name], world, pair)
    joint.enabled = not disabled
    fields.require_done()
    return joint


def _joint_of(fields: Fields, key: str, world: World, pair: list[Body | None]) -> Joint:
    joint: Joint = joint_class(key)(world, *pair)
    kind = _kind_of(joint)
    given = _given_fields(fields, kind, joint)
    for place, (one, rest) in enumerate((("axis0", REST0), ("axis1", REST1))) if kind.cross else ():
        quaternion = fields.numbers(f"qrel{place + 1}", 4, None)
        if quaternion is not None:
            turn = rotation.matrix_from_quaternion(checks.quaternion(f"qrel{place + 1}", quaternion))
            given[rest] = turn[:, 1]
            given.setdefault(one, turn[:, 0])
    if key == "hinge2":
        _complete_hinge2(fields, given, joint)
    if key == "slider" and "axis0" in given and "axis1" not in given and "relative" in given:
        given["axis1"] = rotation.matrix_from_quaternion(given["relative"]).T @ np.array(given["axis0"])
    mode = None
    if kind.bits:
        chosen = fields.whole("mode", len(kind.bits) - 1, None)
        mode = None if chosen is None else kind.bits[chosen] | (kind.given if chosen else 0)
    own = fields.inner("ODE") if kind.soft else None
    if own is not None:
        given["erp"], given["cfm"] = own.number("ERP", world.erp), own.number("CFM", world.cfm)
        own.require_done()
    restore_joint(joint, given, mode)
    if key in ("amotor", "lmotor") and pair != [None, None]:
        _complete_motor(joint, given)
    _read_limits(fields, joint, kind)
    return joint


def _given_fields(fields: Fields, kind: Kind, joint: Joint) -> dict[str | int, Any]:
    """Fields of the record that the table has."""
    given: dict[str | int, Any] = {}
    for key, field in kind.fields.items():
        if key not in fields:
            continue
        if field.size == 1:
            value = fields.number(key, infinite=True)
        elif kind.name == "fixed" and key == "qrel" and fields.length(key) == 3:
            fields.numbers(key)  # ODE omits the last one: then it is in the current pose
            continue
        else:
            value = fields.numbers(key, field.size, infinite=isinstance(field.slot, int))
        if field.frame:
            value = [_frame(fields, frame, joint) for frame in value]
        if key == "num" and value not in (0.0, 1.0, 2.0, 3.0):
            raise fields.error(f"num must be how many axes there are, 0 to 3, not {value}")
        if key.startswith("axis"):
            if not any(value):
                continue  # ODE's motors have axes that were never set
            value = checks.direction(key, value)
        given[field.slot] = value
    return given


def _frame(fields: Fields, frame: float, joint: Joint) -> int:
    if frame not in (0.0, 1.0, 2.0):
        raise fields.error(f"rel must be 0 (the world), 1 or 2 (a body) for each axis, not {frame}")
    return _REL[int(frame)] if joint.reversed else int(frame)


def _complete_hinge2(fields: Fields, given: dict[str | int, Any], joint: Any) -> None:
    """ODE omits the angle between the axes at rest, and the rest position of the second: the current ones are used."""
    fields.numbers("v2", 3, None)  # ODE's: follows from axis1 and v1
    if hinge2.SINE in given or "axis0" not in given or "axis1" not in given or None in joint.bodies:
        return
    first, second = joint.bodies
    one, two = first.vector_to_world(given["axis0"]), second.vector_to_world(given["axis1"])
    across = np.cross(one, two)
    sine = float(np.linalg.norm(across))
    if sine < 1e-9:
        raise fields.error("axis1 and axis2 must not be parallel")
    given[hinge2.SINE], given[hinge2.COSINE] = sine, float(one @ two)
    if REST1 not in given:
        rest = one - (one @ two) * two
        given[REST1] = second.vector_from_world(rest / np.linalg.norm(rest))


def _complete_motor(joint: Any, given: dict[str | int, Any]) -> None:
    """ODE omits the zero of Euler angles, and of positions with stops: the current pose is used."""
    if joint.kind == "amotor" and joint.mode == "euler" and amotor.REST0 not in given:
        joint.mode = "euler"
    if joint.kind == "lmotor" and lmotor.REST not in given:
        for number in range(joint.num_axes):
            joint.set_axis(number, joint.get_relative_to(number), joint.get_axis(number))


def _servo_of(fields: Fields, driven: Any) -> Joint:
    if not hasattr(driven, "servo"):
        raise fields.error(f"a servo drives a hinge or a slider, not a {driven.kind}")
    numbers = {key: fields.number(key, infinite=key == "max_force") for key in _SERVO_NUMBERS}
    for key in KINDS["servo"].fields:
        if key in fields and key not in _SERVO_NUMBERS:
            fields.numbers(key, None) if KINDS["servo"].fields[key].size > 1 else fields.number(key)
    most = {"max_force" if driven.kind == "slider" else "max_torque": numbers["max_force"]}
    made: Joint = driven.servo(
        numbers["target"], stiffness=numbers["stiffness"], damping=numbers["damping"], velocity=numbers["rate"], **most
    )
    return made


_SERVO_NUMBERS = ("target", "rate", "stiffness", "damping", "max_force")


def _read_limits(fields: Fields, joint: Joint, kind: Kind) -> None:
    for k, limit in enumerate(joint.limit_motors):
        number = "" if kind.limits == 1 else str(k + 1)
        for word, outer, inner in (("limit", LIMIT, LIMIT_OWN), ("motor", MOTOR, MOTOR_OWN)):
            found = fields.inner(f"{word}{number}")
            if found is None:
                continue
            _set_numbers(found, limit, outer)
            own = found.inner("ODE")
            if own is not None:
                _set_numbers(own, limit, inner)
                own.require_done()
            found.require_done()


def _set_numbers(fields: Fields, limit: Any, numbers: dict[str, tuple[str, Any]]) -> None:
    for key, (name, _) in numbers.items():
        if key in fields:
            setattr(limit, name, fields.number(key, infinite=True))
