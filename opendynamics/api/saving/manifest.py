"""The manifest: every member of a world with its attributes.

Members are found by following references from the world. Geoms without a body are in tables that all worlds share (the FREE
home); those in a space together with geoms of the world belong to the manifest, including their records.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.contact_rows import ContactRows
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.handle import Handle
from opendynamics.api.home import FREE, Home
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.joint import Joint
from opendynamics.api.member import (
    EDITION,
    Member,
    attributes_of,
    reinstate,
    shared_attributes,
    transient_attributes,
)
from opendynamics.api.spaces.space import Space
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import Store

if TYPE_CHECKING:
    from opendynamics.api.world import World

# Location of a free geom in the shared tables, which differs in a copy, and perhaps after restoring.
PLACE = ("_index", "_generation")

# Types of most attributes, which contain no members.
NO_MEMBERS = frozenset((int, float, str, bool, type(None)))

_NO_RECORDS = np.zeros(0, GEOMS.dtype)


class Manifest:
    """The members of a world and their attributes at one moment. Users' `data` is included, but not searched for members.

    Attributes:
        edition: value of EDITION when it was taken, or last restored.
        entries: each member with its attributes, the world first.
        free: the geoms of the FREE home among them.
        spaces: the spaces among them.
    """

    def __init__(self, entries: list[tuple[Member, dict[str, Any]]]) -> None:
        self.edition = EDITION.number
        self.entries = entries
        self.free = [member for member, values in entries if isinstance(member, Geom) and values["_home"] is FREE]
        self.spaces = [member for member, _ in entries if isinstance(member, Space)]

    @classmethod
    def of(cls, world: World) -> Manifest:
        """The manifest of the world's current state."""
        entries: list[tuple[Member, dict[str, Any]]] = []
        found: set[int] = {id(FREE), id(FREE.geoms), id(world)}
        waiting: list[Member] = [world]
        while waiting:
            member = waiting.pop()
            values = attributes_of(member)
            entries.append((member, values))
            others = [
                other
                for name, value in values.items()
                if type(value) not in NO_MEMBERS and name != "data"
                for other in _members_in(value)
            ]
            if isinstance(member, Home):  # geoms without space and body
                others += [geom for geom in member.handles.values() if geom.alive]
            for other in others:
                if id(other) not in found and _belongs(other, world):
                    found.add(id(other))
                    waiting.append(other)
        return cls(entries)

    @property
    def world(self) -> World:
        """The world, or its shell."""
        return self.entries[0][0]  # type: ignore[return-value]

    @property
    def tracks(self) -> bool:
        """Whether the world tracks contact events."""
        return bool(self.entries[0][1].get("_tracks", False))

    def number_of(self, member: Member) -> int:
        """The number of a member; -1 for other objects."""
        return next((k for k, (own, _) in enumerate(self.entries) if own is member), -1)

    # -- in place --------------------------------------------------------------------------------------------------

    def require_restorable(self) -> None:
        """Raise an error if a geom of the manifest has moved to another world, or a space of it is colliding."""
        for space in self.spaces:
            if space._colliding:
                raise RuntimeError(f"{space.name} collides just now; restore {self.entries[0][1]['name']} afterwards")
        if self.edition == EDITION.number:
            return
        FREE.store.require_idle()
        home = self.entries[0][1]["_home"]
        for member, _ in self.entries:
            if isinstance(member, Geom) and member.alive and member._home not in (home, FREE):
                raise ValueError(
                    f"{member.name} of {self.entries[0][1]['name']} now belongs to another world; destroy it there, or "
                    "load the snapshot as a new world: od.World.load(snapshot)"
                )

    def reinstate(self) -> None:
        """Restore the attributes of every member; detach members created since."""
        kept = {id(member) for member, _ in self.entries}
        _cut_off([member for member, _ in Manifest.of(self.world).entries if id(member) not in kept], kept)
        for member, values in self.entries:
            if isinstance(member, Geom):
                self._take_free_row(member, values)
            reinstate(member, values)
        self.edition = EDITION.number

    def _take_free_row(self, geom: Geom, values: dict[str, Any]) -> None:
        """Allocate or free the rows of geoms in the shared tables as in the manifest."""
        free, was_free = geom._home is FREE and geom.alive, values["_home"] is FREE
        if free and not was_free:
            FREE.give_back(geom._index)
        elif was_free and not free:
            values["_index"], values["_generation"] = FREE.geoms.take()
        elif was_free:
            values["_index"], values["_generation"] = geom._index, geom._generation

    # -- as another world ------------------------------------------------------------------------------------------

    def copy(self, store: Store, memo: dict[int, Any], *, share_data: bool = False) -> Manifest:
        """Copies of the members for another store; `memo` is as for copy.deepcopy.

        With `share_data`, the copies refer to the original users' data.
        """
        memo |= {id(self.entries[0][1]["_store"]): store, id(FREE): FREE, id(FREE.geoms): FREE.geoms}
        twins = [type(member).__new__(type(member)) for member, _ in self.entries]
        memo |= {id(member): twin for (member, _), twin in zip(self.entries, twins, strict=True)}
        memo.setdefault(id(memo), []).extend(
            member for member, _ in self.entries
        )  # keeps them alive, as copy.deepcopy does
        entries: list[tuple[Member, dict[str, Any]]] = []
        for (member, values), twin in zip(self.entries, twins, strict=True):
            shared = shared_attributes(type(member)) | ({"data"} if share_data else set())
            own = {name: value if name in shared else copy.deepcopy(value, memo) for name, value in values.items()}
            entries.append((twin, own))
        for twin, own in entries:
            if isinstance(twin, Geom) and own["_home"] is FREE:
                own["_index"], own["_generation"] = FREE.geoms.take()
            reinstate(twin, own)
            for name, initial in transient_attributes(type(twin)).items():
                object.__setattr__(twin, name, initial())
        return Manifest(entries)


def finish(manifest: Manifest) -> None:
    """Update what depends on attributes and tables of a manifest's members, after both are restored."""
    for member, _ in manifest.entries:
        member._reinstated()
    manifest.edition = EDITION.number


def free_records(manifest: Manifest, records: Any) -> Any:
    """Copies of the records of the manifest's free geoms, given those of all free geoms."""
    if not manifest.free:
        return _NO_RECORDS
    return records[np.array([geom._index for geom in manifest.free], np.int64)]


def write_free_records(manifest: Manifest, records: Any) -> None:
    """Restore the records of the manifest's free geoms."""
    for geom, record in zip(manifest.free, records, strict=True):
        FREE.store[GEOMS][geom._index] = record


def _members_in(value: Any) -> Iterator[Member]:
    """Members that an attribute is, or contains."""
    if isinstance(value, Member):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, Member):
                yield key
            if isinstance(item, Member):
                yield item
    elif isinstance(value, (list, tuple, set)):
        for item in value:
            if isinstance(item, Member):
                yield item


def _belongs(member: Member, world: World) -> bool:
    """Whether a member that the world refers to is saved with it, and not with another world."""
    if isinstance(member, Geom):
        return member._home in (world._home, FREE)
    if isinstance(member, ContactRows):
        return member.world is world
    return not (isinstance(member, Handle) and member._store is not world._store)


def _cut_off(newcomers: list[Member], kept: set[int]) -> None:
    """Remove references to restored objects from members created since the manifest was taken."""
    for member in newcomers:
        if isinstance(member, Joint):
            if not isinstance(member, ContactJoint) and member._group is not None and id(member._group) not in kept:
                member._group._drop(member)
        elif isinstance(member, Space):
            for inner in [inner for inner in member._members if id(inner) in kept or isinstance(inner, Geom)]:
                if id(inner) in kept or inner._home is not FREE:
                    member._unlist(inner)
            if member._space is not None and id(member._space) in kept:
                member._space = None
            member._home = None
            member._changed()
        elif isinstance(member, Geom) and member._home is not FREE:
            member._body = None
        elif isinstance(member, Geom):
            if member._space is not None and id(member._space) in kept:
                member._space = None
        elif isinstance(member, JointGroup):
            for joint in [joint for joint in member if id(joint) in kept]:
                member._drop(joint)
