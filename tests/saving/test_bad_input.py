"""Snapshots that cannot be restored or loaded: a clear error, and the world as it was."""

from __future__ import annotations

import hashlib
import json
import pickle
import random

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.saving.portable import DIGEST, LENGTH, MAGIC
from opendynamics.api.saving.snapshot import Snapshot
from tests.saving.trials import pile


@pytest.fixture
def world():
    made, _ = pile()
    made.advance(0.01, steps=40)
    return made


@pytest.fixture
def unchanged(world):
    """The world must be as it was at the end of the test."""
    before = world.state_hash(), world.bodies, world.joints, world.geoms
    yield
    assert (world.state_hash(), world.bodies, world.joints, world.geoms) == before


def with_checksum(body):
    return MAGIC + hashlib.sha256(body).digest() + body


def mutated(data, rng):
    """`data` with some bytes changed, cut off or inserted; half of the time with a fitting checksum."""
    body = bytearray(data[len(MAGIC) + DIGEST :] if rng.random() < 0.5 else data)
    fitting = len(body) != len(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        at = min(int(len(body) * rng.random() ** rng.choice([1, 4])), len(body) - 1)
        what = rng.randrange(5)
        if what == 0:
            body[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            body[at : at + 8] = rng.choice([b"\0" * 8, b"\xff" * 8, b"\xff" * 7 + b"\x7f", rng.randbytes(8)])
        elif what == 2:
            del body[at : at + rng.randint(1, 64)]
        elif what == 3:
            body[at:at] = rng.randbytes(rng.randint(1, 16))
        else:
            del body[at:]
        if not body:
            break
    return with_checksum(bytes(body)) if fitting else bytes(body)


def try_mutations(world, numbers):
    data = world.save().to_bytes()
    refused = 0
    for number in numbers:
        changed = mutated(data, random.Random(number))
        try:
            other = Snapshot.from_bytes(changed)
        except od.SnapshotError:
            refused += 1
            continue
        try:
            od.World.load(other).state_hash()
        except od.SnapshotError:
            refused += 1
    assert 0.5 * len(numbers) < refused


def test_mutated_bytes_are_refused_or_read(world, unchanged):
    try_mutations(world, range(300))


@pytest.mark.slow
def test_many_mutated_bytes_are_refused_or_read(world, unchanged):
    try_mutations(world, range(300, 10_300))


def test_every_byte_counts(world, unchanged):
    data = world.save().to_bytes()
    rng = random.Random(1)
    for _ in range(100):
        at = rng.randrange(len(data))
        with pytest.raises(od.SnapshotError, match=r"checksum|no snapshot|another format"):
            Snapshot.from_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(od.SnapshotError):
            Snapshot.from_bytes(data[:at])


def changed_header(data, **changes):
    body = data[len(MAGIC) + DIGEST :]
    end = LENGTH + int.from_bytes(body[:LENGTH], "little")
    head = json.dumps(json.loads(body[LENGTH:end]) | changes).encode()
    return with_checksum(len(head).to_bytes(LENGTH, "little") + head + body[end:])


def test_snapshots_of_other_versions_name_the_remedy(world, unchanged, tmp_path):
    data = world.save().to_bytes()
    with pytest.raises(od.SnapshotError, match="another format"):
        Snapshot.from_bytes(MAGIC[:6] + b"\x00\x09" + data[8:])
    with pytest.raises(od.SnapshotError, match=r"saved by opendynamics 9\.9, whose tables differ"):
        Snapshot.from_bytes(changed_header(data, library="9.9", arrays=[["motions", [["x", "<f8"]], 8]]))
    with pytest.raises(od.SnapshotError, match="big-endian"):
        Snapshot.from_bytes(changed_header(data, byteorder="big"))
    path = tmp_path / "text.odsnap"
    path.write_text("hello")
    with pytest.raises(od.SnapshotError, match=r"text\.odsnap.*no snapshot"):
        od.World.load(path)
    with pytest.raises(FileNotFoundError):
        od.World.load(tmp_path / "none")


def test_what_is_not_the_librarys_is_not_run_without_trust(tmp_path):
    world = od.World()
    for data in (Danger(), Hook):
        world.data = data
        path = tmp_path / "world"
        world.save().write(path)
        with pytest.raises(od.SnapshotError, match="trust=True"):
            od.World.load(path)
        assert not Danger.done
    od.World.load(path, trust=True)
    world.data = Danger()
    world.save().write(path)
    od.World.load(path, trust=True)
    assert Danger.done.pop() == "called"


class Danger:
    done: list[str] = []  # noqa: RUF012

    def __reduce__(self):
        return run, ("called",)


def run(word):
    Danger.done.append(word)


def Hook():
    """A function of the user's."""


OPCODES = {
    "a call of a library's class": b"copendynamics.io.recording.recorder\nRecorder\n(tR.",
    "a call of a member's class": b"copendynamics.api.world\nWorld\n(tR.",
    "the system": b"cos\nsystem\n(S'exit 3'\ntR.",
    "an attribute of a class": b"copendynamics.api.surface\nSurface\n(N}S'row'\nI1\nstb.",
    "an attribute of a store": b"(S'store'\nI0\ntQ(N}S'busy'\nS'x'\nstb.",
    "a method": b"copendynamics.api.surface\nSurface.__init__\n(tR.",
}


@pytest.mark.parametrize("opcodes", OPCODES.values(), ids=OPCODES)
def test_pickles_that_somebody_made_are_refused(world, unchanged, opcodes):
    data = world.save().to_bytes()
    body = data[len(MAGIC) + DIGEST :]
    header = json.loads(body[LENGTH : LENGTH + int.from_bytes(body[:LENGTH], "little")])
    manifest = LENGTH + int.from_bytes(body[:LENGTH], "little") + sum(entry[2] for entry in header["arrays"])
    before = od.Surface.__dict__["row"]
    with pytest.raises(od.SnapshotError):
        Snapshot.from_bytes(with_checksum(body[:manifest] + opcodes))
    assert od.Surface.__dict__["row"] is before


@pytest.mark.parametrize(
    ("field", "table"),
    [("body0", "joints"), ("body", "geoms"), ("kind", "geoms"), ("material", "geoms"), ("kind", "joints")],
)
@pytest.mark.parametrize("value", [-1, 1 << 20])
def test_rows_that_are_not_there_are_refused(world, unchanged, field, table, value):
    snapshot = world.save()
    from opendynamics.core.arrays.store import saved_tables

    k, declared = next((k, each) for k, each in enumerate(saved_tables()) if each.name == table)
    snapshot._tables[k].view(declared.dtype)[field][0] = value
    with pytest.raises(od.SnapshotError, match="damaged"):
        Snapshot.from_bytes(snapshot.to_bytes())


def test_the_snapshot_of_another_world_is_refused(world, unchanged):
    other, _ = pile()
    with pytest.raises(od.SnapshotError, match=r"World\.load"):
        world.restore(other.save())
    with pytest.raises(od.SnapshotError, match=r"World\.load"):
        world.restore(pickle.loads(pickle.dumps(world.save())))
    for wrong in (None, 3, "file", world, other.save().to_bytes()):
        with pytest.raises(TypeError, match=r"world\.save\(\).*World\.load") as refused:
            world.restore(wrong)
        assert len(str(refused.value)) < 200
    for wrong in (None, 3, other.save().to_bytes(), world):
        with pytest.raises(TypeError, match="takes a Snapshot, or the path of a file") as refused:
            od.World.load(wrong)
        assert len(str(refused.value)) < 200


def test_a_geom_that_moved_to_another_world_stops_the_restore(world):
    snapshot, other = world.save(), od.World()
    shape = world.bodies[4].geoms[0]
    shape.body = None
    world.space.remove(shape)
    other.add_body(shape, mass=1.0)
    before = world.state_hash(), other.state_hash()
    with pytest.raises(ValueError, match="belongs to another world"):
        world.restore(snapshot)
    assert (world.state_hash(), other.state_hash()) == before
    shape.destroy()
    world.restore(snapshot)
    assert shape.body is world.bodies[4]


def test_a_world_that_was_destroyed_cannot_be_saved_or_restored(world):
    snapshot = world.save()
    world.destroy()
    for use in (
        world.save,
        lambda: world.restore(snapshot),
        world.reset,
        world.state_hash,
        lambda: pickle.dumps(world),
    ):
        with pytest.raises(od.DestroyedError):
            use()
    assert not world.alive
    assert od.World.load(snapshot).bodies


def refuse(world, snapshot):
    for use in (world.save, lambda: world.restore(snapshot), world.reset, world.state_hash):
        with pytest.raises(RuntimeError, match="being stepped"):
            use()


def test_nothing_is_restored_while_the_world_is_stepped(world):
    snapshot, asked = world.save(), []

    def moved(body):
        refuse(world, snapshot)
        asked.append(body)

    def collider(geom, other, limit):
        refuse(world, snapshot)
        asked.append(geom)
        return []

    world.bodies[5].moved_callback = moved
    world.advance(0.01)
    world.bodies[5].moved_callback = None
    world.add_geom(od.GeomClass("cloud", bounds=lambda geom: (-9, 9) * 3, collider=collider)())
    world.advance(0.01)
    assert {type(each).__name__ for each in asked} == {"Body", "CustomGeom"}
    world.restore(snapshot)


def test_nothing_is_restored_while_a_space_collides(world):
    snapshot, seen = world.save(), []

    def near(a, b):
        with pytest.raises(RuntimeError, match="collides just now"):
            world.restore(snapshot)
        seen.append(a)

    world.space.collide(near)
    assert seen
    world.restore(snapshot)


def test_what_cannot_be_carried_is_named():
    world = od.World(name="arena")
    body = world.add_body(od.Sphere(0.1), name="ball")
    body.moved_callback = lambda body: None
    with pytest.raises(TypeError, match=r"moved callback of ball cannot be carried.*<lambda>"):
        world.save().to_bytes()
    body.moved_callback = None
    world.save().to_bytes()
    body.data = (number for number in range(3))
    with pytest.raises(TypeError, match="data of ball"):
        pickle.dumps(world)
    body.data = None

    class Local(od.World):
        pass

    with pytest.raises(TypeError, match="top level"):
        Local().save().to_bytes()
    for part in (body, body.geoms[0], world.space):
        assert pickle.loads(pickle.dumps(part)).name == part.name
    body.destroy()
    with pytest.raises(TypeError, match="ball cannot be copied or pickled by itself"):
        pickle.dumps(body)


def test_numbers_of_users_come_through_without_trust():
    world = od.World()
    world.data = {
        "a": np.arange(6.0).reshape(2, 3),
        "b": {1, 2},
        "c": (1 + 2j, b"x", "y"),
        "d": np.float32(1.5),
        "e": None,
        "f": world.gravity,  # which refuses to be written
    }
    other = od.World.load(Snapshot.from_bytes(world.save().to_bytes()))
    for name in ("a", "f"):
        assert np.array_equal(other.data.pop(name), world.data.pop(name))
    assert other.data == world.data
    assert type(other.data["d"]) is np.float32


def test_references_to_members_of_another_kind_are_refused(world, unchanged):
    """A checksum proves that bytes are as they were written, not that they make sense."""
    snapshot = Snapshot.from_bytes(world.save().to_bytes())
    members = snapshot._manifest.entries
    geom = next(values for member, values in members if isinstance(member, od.Geom))
    geom["_home"] = next(member for member, _ in members if isinstance(member, od.Joint))
    with pytest.raises(od.SnapshotError, match="its parts do not fit together"):
        od.World.load(snapshot)
    with pytest.raises(od.SnapshotError, match="refers to rows of another kind"):
        Snapshot.from_bytes(snapshot.to_bytes())
