"""Cache files: shared by installations with equal sources, and compiled again if damaged."""

import pytest

from tests.kernel_cache.copies import DEPTH, copy_to, run, start


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package with a cache that holds the kernels of DEPTH."""
    copy = copy_to(tmp_path_factory.mktemp("warm"))
    assert run(copy, DEPTH) == "0.75"
    return copy


def times(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_a_second_installation_loads_what_the_first_has_kept(copy, tmp_path):
    before = times(copy.parent / "cache")
    assert before and all(name.endswith(".kernel") or name == "lock" for name in before)
    assert run(copy_to(tmp_path), DEPTH, OPENDYNAMICS_CACHE_DIR=str(copy.parent / "cache")) == "0.75"
    assert times(copy.parent / "cache") == before


def test_a_damaged_file_is_compiled_again_with_one_warning(copy):
    (path,) = (copy.parent / "cache").glob("core.bodies.shapes.sphere.point_depth-*.kernel")
    path.write_bytes(path.read_bytes()[:-1])
    done = start(copy, DEPTH)
    assert done.stdout.strip() == "0.75"
    assert done.stderr.count("KernelCacheWarning") == 1 and "is damaged" in done.stderr
    before = times(path.parent)
    assert run(copy, DEPTH) == "0.75"
    assert times(path.parent) == before
