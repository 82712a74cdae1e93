"""Settings shared by all tests: hypothesis draws the same examples in every run."""

import gc
import signal

import pytest
from hypothesis import settings

from tests.checked_calls import check_calls
from tests.slow_share import is_in_share, parse_share

# A first example may wait for a kernel to compile, hence no deadline. Reruns must agree to the last bit,
# hence no random draws and no store of earlier failures (which would also differ between machines).
settings.register_profile("reproducible", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("reproducible")

check_calls()

# Programs that tests interrupt would inherit that SIGINT is ignored, as it is where a shell runs tests in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--slow-share", metavar="K/N", help="of the slow tests, run one of N shares: the K-th, from 0 on")


def pytest_collection_modifyitems(config, items):
    """Leave out the slow tests of other shares."""
    wanted = config.getoption("--slow-share")
    if wanted is None:
        return
    share = parse_share(wanted)
    others = [item for item in items if item.get_closest_marker("slow") and not is_in_share(item.nodeid, share)]
    left_out = set(map(id, others))
    items[:] = [item for item in items if id(item) not in left_out]
    config.hook.pytest_deselected(items=others)


@pytest.fixture(autouse=True, scope="module")
def free_what_snapshots_froze():
    """See `snapshot`."""
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
