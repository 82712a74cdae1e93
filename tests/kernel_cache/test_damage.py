"""Damaged cache files: compiled again, with one warning, and never executed."""

import hashlib
import os
import pickle
import warnings

import pytest

from opendynamics.core.compile import cache, files
from opendynamics.core.compile.cache import KernelCacheWarning
from tests.kernel_cache.tiny import fresh, loads


class Trap:
    """An object that must never be unpickled."""

    def __reduce__(self):
        return (os.abort, ())


def sealed(name, payload):
    """A file that is whole."""
    return files.MAGIC + hashlib.sha256(name.encode() + b"\0" + payload).digest() + payload


def flipped(content, place):
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


HEAD = len(files.MAGIC) + 32

DAMAGE = {
    "empty": lambda name, whole: b"",
    "first byte only": lambda name, whole: whole[:1],
    "magic only": lambda name, whole: whole[: len(files.MAGIC)],
    "head only": lambda name, whole: whole[:HEAD],
    "half": lambda name, whole: whole[: len(whole) // 2],
    "last byte missing": lambda name, whole: whole[:-1],
    "a byte more": lambda name, whole: whole + b"\0",
    "twice": lambda name, whole: whole * 2,
    "bit of the magic": lambda name, whole: flipped(whole, 3),
    "bit of the checksum": lambda name, whole: flipped(whole, len(files.MAGIC)),
    "bit of the payload": lambda name, whole: flipped(whole, (HEAD + len(whole)) // 2),
    "last bit": lambda name, whole: flipped(whole, -1),
    "zeros": lambda name, whole: bytes(len(whole)),
    "a block of zeros": lambda name, whole: whole[:512] + bytes(512) + whole[1024:],
    "text": lambda name, whole: b"<html>not found</html>",
    "of another layout": lambda name, whole: whole[:14] + b"\1" + whole[15:],
    "of another kernel": lambda name, whole: sealed("core.other-0123", whole[HEAD:]),
    "a pickle without head": lambda name, whole: pickle.dumps(Trap()),
    "a pickle with a wrong checksum": lambda name, whole: whole[:HEAD] + pickle.dumps(Trap()),
    "whole, but no object code": lambda name, whole: sealed(name, b"nonsense"),
    "whole, but a pickle": lambda name, whole: sealed(name, pickle.dumps(Trap())),
    "whole, but of something else": lambda name, whole: sealed(name, b'{"a": 1}\nnonsense'),
    "whole, but shorter than it says": lambda name, whole: sealed(name, whole[HEAD:-1]),
    "whole, but with other names": lambda name, whole: sealed(name, whole[HEAD:].replace(b"thrice", b"twice!", 3)),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A separate cache for each test, and no message given yet."""
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    return tmp_path / "cache"


def test_what_was_kept_is_loaded():
    assert not loads()
    assert fresh().cache.is_kept()
    assert loads()


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_compiled_again_with_one_warning(folder, damage):
    assert not loads()
    name = fresh().cache.file_name()
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(damage(name, whole))
    with pytest.warns(KernelCacheWarning, match="compiled again") as said:
        assert not loads()
    assert len(said) == 1
    assert loads()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_in_its_place_is_not_waited_for(folder):
    folder.mkdir(mode=0o700)
    os.mkfifo(folder / fresh().cache.file_name())
    with pytest.warns(KernelCacheWarning, match="not a regular file"):
        assert not loads()
    assert loads()  # a file has taken its place


def test_a_folder_in_its_place_is_left_alone(folder):
    (folder / fresh().cache.file_name()).mkdir(parents=True)
    with pytest.warns(KernelCacheWarning) as said:
        assert not loads()
        assert not loads()
    assert len(said) == 1


def test_a_link_to_nowhere_is_replaced(folder):
    folder.mkdir(mode=0o700)
    path = folder / fresh().cache.file_name()
    path.symlink_to(folder / "nowhere")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not loads()
        assert loads()
    assert not path.is_symlink()
