"""Machine code in the package is used if the processor has the features; otherwise kernels are compiled."""

import os
import shutil
import subprocess
import sys
import warnings

import pytest

from opendynamics.core.compile import files, shipped
from opendynamics.core.compile.cache import KernelCacheWarning, _said
from tests.kernel_cache.tiny import fresh, loads

LEVEL = "x86-64-v3"

pytestmark = pytest.mark.skipif(bool(shipped.missing_features(LEVEL)), reason=f"this processor is not {LEVEL}")

PROGRAM = """
from tests.kernel_cache.tiny import fresh
fresh()(2.0)
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The folder of a process that compiled the tiny entry for the level, as `make wheel` does."""
    folder = tmp_path_factory.mktemp("level")
    chosen = {"OPENDYNAMICS_CACHE_DIR": str(folder / LEVEL), "NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": ""}
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, env=os.environ | chosen, timeout=300)
    return folder


@pytest.fixture
def package(compiled, tmp_path, monkeypatch):
    """A package that came with the tiny entry, and a user without anything."""
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path / "cache"))
    shutil.copytree(compiled, shipped.FOLDER)
    shipped.level_here.cache_clear()
    _said.clear()
    yield tmp_path / "cache"
    shipped.level_here.cache_clear()


def test_it_is_loaded_and_nothing_is_kept(package):
    assert fresh().cache.exists() and fresh().cache.is_kept()
    assert loads()
    assert not package.exists()


@pytest.mark.parametrize("folder", ["", "/dev/null/kernels"])
def test_no_folder_of_the_user_is_needed(package, monkeypatch, folder):
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", folder)
    monkeypatch.delenv("HOME")
    assert loads()


def test_a_processor_without_a_feature_compiles_and_says_so_once(package, monkeypatch):
    monkeypatch.setattr(shipped, "_features", lambda: {"avx2": False})
    shipped.level_here.cache_clear()
    with pytest.warns(
        KernelCacheWarning, match=r"is for x86-64-v3, and this processor lacks avx, .*: kernels are compiled"
    ):
        assert not loads()
    assert files.exists(fresh().cache.file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loads()


def test_other_sources_or_versions_compile(package, monkeypatch):
    monkeypatch.setattr("opendynamics.core.compile.keys.LAYOUT", 0)
    from opendynamics.core.compile.keys import _versions

    _versions.cache_clear()
    try:
        assert not loads()
    finally:
        _versions.cache_clear()


def test_a_damaged_file_is_compiled_again(package):
    path = shipped.folder() / fresh().cache.shipped_name()
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.warns(KernelCacheWarning, match=rf"in {shipped.folder()} is damaged"):
        assert not loads()
    assert files.exists(fresh().cache.file)


def test_another_kind_of_processor_has_none(package, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    shipped.level_here.cache_clear()
    assert shipped.machine() == "" and shipped.missing_features(LEVEL) == ["x86-64"]
