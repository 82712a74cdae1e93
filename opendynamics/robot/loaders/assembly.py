"""Assembly: drafts sorted into the order of the tree, checked, and made a Model.

Errors (two links with one name, a missing parent, a cycle, a repeated id) are a ModelError; suspicious but meaningful
contents (an axis that is not a unit vector, a link without mass) are findings.
"""

from __future__ import annotations

import math
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.robot.inertia import Inertia, complaint
from opendynamics.robot.link import Device, ExtraJoint, Joint, Link
from opendynamics.robot.loaders.drafts import LinkDraft, ModelDraft
from opendynamics.robot.model import Model
from opendynamics.robot.reading.findings import ModelError
from opendynamics.robot.reading.source import Load

UNIT = Inertia(1.0, np.zeros(3), np.eye(3))
NOTHING = Inertia(0.0, np.zeros(3), np.zeros((3, 3)))


def assemble(draft: ModelDraft, load: Load, source: Path | None) -> Model:
    """The model of a draft."""
    by_name = _by_name(draft)
    ordered = _ordered(draft, by_name)
    if load.fixed_root is not None:
        ordered[0].joint.type = "fixed" if load.fixed_root else "free"
    root = ordered[0].joint
    if root.type not in ("fixed", "free"):
        load.findings.note(ordered[0].place, f"the root {ordered[0].name} is {root.type}; it is taken as fixed")
        root.type = "fixed"
    indices = {link.name: k for k, link in enumerate(ordered)}
    inertias = _inertias(draft, ordered, load)
    places = _joint_places(ordered, load)
    links = [
        Link(
            link.name,
            k,
            -1 if link.parent is None else indices[link.parent],
            _joint(link, k, places.get(k), load),
            _frozen(link.translation),
            _frozen(link.rotation),
            inertias[k].mass,
            _frozen(inertias[k].center),
            _frozen(inertias[k].tensor),
            tuple(link.visual),
            tuple(link.collision),
            link.material,
            link.info,
            link.place,
        )
        for k, link in enumerate(ordered)
    ]
    _require_unique_joints(links)
    _check_inertias(links, load)
    devices = _devices(ordered, load)
    extra = _extra_joints(draft, indices)
    return Model(draft.name, links, devices, extra, info=draft.info, source=source, findings=load.findings.texts)


def _frozen(array: Any) -> Any:
    result = np.array(array, np.float64)
    result.flags.writeable = False
    return result


def _by_name(draft: ModelDraft) -> dict[str, LinkDraft]:
    result: dict[str, LinkDraft] = {}
    for link in draft.links:
        if not link.name:
            raise ModelError(f"{link.place}: a link must have a name")
        if link.name in result:
            first = result[link.name].place
            raise ModelError(f"{link.place}: there are two links called {link.name!r}; the first is at {first}")
        result[link.name] = link
    if not result:
        raise ModelError(f"{draft.place}: the model has no links")
    return result


def _ordered(draft: ModelDraft, by_name: dict[str, LinkDraft]) -> list[LinkDraft]:
    """Links with parents before children, otherwise in the order of the file."""
    root = by_name.get(draft.root) or next((link for link in draft.links if link.parent is None), draft.links[0])
    if root.parent is not None:
        raise ModelError(f"{root.place}: the root link {root.name} must not have a parent, but has {root.parent!r}")
    children: dict[str, list[LinkDraft]] = {name: [] for name in by_name}
    for link in draft.links:
        if link is root:
            continue
        if link.parent is None:
            text = f"{link.name} has no parent and is not the root, which is {root.name}"
            raise ModelError(f"{link.place}: {text}; give it a parent")
        if link.parent not in by_name:
            raise ModelError(
                f"{link.place}: the parent {link.parent!r} of {link.name} is no link{_hint(link.parent, by_name)}"
            )
        children[link.parent].append(link)
    result, waiting = [], [root]
    while waiting:
        link = waiting.pop()
        result.append(link)
        waiting.extend(reversed(children[link.name]))
    if len(result) < len(by_name):
        left = next(link for link in draft.links if link not in result)
        raise ModelError(f"{left.place}: {left.name} is its own ancestor: parents must lead to the root {root.name}")
    return result


def _hint(name: str, known: Any) -> str:
    close = get_close_matches(name, list(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _joint_places(ordered: list[LinkDraft], load: Load) -> dict[int, int]:
    """Indices in q of the movable joints by link: by id, then those without one in the order of the tree."""
    ids: dict[int, LinkDraft] = {}
    for link in ordered:
        number = link.joint.id
        if number is None:
            continue
        if number in ids:
            other = ids[number]
            raise ModelError(
                f"{link.place}: {link.name} and {other.name} ({other.place}) have the same joint id {number}"
            )
        ids[number] = link
    missing = sorted(set(range(max(ids, default=-1) + 1)) - set(ids)) if max(ids, default=0) < 100_000 else [-1]
    if missing:
        shown = ", ".join(map(str, missing[:8]))
        load.findings.note(
            ordered[0].place, f"joint ids have gaps (no {shown}); q has the joints that there are, by id"
        )
    movable = [k for k, link in enumerate(ordered) if link.joint.type in ("revolute", "prismatic")]
    movable.sort(key=lambda k: (ordered[k].joint.id is None, ordered[k].joint.id or 0, k))
    return {k: place for place, k in enumerate(movable)}


def _joint(link: LinkDraft, index: int, place: int | None, load: Load) -> Joint:
    given, where = link.joint, link.joint_place or link.place
    name = given.name or link.name
    axis = np.array(given.axis, np.float64)
    length = float(np.linalg.norm(axis / max(float(np.abs(axis).max()), 1e-300))) * float(np.abs(axis).max())
    if not 0.0 < length < math.inf:
        if given.type not in ("fixed", "free"):
            raise ModelError(f"{where}: the axis of the joint {name} must not be zero")
        axis, length = np.array([0.0, 0.0, 1.0]), 1.0
    elif abs(length - 1.0) > 1e-3 and given.type not in ("fixed", "free"):
        shown = ", ".join(f"{x:g}" for x in axis)
        load.findings.note(where, f"the axis of {name} is no unit vector ({shown}); it is made one")
    if given.lower > given.upper:
        raise ModelError(f"{where}: the lower limit {given.lower:g} of {name} is above the upper one {given.upper:g}")
    if given.min_velocity > given.max_velocity:
        low, high = given.min_velocity, given.max_velocity
        raise ModelError(f"{where}: the minimum velocity {low:g} of {name} is above the maximum {high:g}")
    for what, value in (("effort limit", given.max_effort), ("rotor inertia", given.rotor_inertia)):
        if value < 0.0:
            raise ModelError(f"{where}: the {what} of {name} must be at least 0, not {value:g}")
    if place is not None and not given.lower <= given.initial <= given.upper:
        text = f"{name} starts at {given.initial:g}, outside its limits {given.lower:g} to {given.upper:g}"
        load.findings.note(where, text)
    fields = dict(vars(given), name=name, axis=_frozen(axis / length))
    return Joint(link=index, index=place, **fields)


def _require_unique_joints(links: list[Link]) -> None:
    seen: dict[str, Link] = {}
    for link in links:
        if link.joint.type == "free" or link.is_root:
            continue  # it is no joint of the file, or none that anything looks up; often it has the name of its link
        if link.joint.movable and link.joint.name in seen:
            other = seen[link.joint.name]
            raise ModelError(
                f"{link.source}: there are two joints called {link.joint.name!r}; the first is at {other.source}"
            )
        seen[link.joint.name] = link


def _inertias(draft: ModelDraft, ordered: list[LinkDraft], load: Load) -> list[Inertia]:
    moving = any(link.joint.type in ("free", "revolute", "prismatic") for link in ordered)
    result = []
    for link in ordered:
        if link.inertia is None and draft.unit_mass and moving and link.joint.type != "fixed":
            load.findings.note(link.place, f"{link.name} has no mass: 1 kg and a unit inertia are assumed")
        result.append(link.inertia or (UNIT if draft.unit_mass else NOTHING))
    return result


def _check_inertias(links: list[Link], load: Load) -> None:
    """Report moving links with a mass or an inertia that no rigid body can have."""
    moves: list[bool] = []
    carrier: list[int] = []
    masses = [0.0] * len(links)
    for link in links:
        fixed = link.joint.type in ("fixed", "track") and link.parent >= 0
        carrier.append(carrier[link.parent] if fixed else link.index)
        above = link.parent >= 0 and moves[link.parent]
        moves.append(above or link.joint.type in ("free", "revolute", "prismatic"))
        masses[carrier[-1]] += link.mass
    for link in links:
        if not moves[link.index]:
            continue
        problem = complaint(link.mass, link.inertia) if link.mass > 0.0 else ""
        if carrier[link.index] == link.index and not masses[link.index] > 0.0:
            problem = "the mass is 0 kg, with all that is fixed to it"
        if problem:
            load.findings.note(link.source, f"{link.name} moves, but {problem}")


def _devices(ordered: list[LinkDraft], load: Load) -> list[Device]:
    result = []
    seen: set[tuple[str, Any]] = set()
    for k, link in enumerate(ordered):
        for given in link.devices:
            for key, what in (
                ((given.kind, given.id), f"id {given.id}"),
                (("name", given.name), f"name {given.name!r}"),
            ):
                if key[1] not in (None, "") and key in seen:
                    load.findings.note(
                        given.place, f"there is another {given.kind if key[0] != 'name' else 'device'} with the {what}"
                    )
                seen.add(key)
            turn, at = _frozen(given.transform[:3, :3]), _frozen(given.transform[:3, 3])
            result.append(Device(given.kind, given.name, given.id, k, at, turn, given.on, given.settings))
    return result


def _extra_joints(draft: ModelDraft, indices: dict[str, int]) -> list[ExtraJoint]:
    result = []
    for given in draft.extra_joints:
        for name in (given.link1, given.link2):
            if name not in indices:
                raise ModelError(
                    f"{given.place}: the extra joint names {name!r}, which is no link{_hint(name, indices)}"
                )
        if given.link1 == given.link2:
            raise ModelError(f"{given.place}: the extra joint must be between two links, but both are {given.link1!r}")
        length = float(np.linalg.norm(given.axis))
        if not 0.0 < length < math.inf:
            raise ModelError(f"{given.place}: the axis of the extra joint must not be zero")
        one, two = indices[given.link1], indices[given.link2]
        axis = _frozen(given.axis / length)
        result.append(ExtraJoint(given.name, given.type, one, two, _frozen(given.point1), _frozen(given.point2), axis))
    return result
