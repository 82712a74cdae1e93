"""Mixin of a world with saving and restoring."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from opendynamics.api.home import FREE
from opendynamics.api.member import EDITION, Member
from opendynamics.api.saving.beginning import Beginning
from opendynamics.api.saving.hashing import hash_of
from opendynamics.api.saving.manifest import Manifest
from opendynamics.api.saving.snapshot import Snapshot, SnapshotError
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Store

if TYPE_CHECKING:
    from opendynamics.api.world import World


class _OfClass(classmethod):  # type: ignore[type-arg]
    """A class method that raises an error if it is called on an instance, as the call would not change that instance."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return super().__get__(None, owner)

        def refuse(*values: Any, **options: Any) -> NoReturn:
            raise TypeError(
                "World.load makes a new world and changes no other: write world = od.World.load(...), or go back to a snapshot "
                f"of {instance.name} by {instance.name}.restore(snapshot)"
            )

        return refuse


class Saving(Member):
    """Save and restore, copies, pickles, hashes."""

    _transient: ClassVar[dict[str, Any]] = {"_saved_manifest": type(None), "_beginning": type(None)}

    _store: Store
    name: str
    _saved_manifest: Manifest | None = None
    _beginning: Beginning | None = None

    def save(self: Any) -> Snapshot:
        """Save the world's current state: everything on which its motion depends, and all its members.

        Saving 1,000 bodies in a pile takes about 0.1 ms as long as nothing is created or destroyed in between.
        """
        self._require_between_steps("saved")
        return Snapshot._of(self, self._manifest())

    def restore(self: Any, snapshot: Snapshot) -> None:
        """Restore a saved state; from there the world continues bit for bit.

        Bodies, joints, geoms and spaces of that state are valid again; those created since raise DestroyedError. Users' data
        is the same object; its contents are not restored.

        Raises:
            SnapshotError: the snapshot is of another world; `World.load` creates a new world from it.
            RuntimeError: the world is being stepped.
        """
        self._require_between_steps("restored")
        if not isinstance(snapshot, Snapshot):
            raise TypeError(
                f"{self.name} is restored from what world.save() returned, not from a {type(snapshot).__name__}; "
                "od.World.load(path) makes a new world of a file"
            )
        if snapshot._manifest.world is not self:
            raise SnapshotError(
                f"the snapshot is not of {self.name} but of another world; od.World.load(snapshot) makes a new world of it"
            )
        snapshot._put_into(self)

    @classmethod
    def load(cls, snapshot: Snapshot | str | Path, *, trust: bool = False) -> World:
        """Create a new world from a snapshot, or from a file.

        Args:
            snapshot: a Snapshot, of this or another process, or the path of a file from `snapshot.write(path)`.
            trust: for files, see `Snapshot.read`.
        """
        if not isinstance(snapshot, Snapshot):
            if not isinstance(snapshot, str | PathLike):
                raise TypeError(
                    "World.load takes a Snapshot, or the path of a file that snapshot.write(path) made, "
                    f"not a {type(snapshot).__name__}"
                )
            snapshot = Snapshot.read(snapshot, trust=trust)
        return snapshot._as_world({})

    def reset(self: Any) -> None:
        """Restore the state before the first step, with everything that was set until then."""
        self._require_between_steps("reset")
        if self._beginning is not None:
            self._beginning.snapshot._put_into(self)

    def state_hash(self: Any) -> str:
        """Hash of the whole state, in hexadecimal: equal for worlds that will move identically, to the last bit.

        It includes poses, velocities, forces, settings, poses and sizes of shapes, and starting values of solvers, but not
        names, users' data and functions, or the report of the last step.
        """
        self._require_between_steps("hashed")
        return hash_of(self)

    # -- copies and pickles ----------------------------------------------------------------------------------------

    def __copy__(self: Any) -> World:
        return self.save()._as_world({}, share_data=True)  # type: ignore[no-any-return]

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> World:
        return self.save()._as_world(memo)  # type: ignore[no-any-return]

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return _world_of, (self.save().to_bytes(),)

    # -- internal --------------------------------------------------------------------------------------------------

    def _manifest(self: Any) -> Manifest:
        """The current manifest; the last one if nothing has changed since."""
        known = self._saved_manifest
        if known is None or known.edition != EDITION.number or self._tracks != known.tracks:
            self._drop_lost_geoms()
            self._saved_manifest = Manifest.of(self)
        return self._saved_manifest  # type: ignore[no-any-return]

    def _save_beginning(self: Any) -> None:
        """Called before the first step: save the state for `reset`."""
        if self._beginning is None:
            self._beginning = Beginning(self)

    def _restored(self: Any) -> None:
        """Called when the state was replaced: notifies all code that tracks it."""
        self._faults_seen = int(self._store[REPORTS]["faults"][0])
        self._ready = ""
        self._seconds.clear()
        self._home.edition.number += 1
        self._home.last_contacts.clear()
        self._contact_rows._reinstated()
        self._forget_contact_forces()
        for rows in (self._bodies_rows, self._joint_rows, self._contact_rows, self._home.geoms, FREE.geoms):
            rows.changes += 1

    def _require_between_steps(self: Any, what: str) -> None:
        if self._store.stepping or self._store.busy:
            raise RuntimeError(f"{self.name} is being stepped and cannot be {what} now; do it between steps")
        self._contact_rows.write()


def _world_of(data: bytes) -> World:
    """The world in a pickle, which is trusted as a whole."""
    return Snapshot.from_bytes(data, trust=True)._as_world({})


Saving.load = _OfClass(Saving.load.__func__)  # type: ignore[attr-defined, method-assign, assignment]
