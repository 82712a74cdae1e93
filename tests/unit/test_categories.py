"""Collision filters by names."""

import pytest

import opendynamics as od


def test_who_meets_whom():
    kinds = od.Categories("floor", "ball", "ghost")
    world = od.World(gravity=(0, 0, -9.81))
    floor = world.add_plane()
    kinds.set(floor, "floor", collides_with={"ball"})
    bodies = {}
    for x, kind in enumerate(("ball", "ghost")):
        shape = od.Sphere(0.1)
        kinds.set(shape, kind, collides_with={"floor"} if kind == "ball" else ())
        bodies[kind] = world.add_body(shape, position=(float(x), 0, 0.2), density=500)
    world.advance(0.01, steps=100)
    assert bodies["ball"].position[2] == pytest.approx(0.1, abs=1e-3)
    assert bodies["ghost"].position[2] < -1.0
    assert kinds.of(floor) == {"floor"} and kinds.collides_with(floor) == {"ball"}


def test_bits_are_those_of_the_places():
    kinds = od.Categories("floor", "ball", "ghost")
    assert kinds.bits("floor") == 1 and kinds.bits(("ball", "ghost")) == 6
    geom = od.Sphere(1.0)
    kinds.set(geom, ("ball", "ghost"))
    assert geom.category_bits == 6 and geom.collide_bits == (1 << 64) - 1
    assert kinds.collides_with(geom) == {"floor", "ball", "ghost"}


def test_wrong_names_are_answered_and_change_nothing():
    kinds = od.Categories("floor", "ball")
    geom = od.Sphere(1.0)
    before = geom.category_bits
    with pytest.raises(ValueError, match="no category 'bal'; there are: floor, ball"):
        kinds.set(geom, "floor", collides_with={"bal"})
    assert geom.category_bits == before
    with pytest.raises(ValueError, match="different names"):
        od.Categories("floor", "floor")
    with pytest.raises(ValueError, match="1 to 62"):
        od.Categories(*(f"kind {k}" for k in range(63)))
    with pytest.raises(TypeError, match="a category is a name, not 3"):
        od.Categories("floor", 3)
    with pytest.raises(TypeError, match="set those of its geoms"):
        kinds.set(od.World().add_body(od.Sphere(1.0)), "floor")
