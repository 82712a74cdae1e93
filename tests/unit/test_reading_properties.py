"""Reading a property changes nothing: no byte of the state's tables, no counter, no attribute of any object."""

import gc
import inspect

import pytest

import opendynamics as od
from opendynamics.api.home import FREE
from opendynamics.api.member import EDITION
from opendynamics.core.arrays.store import saved_tables
from tests.unit.joint_kinds import JOINT_KINDS, ONE_BODY, make_joint

BOX = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


@pytest.fixture(scope="module")
def world():
    """Every shape, joint and space, in motion, with bodies that have moved since their geoms were last placed."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_geom(od.Heightfield([[0.0, 0.1], [0.2, 0.0]], width=4, depth=4, thickness=1, up="z", position=(-9, 0, 0)))
    held = od.GeomTransform(od.Sphere(0.1, position=(0, 0, 0.2)))
    points = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
    shapes = [
        *(od.Sphere(0.1), od.Box((0.2, 0.2, 0.2)), od.Capsule(0.1, 0.2), od.Cylinder(0.1, 0.2), od.Convex.hull(points)),
        *(od.Trimesh(od.MeshData(*BOX)), od.Ray(1.0), held),
        *(od.Ellipsoid((0.1, 0.2, 0.1)), od.Cone(0.1, 0.2), od.RoundedBox((0.2, 0.2, 0.2), 0.05)),
    ]
    for k, shape in enumerate(shapes):
        if shape.shape == "ray":
            world.add_geom(shape)
        else:
            world.add_body(shape, mass=1, position=(k, 5, 0.3), angular_velocity=(1, k, 2))
            shape.offset_position = (0.01, 0, 0)
    for k, kind in enumerate(JOINT_KINDS):
        pair = [world.add_body(od.Sphere(0.05), position=(0.3 * k, j, 3), linear_velocity=(0, 0, j)) for j in (0, 0.2)]
        make_joint(world, kind, *pair[: 1 if kind in ONE_BODY else 2])
    for space in (
        od.SimpleSpace(),
        od.HashSpace(),
        od.SweepAndPruneSpace(),
        od.QuadTreeSpace((0, 0, 0), (9, 9, 9), 3),
        od.TreeSpace(),
    ):
        space.add(od.Sphere(0.1, position=(0, 0, 99)))
        world.data = [*(world.data or ()), space]
    maker = od.GeomClass("custom", bounds=lambda geom: (-1, 1, -1, 1, 49, 51), collider=lambda a, b, most: [])
    world.add_body(od.CustomGeom(maker), mass=od.Mass.sphere(1.0, mass=1), position=(0, 0, 50))
    world.advance(0.01, steps=2)
    for body in world.bodies:
        body.position = body.position + 0.01
    return world


def things_of(world):
    """Whatever users can hold."""
    found = [
        world,
        world.space,
        world.surfaces,
        world.statistics,
        *world.data,
        *world.bodies,
        *world.joints,
        *world.geoms,
    ]
    found += [geom for space in world.data for geom in space.geoms()]
    found += [geom for body in world.bodies for geom in body.geoms]
    found += [motor for joint in world.joints for motor in joint.limit_motors]
    found += [geom.geom for geom in world.geoms if isinstance(geom, od.GeomTransform)]
    return list({id(thing): thing for thing in found}.values())


def properties_of(kind):
    """Names of all that is read like an attribute: properties and descriptors."""
    for name in dir(kind):
        if not name.startswith("_"):
            found = inspect.getattr_static(kind, name)
            if isinstance(found, property) or (
                hasattr(found, "__get__") and not callable(found) and not isinstance(found, (staticmethod, classmethod))
            ):
                yield name


def state_of(world):
    stores = {"world": world._store, "free": FREE.store}
    rows = (world._home.geoms, world._bodies_rows, world._joint_rows, world._contact_rows, FREE.geoms)
    found = {
        f"{name} {table.name}": bytes_of(store, table) for name, store in stores.items() for table in saved_tables()
    }
    found["changes"] = [each.changes for each in rows], EDITION.number
    found["used"] = [store.used(table) for store in stores.values() for table in saved_tables()]
    found["stale"] = world._orders_stale, world.space._order_stale
    return found


def bytes_of(store, table):
    """A table without what follows from the rest."""
    rows = store[table].copy()
    for field in table.derived:
        rows[field] = 0
    return rows.tobytes()


def read_all(world):
    """Number of properties that were read, and those that changed something."""
    gc.collect()  # geoms of other tests that nobody holds give their rows back
    guilty, read = [], 0
    for thing in things_of(world):
        for name in properties_of(type(thing)):
            before = state_of(world)
            try:
                getattr(thing, name)
            except (ValueError, AttributeError, ImportError):
                continue
            read += 1
            after = state_of(world)
            changed = [key for key, value in before.items() if value != after[key]]
            if changed:
                guilty.append(f"{type(thing).__name__}.{name} changes {', '.join(changed)}")
    return read, "\n".join(sorted(set(guilty)))


def test_reading_a_property_changes_nothing(world):
    read, guilty = read_all(world)
    assert read > 500
    assert not guilty, guilty


def test_reading_a_joint_that_no_step_has_seen_changes_nothing():
    world = od.World()
    world.data = ()
    for k, kind in enumerate(JOINT_KINDS):
        pair = [world.add_body(position=(0.3 * k, j, 3)) for j in (0, 0.2)]
        make_joint(world, kind, *pair[: 1 if kind in ONE_BODY else 2])
    pair = [world.add_body(position=(0, j, 3)) for j in (0, 0.2)]
    world.add_transmission(*pair, mode="chain", radius1=0.1, radius2=0.2)
    world.add_transmission(*pair, mode="intersecting", axis1=(0, 1, 0), axis2=(0, 0, 1))
    world.state_hash()  # lists the members
    read, guilty = read_all(world)
    assert read > 200
    assert not guilty, guilty
