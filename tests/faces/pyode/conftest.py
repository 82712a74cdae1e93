import pytest

pytest.register_assert_rewrite(*(f"tests.faces.pyode.calls_of_{name}" for name in ("bodies", "geoms", "joints")))
