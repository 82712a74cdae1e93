"""A key covers all that machine code depends on: callees wherever they are imported, tables, and settings."""

import json

import pytest

from tests.kernel_cache.copies import DEPTH, KEYS, copy_to, edit, run


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return copy_to(tmp_path_factory.mktemp("original"))


@pytest.fixture(scope="module")
def keys(copy):
    return json.loads(run(copy, KEYS))


@pytest.fixture
def edited(tmp_path):
    return copy_to(tmp_path)


def test_an_edited_callee_is_compiled_anew(edited):
    assert run(edited, DEPTH) == "0.75"
    edit(
        edited / "core" / "bodies" / "shapes" / "sphere.py",
        "from opendynamics.core.algebra.vec3 import",
        "from ...algebra.vec3 import",
    )
    assert run(edited, DEPTH) == "0.75"
    vec3 = edited / "core" / "algebra" / "vec3.py"
    edit(
        vec3,
        "return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])",
        "return 2.0 * sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])",
    )
    assert run(edited, DEPTH) == "0.5"


def test_copies_with_equal_sources_have_equal_keys(edited, keys):
    assert json.loads(run(edited, KEYS)) == keys
    assert len(set(keys.values())) == len(keys)


IMPORTS = {
    "function": "from opendynamics.core.algebra.probe import twice",
    "submodule": "from opendynamics.core.algebra import vec3, probe",
    "dotted": "import opendynamics.core.algebra.probe",
    "relative": "from .probe import twice",
    "relative_submodule": "from . import probe",
    "from_above": "from ..algebra import probe",
    "in_brackets": "from opendynamics.core.algebra import (  # (why not)\n    vec3,\n    probe,\n)",
    "continued": "from opendynamics.core.algebra import vec3, \\\n    probe",
    "behind": "x = 1; from opendynamics.core.algebra import probe",
    "in_a_condition": "if True: from opendynamics.core.algebra import probe",
    "in_a_function": "def make():\n    from opendynamics.core.algebra import probe\n    return probe",
    "star": "from opendynamics.core.algebra.probe import *",
    "by_another": "from opendynamics.core.algebra.uses_star import *",
    "not_at_all": "from opendynamics.core.algebra import vec3",
}

ENTRY = """
from numba import types
from opendynamics.core.kernels import entry


@entry(types.float64(types.float64))
def call(x):
    return x
"""


def test_every_form_of_import_counts(edited):
    algebra = edited / "core" / "algebra"
    for form, statement in IMPORTS.items():
        (algebra / f"uses_{form}.py").write_text(f"{statement}\n{ENTRY}")
    (algebra / "probe.py").write_text("twice = 2")
    before = json.loads(run(edited, KEYS))
    (algebra / "probe.py").write_text("twice = 3")
    now = json.loads(run(edited, KEYS))
    changed = {name for name in before if now[name] != before[name]}
    assert changed == {f"opendynamics.core.algebra.uses_{form}.call" for form in IMPORTS if form != "not_at_all"}


def test_a_table_in_between_changes_every_key(edited, keys):
    declaration = 'MOTIONS = Table("motions",'
    edit(edited / "core" / "arrays" / "bodies.py", declaration, f'X = Table("x", "f8", Role.CACHE)\n{declaration}')
    now = json.loads(run(edited, KEYS))
    assert not set(now.values()) & set(keys.values())


@pytest.mark.parametrize(
    "setting", ["NUMBA_OPT=1", "NUMBA_CPU_FEATURES=", "NUMBA_BOUNDSCHECK=1", "NUMBA_LOOP_VECTORIZE=0"]
)
def test_settings_of_numba_count(copy, keys, setting):
    name, _, value = setting.partition("=")
    now = json.loads(run(copy, KEYS, **{name: value}))
    assert not set(now.values()) & set(keys.values())
