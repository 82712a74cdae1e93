"""Cache files of other versions: removed on request, or when all together are too large, the oldest first."""

import os
import time

import pytest

from opendynamics.cli.commands import warmup
from opendynamics.cli.program import main
from opendynamics.core.compile import files

DAY = 86400.0


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path / "kernels"))
    now = time.time()
    for age in range(5):
        name = files.name_of(f"kernel{age}", "key")
        files.write(name, bytes(952))  # with its heading, 1000 bytes
        os.utime(tmp_path / "kernels" / name, (now - age * DAY, now - age * DAY))
    (tmp_path / "kernels" / "notes.txt").write_text("mine")
    return tmp_path / "kernels"


def ages(folder):
    return sorted(int(path.name[6]) for path in folder.glob("*.kernel"))


def test_nothing_is_removed_while_there_is_room(folder):
    assert files.prune(5000) == 0
    assert ages(folder) == [0, 1, 2, 3, 4] and files.kept_bytes() == 5000


def test_the_files_that_were_not_used_for_longest_go_first(folder):
    assert files.prune(4000) == 2000  # down to a fifth less
    assert ages(folder) == [0, 1, 2]


def test_reading_a_file_is_using_it(folder):
    assert files.read(files.name_of("kernel4", "key")) == bytes(952)
    files.prune(4000)
    assert ages(folder) == [0, 1, 4]


def test_warmup_removes_what_is_not_of_this_version(folder, monkeypatch, capsys):
    monkeypatch.setattr(warmup, "find_entries", list)
    assert main(["warmup"]) == 0
    assert ages(folder) == [0, 1, 2, 3, 4]
    assert main(["warmup", "--prune"]) == 0
    assert ages(folder) == [] and (folder / "notes.txt").exists()
    assert "removed 0.0 MB of other versions" in capsys.readouterr().out


def test_only_named_files_stay(folder):
    files.remove_others({files.name_of("kernel3", "key")})
    assert ages(folder) == [3]
