"""Joints and contact joints in one order, oldest first, although contact joints are in no dictionary (`contact_rows`).

Bodies, groups and worlds store their other joints in a dictionary. If such a joint is created after contact joints, these are
added to the dictionary before it; destroyed ones are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics.api.joints.joint import Joint

Joints = dict["Joint", None]


def in_order(joints: Joints, contacts: Sequence[Any]) -> list[Joint]:
    """All joints, oldest first: those of the dictionary, without destroyed contact joints, and the other contact joints."""
    if not contacts and all(joint.kind != "contact" for joint in joints):
        return list(joints)
    there = set(contacts)
    return [
        *(joint for joint in joints if joint.kind != "contact" or joint in there),
        *(c for c in contacts if c not in joints),
    ]


def add_in_order(joints: Joints, contacts: Sequence[Any], joint: Joint) -> None:
    """Append a joint."""
    if contacts or joint in joints:
        before = [other for other in in_order(joints, contacts) if other is not joint]
        joints.clear()
        joints.update(dict.fromkeys(before))
    joints[joint] = None
