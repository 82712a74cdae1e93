"""A transform read the triangles or heights of its geom once more after they had been replaced, and their memory freed."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

import opendynamics as od

TRIANGLES = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
GEOMS = {
    "mesh": lambda: od.Trimesh(*TRIANGLES),
    "field": lambda: od.Heightfield(np.zeros((3, 3)), width=4, depth=4),
}


@pytest.mark.parametrize("name", GEOMS)
def test_replaced_data_lives_until_the_transform_has_the_new(name, monkeypatch):
    held = GEOMS[name]()
    transform = od.GeomTransform(held)
    data, alive = weakref.ref(getattr(held, name)), []
    follow = od.GeomTransform._follow

    def watched(transform):
        alive.append(data() is not None)
        follow(transform)

    monkeypatch.setattr(od.GeomTransform, "_follow", watched)
    setattr(held, name, getattr(GEOMS[name](), name))
    assert alive == [True]
    assert data() is None
    assert transform.alive
