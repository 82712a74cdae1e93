"""Collision in a program: pairs by dSpaceCollide, contacts by dCollide, a contact joint of each.

Pairs are taken in the order of the geoms' calls, because the order of spaces is their own affair. Contacts of kinds of geoms
that agree with ODE's become joints; others are left alone, by the reasons in `exclusions.py`. Further contacts are where the
program puts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.differential.exclusions import BOXES, RAYS_FROM_WITHIN, contacts_agree

if TYPE_CHECKING:
    from benchmarks.differential.program import Machine

_CONTACT_JOINT = 4  # dJointTypeContact
_RAY = 5  # dRayClass
_TRANSFORM = 7  # dGeomTransformClass
_ROUNDING = 1e-9


def collide(machine: Machine, space: Any, world: Any, group: Any, surfaces: Any, most: int) -> Any:
    """Make contact joints; return pairs and contacts."""
    ode = machine.ode
    pairs: set[tuple[int, int]] = set()
    ids: dict[int, Any] = {}

    def near(_: Any, one: Any, two: Any) -> None:
        if ode.dGeomIsSpace(one) or ode.dGeomIsSpace(two):
            ode.dSpaceCollide2(one, two, None, near)
            return
        a, b = machine.number_of(one), machine.number_of(two)
        ids.update({a: one, b: two})
        if ode.dGeomGetClass(one) in BOXES or ode.dGeomGetClass(two) in BOXES:
            return
        if _overlap(ode, one, two):
            pairs.add((min(a, b), max(a, b)))

    ode.dSpaceCollide(space, None, near)
    found: list[Any] = []
    for a, b in sorted(pairs):
        found.extend(_touch(machine, (a, ids[a]), (b, ids[b]), (world, group, surfaces, most)))
    return tuple(found)


def _overlap(ode: Any, one: Any, other: Any) -> bool:
    """Whether the boxes overlap, as of all pairs but some of infinite geoms (SWEEP_AND_PRUNE in `exclusions.py`)."""
    a, b = (np.array(ode.dGeomGetAABB(geom)) for geom in (one, other))
    return bool((a[::2] <= b[1::2]).all() and (b[::2] <= a[1::2]).all())


def _touch(machine: Machine, one: tuple[int, Any], other: tuple[int, Any], how: tuple[Any, ...]) -> Any:
    """Contacts of a pair, and their joints."""
    ode, (world, group, surfaces, most) = machine.ode, how
    (a, geom1), (b, geom2) = one, other
    classes = _class_of(ode, geom1), _class_of(ode, geom2)
    body1, body2 = ode.dGeomGetBody(geom1), ode.dGeomGetBody(geom2)
    yield (a, b)
    if not contacts_agree(*classes) or (body1 and body2 and ode.dAreConnectedExcluding(body1, body2, _CONTACT_JOINT)):
        return
    if _begins_within(ode, geom1, geom2) or _begins_within(ode, geom2, geom1):
        return
    contacts = ode.dCollide(geom1, geom2, most)
    yield (a, b, *classes, len(contacts))
    for number, touch in enumerate(contacts):
        yield np.array([*touch.pos[:3], *touch.normal[:3], touch.depth]), touch.side1, touch.side2
        if _RAY not in classes and (body1 or body2):
            contact = ode.dContact()
            contact.geom = touch
            _fill(contact, surfaces[(a + b + number) % len(surfaces)])
            ode.dJointAttach(ode.dJointCreateContact(world, group, contact), body1, body2)


def _class_of(ode: Any, geom: Any) -> int:
    """The class of a geom, or of that in a transform."""
    return int(ode.dGeomGetClass(ode.dGeomTransformGetGeom(geom) if ode.dGeomGetClass(geom) == _TRANSFORM else geom))


def touch(machine: Machine, world: Any, group: Any, bodies: Any, place: Any, surface: Any) -> Any:
    """Make a contact joint at a position, with a normal and a depth (seven numbers); return its feedback."""
    ode = machine.ode
    contact, feedback = ode.dContact(), ode.dJointFeedback()
    contact.geom.pos[:3], contact.geom.normal[:3], contact.geom.depth = place[:3], place[3:6], place[6]
    _fill(contact, surface)
    joint = ode.dJointCreateContact(world, group, contact)
    ode.dJointAttach(joint, *bodies)
    ode.dJointSetFeedback(joint, feedback)
    return feedback


def _begins_within(ode: Any, ray: Any, solid: Any) -> bool:
    """Whether a ray begins inside a solid of which it makes a difference; as deep as rounding counts as inside."""
    if ode.dGeomGetClass(ray) != _RAY or ode.dGeomGetClass(solid) not in RAYS_FROM_WITHIN:
        return False
    start = ode.dGeomRayGet(ray)[0][:3]
    return bool(ode.dGeomCapsulePointDepth(solid, *start) > -_ROUNDING)


def _fill(contact: Any, surface: tuple[tuple[str, Any], ...]) -> None:
    for name, value in surface:
        if name == "fdir1":  # across the normal, as it should be
            normal = np.array(contact.geom.normal[:3])
            across = np.cross(normal, value)
            contact.fdir1[:3] = across / (np.linalg.norm(across) or 1.0)
        elif name == "any fdir1":
            contact.fdir1[:3] = value
        else:
            setattr(contact.surface, name, value)


def read_feedback(machine: Machine, feedback: Any, bodies: int) -> Any:
    """Forces and torques of a dJointFeedback, on as many bodies as the joint has (SECOND_BODY in `exclusions.py`)."""
    return tuple(np.array(getattr(feedback, name)[:3]) for name in ("f1", "t1", "f2", "t2")[: 2 * bodies])
