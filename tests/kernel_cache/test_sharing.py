"""Processes that start cold together share the work, and none waits for one that does not end."""

import errno
import gc
import os
import signal
import subprocess
import sys
import time

import pytest

from opendynamics.core.compile import loading, locks
from tests.kernel_cache.copies import PACKAGE, run
from tests.kernel_cache.tiny import fresh, loads

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def names_in(folder):
    """Names of the entries that are kept."""
    return sorted(path.name.rpartition("-")[0] for path in folder.glob("*.kernel"))


def is_busy():
    return locks.is_busy(fresh().cache.file)


def forked(function):
    """A child that runs `function` and ends with its result as status."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os._exit(int(function()))
        except BaseException:
            os._exit(99)
    return child


def status(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_of_several_cold_processes_one_compiles():
    start = time.time() + 1.0

    def together():
        time.sleep(start - time.time())
        return loads()

    children = [forked(together) for _ in range(5)]
    assert sorted(status(child) for child in children) == [False, True, True, True, True]


def holder(folder):
    """A child that has the lock of the tiny entry, and keeps it."""
    name = fresh().cache.file_name()
    ready, tell = os.pipe()

    def hold():
        with locks.turn(name):
            os.write(tell, b"!")
            time.sleep(60)

    child = forked(hold)
    assert os.read(ready, 1) == b"!"
    os.close(ready)
    os.close(tell)
    return child


def test_the_lock_of_a_process_that_was_killed_is_free(folder):
    child = holder(folder)
    assert is_busy()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert not is_busy()
    assert not loads()


def test_patience_ends(folder, monkeypatch):
    """A process that has stopped does not stop others."""
    monkeypatch.setattr(locks, "PATIENCE", 0.3)
    child = holder(folder)
    os.kill(child, signal.SIGSTOP)
    try:
        start = time.monotonic()
        assert not loads()
        assert time.monotonic() - start >= 0.3
        assert loads()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_threads_wait_for_each_other_too():
    name = fresh().cache.file_name()
    with locks.turn(name):
        assert is_busy()
    assert not is_busy()


def test_without_locks_everybody_compiles(monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def no_locks(*_):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "lockf", no_locks)
    assert not loads()
    assert loads()


TOGETHER = """
from opendynamics.core.compile import loading
from opendynamics.core.families import SHAPES
started = []
start = loading._start_another
loading._start_another = lambda entries: started.append(start(entries)) or started[-1]
entries = [SHAPES[name].bounds for name in ("box", "capsule", "cylinder", "plane", "ray", "sphere")]
counted = []
print(loading.load_together(entries, counted.append), all(map(loading.is_kept, entries)), len(set(counted)), len(started))
"""


def test_entries_are_loaded_together():
    assert run(PACKAGE, TOGETHER) == "6 True 6 1"
    assert run(PACKAGE, TOGETHER) == "0 True 6 0"


LATER = """
from opendynamics.core.compile import loading
from opendynamics.core.families import SHAPES
first, *later = (SHAPES[name].bounds for name in ("box", "capsule", "sphere"))
start, started = loading._start_another, []
loading._start_another = lambda entries: started.append(start(entries)) or started[-1]
print(loading.load_together([first], later=later), [entry.cache.is_loaded for entry in (first, *later)])
loading.load_together([later[0]], later=later)  # unless the other process has compiled it by now
print(started[0].poll() is None or all(map(loading.is_kept, later)))
started[0].wait()
print(all(map(loading.is_kept, later)), len(started))
"""


def test_what_is_needed_later_is_compiled_by_the_other_process_alone():
    assert run(PACKAGE, LATER).splitlines() == ["1 [True, False, False]", "True", "True 1"]


def test_nothing_is_compiled_for_later_where_nothing_is_missing_now(monkeypatch):
    now, *later = fresh(), fresh(), fresh()
    now.load()
    for entry in later:  # as if they were of other functions than `now`, whose machine code is kept
        monkeypatch.setattr(entry.cache, "exists", lambda: False)
    monkeypatch.setattr(loading, "_start_another", lambda entries: pytest.fail("a process was started"))
    assert loading.load_together([now], later=later) == 0


def test_garbage_is_collected_as_before_once_a_kernel_is_compiled(monkeypatch):
    seen = []
    made = fresh()
    monkeypatch.setattr(made, "compile", lambda compile=made.compile: seen.append(gc.isenabled()) or compile())
    try:
        for enabled in (False, True):
            (gc.enable if enabled else gc.disable)()
            made.cache._compile()
            assert gc.isenabled() == enabled
    finally:
        gc.enable()
    assert seen == [False, False]


def test_what_is_loaded_is_not_looked_for(monkeypatch):
    """A new world asks for all its kernels; looking for their files took ten times as long as everything else it does."""
    first, second = fresh(), fresh()
    first.load()
    looked, cache = [], type(first.cache)
    file_name = cache.file_name
    monkeypatch.setattr(cache, "file_name", lambda self: looked.append(self.entry) or file_name(self))
    counted = []
    loading.load_together([first, second], counted.append)
    assert counted == [first, second]
    assert second in looked and first not in looked


def test_the_other_process_compiles_what_it_is_told(folder):
    """It takes its entries from the end; here it takes all, as nobody else does."""
    names = [f"opendynamics.core.bodies.shapes.{shape}:bounds" for shape in ("sphere", "plane")]
    run(PACKAGE, f"from opendynamics.core.compile.loading import load_named; load_named({names})")
    assert names_in(folder) == ["core.bodies.shapes.plane.bounds", "core.bodies.shapes.sphere.bounds"]


CALLER, CALLEE = (
    "opendynamics.core.collide.stages:collide_pairs",
    "opendynamics.core.collide.narrowphase.dispatch:collide_by",
)


def test_the_other_process_leaves_callees_to_others(folder):
    """It loads nothing, so that it waits for no callee that the first process compiles."""
    run(PACKAGE, f"from opendynamics.core.compile.loading import load_named; load_named([{CALLER!r}])")
    assert names_in(folder) == ["core.collide.stages.collide_pairs"]


CALL = f"""
import opendynamics as od
from opendynamics.core.kernels import Entry
world = od.World()
world.add_plane()
ball = world.add_body(od.Sphere(1.0), position=(0, 0, 0.75))
caller, callee = map(Entry.of_symbol, ({CALLER!r}, {CALLEE!r}))
world.advance(0.01)
print(caller.cache.was_kept, callee.cache.was_kept, [entry.symbol for entry in caller.callees()], ball.position[2] > 0.75)
"""


def test_a_callee_is_compiled_once_and_found_by_its_callers(folder):
    assert run(PACKAGE, CALL) == f"False False [{CALLEE!r}] True"
    assert names_in(folder).count("core.collide.narrowphase.dispatch.collide_by") == 1
    assert run(PACKAGE, CALL) == f"True True [{CALLEE!r}] True"


def test_a_callee_whose_file_is_gone_is_compiled_for_its_caller(folder):
    run(PACKAGE, CALL)
    (file,) = folder.glob("core.collide.narrowphase.dispatch.collide_by-*.kernel")
    file.unlink()
    assert run(PACKAGE, CALL) == f"True False [{CALLEE!r}] True"


@pytest.mark.parametrize("program", ["/usr/bin/uwsgi", "/opt/blender/blender", "", None, "frozen"])
def test_no_program_but_python_is_started(monkeypatch, program):
    """Starting what Python is embedded or frozen in would run the user's program a second time."""

    def start(*_, **__):
        raise AssertionError("started")

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(loading, "processors", lambda: 2)
    with pytest.raises(AssertionError, match="started"):
        loading._start_another([fresh()])
    if program == "frozen":
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    else:
        monkeypatch.setattr(sys, "executable", program)
    assert loading._start_another([fresh()]) is None
