"""Some properties of destroyed meshes, support geoms, geom transforms and spaces still answered instead of raising."""

import numba
import numpy as np
import pytest

import opendynamics as od
from tests.unit.test_destroyed import ALWAYS, getters_of

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
SIDES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


@numba.njit
def ellipsoid(radii, d):
    x, y, z = radii[0] * d[0], radii[1] * d[1], radii[2] * d[2]
    k = 1.0 / np.sqrt(x * x + y * y + z * z)
    return k * x * radii[0], k * y * radii[1], k * z * radii[2]


EGGS = od.SupportClass("egg", ellipsoid)
MAKERS = {
    "mesh": lambda: od.Trimesh(CORNERS, SIDES, name="gone"),
    "support": lambda: EGGS((1.0, 2.0, 3.0), radius=0.1, name="gone"),
    "transform": lambda: od.GeomTransform(od.Sphere(1.0), name="gone"),
    "hash": lambda: od.HashSpace(name="gone"),
    "simple": lambda: od.SimpleSpace(name="gone"),
    "tree": lambda: od.TreeSpace(name="gone"),
    "sweep and prune": lambda: od.SweepAndPruneSpace(name="gone"),
    "quad tree": lambda: od.QuadTreeSpace((0, 0, 0), (9, 9, 9), 4, name="gone"),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_every_property_of_the_destroyed_raises(kind):
    thing = MAKERS[kind]()
    names = [name for name in getters_of(thing) if name not in ALWAYS]
    for name in names:
        getattr(thing, name)
    thing.destroy()
    assert "destroyed" in repr(thing) and not thing.alive and thing.name == "gone"
    for name in names:
        with pytest.raises(od.DestroyedError, match="gone"):
            getattr(thing, name)
            pytest.fail(f"{kind}.{name} can be read")


def test_temporal_coherence_of_a_destroyed_mesh():
    mesh = MAKERS["mesh"]()
    mesh.set_temporal_coherence(1, True)
    assert mesh.has_temporal_coherence(1)
    mesh.destroy()
    for call in (lambda: mesh.has_temporal_coherence(1), lambda: mesh.set_temporal_coherence(1, False)):
        with pytest.raises(od.DestroyedError, match="gone"):
            call()


def test_a_space_destroyed_after_a_snapshot_is_restored_with_its_settings():
    world = od.World()
    space = od.HashSpace([od.Sphere(1.0)], space=world.space, levels=(-2, 4))
    space.sublevel = 3
    snapshot = world.save()
    space.destroy()
    world.restore(snapshot)
    assert (space.alive, space.levels, space.sublevel, len(space)) == (True, (-2, 4), 3, 1)
