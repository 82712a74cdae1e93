"""Using a destroyed object raises an error with its name; an object in a reused row is not mistaken for it."""

from __future__ import annotations

import inspect
import itertools
import subprocess
import sys

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import reading
from opendynamics.core.arrays.contacts import POINTS
from tests.unit.test_bad_input import make_scene, setters_of

pytestmark = pytest.mark.filterwarnings(
    "ignore:joints of:opendynamics.api.conflicts.ConflictWarning"
)  # all joints between two bodies

# A handle can always be asked what it was called, whether it is alive, and for what the user kept in it.
ALWAYS = {"name", "data", "alive"}
HANDLES = [
    name
    for name, thing in make_scene()[2].items()
    if hasattr(thing, "destroy") and not isinstance(thing, (od.World, od.Space))
]


def getters_of(thing):
    names = [name for name in dir(type(thing)) if not name.startswith("_")]
    static = {name: inspect.getattr_static(type(thing), name) for name in names}
    return [
        name
        for name, attribute in static.items()
        if (isinstance(attribute, property) or hasattr(type(attribute), "__set__"))
        and not inspect.ismemberdescriptor(attribute)
        and name not in ALWAYS
    ]


def is_view(thing, name):
    try:
        value = getattr(thing, name)
    except ValueError:  # of another mode, for example
        return False
    return isinstance(value, od.LimitMotor) or name == "limit_motors"


@pytest.mark.parametrize("owner", HANDLES)
def test_every_property_of_a_destroyed_object_says_so(owner):
    world, _, things = make_scene()
    thing = things[owner]
    values = {name: getattr(thing, name) for name in setters_of(thing)}
    # Views of stops and motors may still be had; their numbers are tried below.
    views = {name for name in getters_of(thing) if is_view(thing, name)}
    motor = things["LimitMotor"] if owner == "Hinge" else None
    thing.destroy()
    assert not thing.alive
    assert "destroyed" in repr(thing)
    for name in getters_of(thing):
        if name in views:
            continue
        with pytest.raises(od.DestroyedError, match="probe"):
            getattr(thing, name)
            pytest.fail(f"{owner}.{name} can be read")
    for name in set(values) - ALWAYS:
        with pytest.raises((od.DestroyedError, ValueError), match=r"probe has been destroyed|probe cannot be set"):
            setattr(thing, name, values[name])
            pytest.fail(f"{owner}.{name} can be set")
    with pytest.raises(od.DestroyedError, match="probe"):
        thing.destroy()
    if motor is not None:
        with pytest.raises(od.DestroyedError, match="probe"):
            motor.velocity = 1.0
    world.step(0.01)
    world.advance(0.01)


@pytest.mark.parametrize("name", ["points", "polygons", "planes", "volume", "centroid"])
def test_the_solid_of_a_destroyed_hull_is_gone(name):
    hull = od.Convex.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], name="gone")
    getattr(hull, name)
    hull.destroy()
    with pytest.raises(od.DestroyedError, match="gone"):
        getattr(hull, name)


def test_methods_of_a_destroyed_body_say_so():
    world = od.World()
    body, other = world.add_body(name="gone"), world.add_body()
    body.destroy()
    for call in (
        lambda: body.add_force((1, 0, 0)),
        lambda: body.add_force((1, 0, 0), at=(0, 0, 0)),
        lambda: body.add_force((1, 0, 0), at_local=(0, 0, 0), local=True),
        lambda: body.add_torque((1, 0, 0)),
        lambda: body.point_to_world((0, 0, 0)),
        lambda: body.velocity_at((0, 0, 0)),
        lambda: body.set_damping(0, 0),
        body.set_damping_defaults,
        body.set_auto_disable_defaults,
        lambda: body.is_connected_to(other),
        lambda: other.is_connected_to(body),
        lambda: world.add_ball(body, other),
        lambda: world.add_ball(other, body),
        lambda: od.Sphere(1, body=body),
        lambda: setattr(od.Sphere(1), "body", body),
        lambda: world.add_contact(od.Contact(), body1=body),
    ):
        with pytest.raises(od.DestroyedError, match="gone"):
            call()
    assert world.joints == ()


def test_destroyed_geoms_and_spaces_are_refused_by_spaces():
    space, geom, inner = od.HashSpace(name="outer"), od.Sphere(1, name="gone"), od.HashSpace(name="gone")
    geom.destroy()
    inner.destroy()
    for call in (
        lambda: space.add(geom),
        lambda: space.add(inner),
        lambda: inner.add(od.Sphere(1)),
        lambda: inner.collide(print),
        lambda: inner.aabb,
        inner.destroy,
        lambda: od.collide2(inner, space, print),
        lambda: od.collide2(space, geom, print),
        lambda: od.collide(geom, od.Sphere(1)),
        lambda: od.World().add_geom(geom),
        lambda: od.World().add_body(geom),
    ):
        with pytest.raises(od.DestroyedError, match="gone"):
            call()
    assert len(space) == 0


def test_a_reused_row_is_not_confused():
    world = od.World()
    old = world.add_body(position=(1, 2, 3))
    old_geom = od.Sphere(1, body=old)
    old_joint = world.add_hinge(old)
    row = old._row
    old_geom.destroy()
    old_joint.destroy()
    old.destroy()
    new = world.add_body(position=(4, 5, 6))
    new_geom, new_joint = od.Sphere(2, body=new), world.add_hinge(new, axis=(0, 1, 0))
    assert new._row == row  # else this tests nothing
    for handle in (old, old_geom, old_joint):
        with pytest.raises(od.DestroyedError):
            getattr(handle, "radius" if handle is old_geom else "world")
    assert new.position.tolist() == [4, 5, 6]
    assert new_geom.radius == 2
    assert new_joint.axis.tolist() == [0, 1, 0]
    assert old not in world.bodies


def test_a_destroyed_world_says_so():
    world = od.World(name="Atlantis")
    body = world.add_body(od.Sphere(1), name="stone")
    joint = world.add_ball(body, name="tie")
    world.destroy()
    assert not world.alive
    for call in (
        lambda: world.step(0.01),
        lambda: world.advance(0.01),
        world.add_body,
        lambda: od.Body(world),
        lambda: world.add_hinge(None, None),
        lambda: world.positions,
        lambda: world.gravity,
        lambda: world.statistics,
        lambda: setattr(world, "gravity", (0, 0, 0)),
        lambda: setattr(world, "erp", 0.1),
        world.destroy,
    ):
        with pytest.raises(od.DestroyedError, match=r"Atlantis|the world's space"):
            call()
    for handle in (body, joint):
        with pytest.raises(od.DestroyedError, match=handle.name):
            getattr(handle, "world")  # noqa: B009
    with pytest.raises(od.DestroyedError):
        world.add_plane()


def test_the_context_manager_destroys_once():
    with od.World() as world:
        body = world.add_body()
    assert not body.alive
    with od.World() as world:
        world.destroy()  # early, on purpose: leaving the block does not destroy it a second time
    assert not world.alive


def test_geoms_in_other_spaces_outlive_the_world():
    space = od.HashSpace()
    with od.World() as world:
        geom = od.Sphere(1, space=space, body=world.add_body(position=(1, 2, 3)))
    assert geom.alive
    assert geom.body is None
    assert geom.position.tolist() == [1, 2, 3]
    assert geom in space


def test_rows_of_forgotten_geoms_are_used_again():
    world = od.World()
    rows = set()
    for _ in range(10):
        geom = world.add_geom(od.Sphere(1))
        rows.add(geom._row)
        world.space.remove(geom)
        del geom
    assert len(rows) == 1


FREED_IN_A_RESET = """
import contextvars, gc
import numpy as np
import opendynamics as od
from opendynamics.api import reading
from opendynamics.core.arrays.contacts import POINTS
for name in "abcde":
    contextvars.ContextVar(name).set(name)  # with other variables, resetting NumPy's variable asks for memory
for k in range(60):
    with np.errstate(invalid="ignore"):
        cycle = [od.Sphere(1.0)]
        cycle.append(cycle)
        del cycle
        gc.set_threshold(1 + k % 6)
        gc.enable()
    gc.disable()
    np.ones(3).sum()
print("fine")
"""


def test_geoms_are_freed_wherever_garbage_is_collected():
    """Up to Python 3.11 also in the middle of a context variable's reset; reading it there left a dangling pointer in it."""
    run = subprocess.run([sys.executable, "-c", FREED_IN_A_RESET], capture_output=True, text=True, check=False)
    assert run.stdout == "fine\n", run.stderr


def test_a_body_takes_its_geoms_with_it_unless_they_are_to_stay():
    world = od.World(gravity=(0, 0, -9.81))
    inner = od.HashSpace(space=world.space)
    bodies = [
        world.add_body(od.Sphere(0.1), od.Box((1, 1, 1), position=(0, 0, 1)), position=(4 * k, 0, 1)) for k in range(2)
    ]
    extra = od.Sphere(0.2, body=bodies[0], space=inner)
    held = od.GeomTransform(od.Sphere(0.1), body=bodies[0], space=world.space)
    gone, kept = bodies[0].geoms, bodies[1].geoms
    assert {extra, held} <= set(gone)
    bodies[0].destroy()
    assert not any(geom.alive for geom in gone) and set(world.geoms) == set(kept)
    bodies[1].destroy(keep_geoms=True)
    assert set(world.geoms) == set(kept) and all(geom.alive and geom.body is None for geom in kept)
    assert [geom.position[0] for geom in kept] == [4, 4]
    with pytest.raises(TypeError, match="keep_geoms"):
        world.add_body().destroy(keep_geoms="yes")


@pytest.mark.parametrize("solver", ["auto", "exact", "pgs", "soft"])
def test_freed_rows_stay_zero_until_they_are_used_again(solver):
    """A new object finds its row as it was given back, whatever the world did in between."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    world.set_damping(0.01, 0.01)
    world.add_geom(od.Plane((0, 0, 1), 0.0))
    links = [world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0.3 * k, 0, 1), mass=1) for k in range(6)]
    joints = [world.add_hinge(a, b, anchor=a.position, axis=(0, 1, 0)) for a, b in itertools.pairwise(links)]
    heap = [world.add_body(od.Sphere(0.1), position=(0, 1, 0.15 * k), mass=1) for k in range(1, 6)]
    world.advance(0.01, steps=30)
    for thing in (joints[0], joints[3], links[0], links[4], heap[2]):
        thing.destroy()
    homes = world._bodies_rows, world._joint_rows, world._home.geoms
    world.advance(0.01, steps=30)
    assert [len(home.free) for home in homes] == [3, 2, 3]
    for home in homes:
        for table in home.tables:
            for row in home.free:
                assert not any(world._store[table][row : row + 1].tobytes()), (table.name, row)


def test_contacts_forget_many_destroyed_geoms_in_any_order():
    world = od.World()
    world.add_plane(normal=(0, 0, 1))
    for k in range(60):
        world.add_body(od.Box((1, 1, 1)), position=(0.9 * k, 0, 0.49))
    states = [world.save()]
    world.advance(0.01)
    states.append(world.save())
    for count in (3, 40, 30):  # fewer and more than are sorted for; from a restored step, too
        destroy_at_random(world, count)
        world.restore(states[1])
    destroy_at_random(world, 40)
    world.restore(states[0])
    first, last = world.bodies[0], world.bodies[-1]
    first.position, last.position = last.position, first.position
    world.advance(0.01)  # as many contacts as before, of others
    destroy_at_random(world, 30)
    world.add_plane(normal=(0, 0, 1))
    world.advance(0.01)
    destroy_at_random(world, 30)


def destroy_at_random(world, count):
    """Destroy some bodies, and compare what contacts of the last step refer to."""
    points = reading.table_of(world, POINTS)[: world.statistics.contacts]
    before, gone = {side: points[side].copy() for side in ("geom_a", "geom_b")}, []
    bodies = np.random.default_rng(count).permutation(np.array(world.bodies, dtype=object))[:count]
    ground = next(geom for geom in world.geoms if geom.body is None)
    for geom in [*(body.geoms[0] for body in bodies), ground]:
        gone.append(reading.row_of(geom))
        geom.destroy() if geom.body is None else geom.body.destroy()
        for side, rows in before.items():
            expected = np.where(np.isin(rows, gone), -1, rows)
            assert np.array_equal(reading.table_of(world, POINTS)[side][: len(points)], expected)
