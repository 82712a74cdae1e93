"""Snapshot: a world's state at one moment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opendynamics.api import describing
from opendynamics.api.files import replacing, require_file
from opendynamics.api.home import FREE, world_store
from opendynamics.api.member import EDITION
from opendynamics.api.saving.manifest import Manifest, finish, free_records, write_free_records
from opendynamics.api.saving.reports import Report
from opendynamics.api.suggestions import explain_calls
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import Array, Store

if TYPE_CHECKING:
    from opendynamics.api.world import World


class SnapshotError(ValueError):
    """A snapshot that is damaged, of another version, or of another world's structure."""


@explain_calls
class Snapshot:
    """A world's state: the result of `world.save()`, which `world.restore` restores and `World.load` turns into a new world.

    It can be pickled, and written to a file with `write`. It keeps the world's bodies, joints and geoms alive.
    """

    __slots__ = ("_foreign", "_free", "_manifest", "_report", "_tables")

    def __init__(self, tables: list[Array], manifest: Manifest, free: Array, report: Report) -> None:
        self._tables = tables
        self._manifest = manifest
        self._free = free
        self._report = report
        self._foreign = False  # from bytes, which may be inconsistent in spite of their checksum

    @classmethod
    def _of(cls, world: World, manifest: Manifest) -> Snapshot:
        return cls(world._store.save(), manifest, free_records(manifest, FREE.store[GEOMS]), Report.of(world._store))

    @property
    def nbytes(self) -> int:
        """Size of the tables' state and the last step's report, bytes."""
        return sum(rows.nbytes for rows in self._tables) + self._free.nbytes + self._report.nbytes

    # -- restoring ------------------------------------------------------------------------------------------------

    def _put_into(self, world: World) -> None:
        """Restore the world of the snapshot."""
        manifest = self._manifest
        manifest.require_restorable()
        changed = world._saved_manifest is not manifest or manifest.edition != EDITION.number
        if changed:
            manifest.reinstate()
        self._fill(world._store, manifest)
        if changed:
            finish(manifest)
            world._saved_manifest = manifest
        world._restored()

    def _fill(self, store: Store, manifest: Manifest) -> None:
        store.restore(self._tables)
        write_free_records(manifest, self._free)
        self._report.put(store)

    def _as_world(self, memo: dict[int, Any], *, share_data: bool = False) -> World:
        """Create a new world like that of the snapshot. SnapshotError if data read from bytes is inconsistent."""
        store = world_store()
        try:
            world = self._new_world(store, memo, share_data)
            if self._foreign:
                require_attributes(world)
                world._list_changes()  # which is referred to by all members
            return world
        except Exception as error:
            store.begin_step("a world that was not finished")  # its geoms are dropped without freeing their rows
            if not self._foreign or isinstance(error, SnapshotError):
                raise
            raise SnapshotError(f"the snapshot is damaged: its parts do not fit together ({error})") from error

    def _new_world(self, store: Store, memo: dict[int, Any], share_data: bool) -> World:
        manifest = self._manifest.copy(store, memo, share_data=share_data)
        self._fill(store, manifest)
        finish(manifest)
        world = manifest.world
        world._saved_manifest = manifest
        world._restored()
        return world

    # -- files and pickles -----------------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """The snapshot as bytes with version and checksum. TypeError names objects that cannot be moved to another process."""
        from opendynamics.api.saving.portable import pack

        return pack(self._tables, self._manifest, self._free, self._report)

    @classmethod
    def from_bytes(cls, data: bytes, *, trust: bool = False) -> Snapshot:
        """The snapshot from the bytes of `to_bytes`.

        Args:
            data: the bytes.
            trust: whether functions and classes other than the library's own may be imported and called, as for
                `pickle`: users' data and callbacks need this. Only for bytes that you trust.

        Raises:
            SnapshotError: the bytes are damaged, of another version, or need `trust`.
        """
        from opendynamics.api.saving.portable import unpack

        snapshot = cls(*unpack(data, trust))
        snapshot._foreign = True
        return snapshot

    def write(self, path: str | Path) -> None:
        """Write the snapshot to a file, atomically."""
        data = self.to_bytes()
        with replacing(Path(path)) as aside:
            aside.write_bytes(data)

    @classmethod
    def read(cls, path: str | Path, *, trust: bool = False) -> Snapshot:
        """The snapshot in a file; for `trust` and errors see `from_bytes`."""
        require_file(Path(path), "a snapshot")
        try:
            return cls.from_bytes(Path(path).read_bytes(), trust=trust)
        except SnapshotError as error:
            raise SnapshotError(f"{str(path)!r}: {error}") from None

    def __reduce__(self) -> Any:
        return _trusted, (self.to_bytes(),)

    def __repr__(self) -> str:
        values = self._manifest.entries[0][1]
        counts = f"{describing.count(len(values['_bodies']), 'body')} and {describing.count(len(values['_joints']), 'joint')}"
        return f"<Snapshot of {values['name']!r} with {counts}, {self.nbytes} bytes>"


def require_attributes(world: World) -> None:
    """Raise AttributeError if a world that was read lacks required attributes."""
    from opendynamics.api.world import World

    for name in vars(World()):
        object.__getattribute__(world, name)


def _trusted(data: bytes) -> Snapshot:
    """For pickles, which are trusted as a whole."""
    return Snapshot.from_bytes(data, trust=True)
