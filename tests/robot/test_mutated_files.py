"""Mutated model files: each loads or is rejected with a ModelError that names the file; none crashes the loader, takes
forever, or makes it open a file outside its roots.
"""

import random
import shutil
import signal
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest

from opendynamics.robot import Limits, ModelError, load_robot
from tests.robot.mutations import mutated

MODELS = Path(__file__).parents[1] / "data" / "models"
FORMATS = {
    "body": [
        "SR1/SR1.body",
        "misc/ClosedLinkSample.body",
        "misc/crawler.body",
        "PA10/PA10.body",
        "SR1/SR1-floor-box.body",
    ],
    "yaml": [
        "Labo1/resource/valves.yaml via Labo1/valve.body",
        "misc/BoxesOnFloor.body",
        "legacy/SR1.yaml",
        "misc/submersible.body",
    ],
    "wrl": [
        "legacy/SR1.wrl",
        "legacy/ClosedLinkSample.wrl",
        "legacy/crawler.wrl",
        "PA10/parts/J1.wrl via PA10/PA10.body",
    ],
    "urdf": ["SR1/SR1.urdf"],
    "mesh": ["JACO2/parts/FINGER_TIP.stl"],
}
VALVE = """
format: ChoreonoidBody
links:
  - name: Valve
    joint_type: free
    elements: { Resource: { uri: resource/valves.yaml, node: VALVE_HANDLE_213 } }
"""
SECONDS = 20
SMALL = Limits(file_bytes=4 << 20, total_bytes=8 << 20, files=50, nodes=20_000, vertices=200_000)

# Python itself, whose modules may be imported during a load.
PLACES = tuple(
    str(Path(p).resolve()) for p in (sys.prefix, sys.base_prefix, Path(__file__).parents[2] / "opendynamics")
)

_opened: list[str] | None = None


def _note_open(event, arguments):
    if _opened is not None and event == "open" and isinstance(arguments[0], (str, bytes)):
        _opened.append(str(Path(arguments[0] if isinstance(arguments[0], str) else arguments[0].decode())))


sys.addaudithook(_note_open)


@contextmanager
def opened_files():
    global _opened  # noqa: PLW0603  (an audit hook stays for ever, and so needs a switch)
    _opened = []
    try:
        yield _opened
    finally:
        _opened = None


@contextmanager
def deadline(seconds):
    """Processor time, so that a busy machine makes no difference."""

    def late(*_):
        raise TimeoutError(f"the load took more than {seconds} s of processor time")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def check(path: Path, root: Path) -> bool:
    """Whether the file loads; it must be refused properly if not."""
    with opened_files() as files, deadline(SECONDS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = load_robot(path, limits=SMALL)
        except ModelError as error:
            assert str(path.parent.name) in str(error) or path.name in str(error), error
            model = None
    for name in files:
        assert str(Path(name).resolve()).startswith((*PLACES, str(root))), f"{name} was opened"
    if model is not None:
        assert model.mass >= 0.0 and model.state().q.shape == (len(model.joints),)
    return model is not None


def mutate_and_load(tmp_path, name, seeds):
    folder = tmp_path / "models"
    shutil.copytree(MODELS, folder)
    (folder / "Labo1/valve.body").write_text(VALVE)
    name, _, through = name.partition(" via ")
    data, path = (folder / name).read_bytes(), folder / (through or name)
    assert check(path, folder)
    loaded = 0
    for seed in seeds:
        (folder / name).write_bytes(mutated(data, random.Random(seed)))
        loaded += check(path, folder)
    return loaded


CASES = [name for names in FORMATS.values() for name in names]


@pytest.mark.parametrize("name", CASES)
def test_some_mutations(tmp_path, name):
    mutate_and_load(tmp_path, name, range(20))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_ten_thousand_mutations(tmp_path, name):
    loaded = mutate_and_load(tmp_path, name, range(1000, 1000 + -(-10_000 // len(CASES))))
    assert loaded > 0
