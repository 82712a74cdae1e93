"""Settings that every test shares: hypothesis draws the same examples in every run."""

from hypothesis import settings

# A first example may wait for a kernel to compile, hence no deadline. Reruns must agree to the last bit,
# hence no random draws and no store of earlier failures (which would also differ between machines).
settings.register_profile("reproducible", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("reproducible")
