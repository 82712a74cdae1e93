"""Reported times exclude compilation, on a fresh machine as on any other."""

import time

from opendynamics.cli.playing import play
from opendynamics.core.compile.cache import running_time
from opendynamics.scenes import build
from tests.kernel_cache.tiny import fresh


def test_the_clock_stands_still_while_kernels_compile_or_load(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path))
    made = fresh()
    compile_now = made.compile
    monkeypatch.setattr(made, "compile", lambda: time.sleep(1.0) or compile_now())
    running = running_time()
    made(1.0)
    assert running_time() - running < 1.0
    before, running, start = time.perf_counter(), running_time(), time.perf_counter()
    time.sleep(0.05)
    least, counted, most = time.perf_counter() - start, running_time() - running, time.perf_counter() - before
    assert least <= counted <= most


def test_a_summary_leaves_out_what_compiles_in_the_middle(monkeypatch):
    """A kernel that is first needed in some step: here, one that takes a second."""
    scene, made = build("wall", rows=1, columns=1), fresh()
    time_stages = type(scene.world).time_stages
    compile_now = made.compile
    monkeypatch.setattr(made, "compile", lambda: time.sleep(1.0) or compile_now())

    def needs_another(world, h, steps=1):
        made.load()
        return time_stages(world, h, steps)

    monkeypatch.setattr(type(scene.world), "time_stages", needs_another)
    assert play("wall", scene, 3).real < 1.0


def test_an_entry_that_loads_those_it_calls_stops_the_clock_once(monkeypatch):
    outer, inner = fresh(), fresh()
    monkeypatch.setattr(inner.cache, "_load_or_compile", lambda: time.sleep(0.2))
    monkeypatch.setattr(outer.cache, "_load_or_compile", inner.cache.loaded)
    running = running_time()
    outer.cache.loaded()
    assert running_time() >= running
