"""Unusable or unsafe cache folders: kernels are compiled without being cached, and one warning says so."""

import importlib
import os
import pwd
import resource
import shutil
import signal
import sys
import tempfile
import warnings
from pathlib import Path

import platformdirs
import pytest

from opendynamics.core.compile import cache, folder
from opendynamics.core.compile.cache import KernelCacheWarning
from tests.kernel_cache.copies import PACKAGE, run, start
from tests.kernel_cache.tiny import fresh, loads

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="users and modes of POSIX")
as_root = pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="becomes another user, which only root can")

OTHER, STRANGER = 12345, 12346  # users that the system does not know


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.setattr(cache, "_said", set())


@pytest.fixture
def place(monkeypatch):
    """A folder that every user can get to, with the cache folder `kernels` to be in it."""
    place = Path(tempfile.mkdtemp(prefix="opendynamics-test-"))
    place.chmod(0o777)
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(place / "kernels"))
    yield place
    shutil.rmtree(place)


def as_user(user, function):
    """The result of `function()` in a process of another user, and the warnings of that process."""
    into, out_of = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os.close(into)
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                reported = f"{function()} {len(said)}\n" + "\n".join(str(warning.message) for warning in said)
        except BaseException as error:
            reported = f"{type(error).__name__}: {error}"
        os.write(out_of, reported.encode())
        os._exit(0)
    os.close(out_of)
    with open(into) as file:
        reported = file.read()
    os.waitpid(child, 0)
    return reported


def compiles_with_one_warning(match):
    with pytest.warns(KernelCacheWarning, match=match) as said:
        assert not loads()
        assert not loads()
    assert len(said) == 1


# -- folders -----------------------------------------------------------------------------------------------------------


def test_the_folder_is_private(place):
    loads()
    state = (place / "kernels").stat()
    assert state.st_mode & 0o777 == 0o700 and state.st_uid == os.getuid()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (place / "kernels").iterdir())
    assert loads()


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(place, mode):
    loads()
    (place / "kernels").chmod(mode)
    compiles_with_one_warning("can be written by other users")
    assert not fresh().cache.is_kept()
    (place / "kernels").chmod(0o755)
    assert loads()


def test_a_file_that_others_can_write_is_not_used(place):
    loads()
    path = place / "kernels" / fresh().cache.file_name()
    path.chmod(0o666)
    with pytest.warns(KernelCacheWarning, match="can be written by other users"):
        assert not loads()
    assert loads()  # it has been replaced


def test_a_file_where_the_folder_should_be(place):
    (place / "kernels").write_text("")
    compiles_with_one_warning("not kept")
    assert (place / "kernels").read_text() == ""


def test_nothing_is_written_elsewhere_if_the_folder_cannot_be_made(place, tmp_path, monkeypatch):
    (place / "file").write_text("")
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(place / "file" / "kernels"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    compiles_with_one_warning("OPENDYNAMICS_CACHE_DIR")
    assert not list(tmp_path.iterdir())
    assert [path.name for path in place.iterdir()] == ["file"]


def test_a_full_disk(place):
    """Files may have no more than 1000 bytes, so that writing fails in the middle."""
    (place / "kernels").mkdir(mode=0o700)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1][1]))
    try:
        compiles_with_one_warning("File too large")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before[1])
        signal.signal(signal.SIGXFSZ, before[0])
    assert {path.name for path in (place / "kernels").iterdir()} <= {"lock"}
    assert not loads()
    assert loads()


# -- where it is ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def environment(monkeypatch):
    """No variable says where to keep anything."""
    for name in ("OPENDYNAMICS_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_the_variables_are_followed_in_their_order(environment):
    environment.setenv("HOME", "/home/me")
    assert folder.cache_folder() == Path("/home/me/.cache/opendynamics")
    environment.setenv("XDG_CACHE_HOME", "/var/cache/me")
    assert folder.cache_folder() == Path("/var/cache/me/opendynamics")
    environment.setenv("OPENDYNAMICS_CACHE_DIR", "/srv/kernels")
    assert folder.cache_folder() == Path("/srv/kernels")


@pytest.mark.parametrize("path", ["", "relative", "./cache", "~/cache"])
def test_paths_that_are_not_absolute_do_not_count(environment, path):
    environment.setenv("HOME", "/home/me")
    environment.setenv("XDG_CACHE_HOME", path)
    assert folder.cache_folder() == Path("/home/me/.cache/opendynamics")
    environment.setenv("HOME", path)
    environment.delenv("XDG_CACHE_HOME")
    expected = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache" / "opendynamics"
    assert folder.cache_folder() == expected
    # As releases of platformdirs before 4.14 have it, which are those for Python 3.10.
    environment.setattr(platformdirs, "user_cache_path", lambda name, **_: Path(os.path.expanduser(f"~/.cache/{name}")))
    assert folder.cache_folder() == expected
    assert os.environ["HOME"] == path


@pytest.mark.parametrize(
    ("platform", "path"), [("macos", "/home/me/Library/Caches/opendynamics"), ("windows", "Cache")]
)
def test_other_platforms_have_folders_of_their_own(environment, platform, path):
    """What platformdirs says for the platform; on Windows no folder of the author's is around it."""
    environment.setenv("HOME", "/home/me")
    environment.setenv("LOCALAPPDATA", "/local")
    module = importlib.import_module(f"platformdirs.{platform}")
    environment.setattr(
        platformdirs, "PlatformDirs", getattr(module, {"macos": "MacOS", "windows": "Windows"}[platform])
    )
    if platform == "windows":
        environment.setattr(module, "get_win_folder", lambda name: "/local")
        path = f"/local/opendynamics/{path}"
    assert folder.cache_folder() == Path(path)


@pytest.mark.parametrize("answer", [RuntimeError("no home"), KeyError("LOCALAPPDATA"), Path("~/.cache/opendynamics")])
def test_nothing_says_where_the_folder_is(environment, answer):
    """Releases of platformdirs raise, or give a path that is not absolute."""

    def path(*names, **options):
        if isinstance(answer, Exception):
            raise answer
        return answer

    environment.setattr(platformdirs, "user_cache_path", path)
    with pytest.raises(folder.UnusableError, match="no home folder"):
        folder.cache_folder()


def test_a_chosen_folder_needs_no_platformdirs(tmp_path):
    script = (
        "import sys, opendynamics as od; od.Sphere(1.0).point_depth((0, 0, 0.25)); print('platformdirs' in sys.modules)"
    )
    assert run(PACKAGE, script, OPENDYNAMICS_CACHE_DIR=str(tmp_path)) == "False"


def test_a_chosen_folder_is_absolute(environment, tmp_path):
    environment.chdir(tmp_path)
    environment.setenv("OPENDYNAMICS_CACHE_DIR", "kernels")
    assert folder.cache_folder() == tmp_path / "kernels"
    environment.setenv("OPENDYNAMICS_CACHE_DIR", "")
    environment.setenv("HOME", "/home/me")
    assert folder.cache_folder() == Path("/home/me/.cache/opendynamics")


def test_a_user_without_home_imports_and_computes():
    """Neither a variable nor the system knows a home: one warning, and the right number."""
    script = """
        import os, pwd
        def unknown(user): raise KeyError(user)
        pwd.getpwuid = unknown
        for name in ("HOME", "XDG_CACHE_HOME", "OPENDYNAMICS_CACHE_DIR"):
            os.environ.pop(name, None)
        import opendynamics as od
        print(od.Sphere(1.0).point_depth((0, 0, 0.25)))
    """
    done = start(PACKAGE, script, OPENDYNAMICS_CACHE_DIR="")
    assert done.stdout.strip() == "0.75", done.stderr
    assert done.stderr.count("KernelCacheWarning") == 1 and "no home" in done.stderr


# -- other users -----------------------------------------------------------------------------------------------------------


@as_root
def test_another_users_machine_code_is_not_run(place):
    """Files kept by user OTHER, readable by all, are run by OTHER alone."""
    (place / "kernels").mkdir()
    (place / "kernels").chmod(0o755)
    os.chown(place / "kernels", OTHER, OTHER)
    assert as_user(OTHER, loads) == "False 0\n"
    assert as_user(OTHER, loads) == "True 0\n"
    reported = as_user(STRANGER, loads)
    assert reported.startswith("False 1\n") and "belongs to another user" in reported
    with pytest.warns(KernelCacheWarning, match="belongs to another user"):
        assert not loads()  # root does not either


@as_root
def test_a_file_of_another_users_in_ones_own_folder_is_not_run(place):
    assert not loads()
    path = place / "kernels" / fresh().cache.file_name()
    os.chown(path, OTHER, OTHER)
    with pytest.warns(KernelCacheWarning, match="belongs to another user"):
        assert not loads()


@as_root
def test_a_warmed_folder_that_cannot_be_written_is_read(place):
    """As in a container image: made by root, readable, used by a user without name and home."""
    (place / "kernels").mkdir(mode=0o755)
    assert not loads()
    files = list((place / "kernels").iterdir())
    (place / "kernels").chmod(0o555)
    assert as_user(STRANGER, loads) == "True 0\n"
    assert as_user(STRANGER, fresh().cache.is_kept) == "True 0\n"
    for path in files:
        path.unlink()
    reported = as_user(STRANGER, lambda: loads() or loads())
    assert reported.startswith("False 1\n") and "Permission denied" in reported
    assert not list((place / "kernels").iterdir())


@as_root
def test_a_folder_closed_to_this_user(place):
    assert not loads()
    reported = as_user(STRANGER, lambda: loads() or loads())
    assert reported.startswith("False 1\n") and "not kept" in reported


def test_two_runs_without_warning(tmp_path):
    """A fresh folder two levels down is made without a word."""
    deep = str(tmp_path / "a" / "b" / "kernels")
    script = "import opendynamics as od; print(od.Sphere(1.0).point_depth((0, 0, 0.25)))"
    assert (
        run(PACKAGE, script, OPENDYNAMICS_CACHE_DIR=deep) == run(PACKAGE, script, OPENDYNAMICS_CACHE_DIR=deep) == "0.75"
    )
