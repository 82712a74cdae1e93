"""A key covers everything that machine code depends on: callees, tables, and settings."""

import json
import shutil

import pytest

from tests.kernel_cache.copies import DEPTH, KEYS, copy_to, edit, run, start


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


SIMULATION = """
import json
import opendynamics as od
from opendynamics.core.kernels import ENTRIES
print(json.dumps({entry.py_func.__module__ + "." + entry.py_func.__name__: entry.cache.file_name() for entry in ENTRIES}))
"""


def test_a_process_that_imports_less_has_the_same_keys(copy, keys):
    """A user's program looks for the files that `warmup`, or the wheel, has compiled."""
    found = json.loads(run(copy, SIMULATION))
    assert len(found) < len(keys) and {name: keys[name] for name in found} == found


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
from opendynamics.core import types
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


def test_an_archive_has_the_keys_of_its_sources(copy, keys, tmp_path):
    """As in a zipapp: sources come from the loader, and members of families are found."""
    shutil.make_archive(str(tmp_path / "program"), "zip", copy.parent, "opendynamics")
    (tmp_path / "opendynamics").mkdir()
    archived = run(tmp_path / "opendynamics", KEYS, PYTHONPATH=str(tmp_path / "program.zip"))
    assert json.loads(archived) == keys


def test_a_constant_from_the_environment_counts(edited):
    """Values that a module computes on import are constants of its kernels, wherever they come from."""
    algebra = edited / "core" / "algebra"
    algebra.joinpath("probe.py").write_text('import os\n\ntwice = float(os.environ.get("FACTOR", 2))\n')
    algebra.joinpath("uses_probe.py").write_text(f"from opendynamics.core.algebra.probe import twice\n{ENTRY}")
    two, three = (json.loads(run(edited, KEYS, FACTOR=factor)) for factor in ("2", "3"))
    assert {name for name in two if two[name] != three[name]} == {"opendynamics.core.algebra.uses_probe.call"}


def test_sources_that_change_while_a_process_runs_are_not_trusted(edited):
    """The code it has imported is no longer the code on disk, from which it would make a key."""
    script = f"""
import pathlib, time
import opendynamics as od
od.Sphere  # what is imported with it has the text of now
time.sleep(0.1)
path = pathlib.Path({str(edited / "core" / "algebra" / "vec3.py")!r})
path.write_text(path.read_text() + "\\n")
{DEPTH}
"""
    done = start(edited, script)
    assert done.stdout.strip() == "0.75"
    assert done.stderr.count("KernelCacheWarning") == 1 and "vec3 has changed" in done.stderr
    kept = [path.name for path in edited.parent.joinpath("cache").glob("*sphere*")]
    assert not kept


def test_tables_stand_in_one_order(copy):
    """Whichever module is imported first: their positions are part of every key."""
    show = "from opendynamics.core.arrays.table import DECLARED; print([table.name for table in DECLARED])"
    orders = {
        run(copy, f"import opendynamics.{first}\n{show}")
        for first in ("core.arrays.store", "core.solve", "io", "robot")
    }
    assert len(orders) == 1
    assert orders == {run(copy, f"from opendynamics.cli.kernels import find_entries; find_entries()\n{show}")}
