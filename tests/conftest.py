"""Settings that every test shares: hypothesis draws the same examples in every run."""

import gc
import signal

import pytest
from hypothesis import settings

# A first example may wait for a kernel to compile, hence no deadline. Reruns must agree to the last bit,
# hence no random draws and no store of earlier failures (which would also differ between machines).
settings.register_profile("reproducible", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("reproducible")

# Programs that tests interrupt would inherit that SIGINT is ignored, as it is where a shell runs tests in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def free_what_snapshots_froze():
    """See `snapshot`."""
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
