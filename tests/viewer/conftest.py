"""A world, and views of it."""

import pytest

import opendynamics as od
from tests.viewer.showing import show


@pytest.fixture
def world():
    """A plane, a wall, and three bodies that fall."""
    world = od.World(gravity=(0, 0, -9.81), name="trial")
    world.add_plane()
    world.add_geom(od.Box((1, 1, 1), position=(5, 0, 0.5), name="wall"))
    world.add_body(od.Sphere(0.5), position=(0, 0, 3), name="ball")
    world.add_body(od.Sphere(0.25), position=(2, 0, 3), name="small ball")
    world.add_body(od.Box((1, 1, 1)), od.Capsule(0.1, 1.0, position=(0, 0, 1)), position=(-3, 0, 3), name="hammer")
    return world


@pytest.fixture
def viewer(world):
    """Shown by hand: no thread, so that a test decides what happens when."""
    with show(world, threaded=False) as viewer:
        yield viewer


@pytest.fixture
def live(world):
    with show(world) as viewer:
        yield viewer


@pytest.fixture
def browser(live):
    from tests.viewer.fake_browser import FakeBrowser, until

    browser = FakeBrowser(live.url)
    until(lambda: browser.counts["batched_positions"] > 2)
    yield browser
    browser.close()
