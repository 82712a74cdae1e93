"""A world restored to a state with fewer rows: later handles raise DestroyedError instead of IndexError."""

import pytest

import opendynamics as od


def test_what_was_made_after_the_restored_moment_is_gone():
    world = od.World()
    first = world.add_body(od.Sphere(1.0))
    snapshot = world.save()
    late = world.add_body(od.Sphere(1.0))
    joint, geom = world.add_hinge(first, late), late.geoms[0]
    world.restore(snapshot)
    for thing in (late, joint, geom):
        assert not thing.alive and "destroyed" in repr(thing)
    with pytest.raises(od.DestroyedError, match="has been destroyed"):
        late.position  # noqa: B018
    assert first.alive and world.bodies == (first,)
