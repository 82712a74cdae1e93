"""Choreonoid's sample projects with the models that they name, unpacked as Choreonoid has them."""

import io
import lzma
import tarfile
from pathlib import Path

from opendynamics import robot

DATA = Path(__file__).parents[1] / "data"
MODELS = DATA / "models"


def unpacked(folder):
    """The projects in a folder, with `share` next to them; returns the folder of the projects."""
    with tarfile.open(fileobj=io.BytesIO((DATA / "projects/projects.tar.xz").read_bytes())) as archive:
        archive.extractall(folder, filter="data")
    (folder / "share/model").symlink_to(MODELS)
    motions = folder / "share/motion/SR1"
    motions.mkdir(parents=True)
    packed = (DATA / "motions/SR1WalkPattern1.seq.xz").read_bytes()
    (motions / "SR1WalkPattern1.seq").write_bytes(lzma.decompress(packed))
    return folder / "projects"


def load(projects, name, **options):
    """A project; its models are those of the test data."""
    return robot.load_project(projects / name, roots=[MODELS], **options)
