"""Bodies that stand on a face: enough contacts from the first step on, and no motion after many steps."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics import rotation

HEXAGON = [(np.cos(t), np.sin(t), z) for t in np.arange(6) * np.pi / 3 for z in (-1.0, 1.0)]

STANDING = {
    "cylinder": lambda: (od.Cylinder(0.5, 1.0), 0.5),
    "thin cylinder": lambda: (od.Cylinder(0.1, 1.0), 0.5),
    "box": lambda: (od.Box((1.0, 1.0, 1.0)), 0.5),
    "cube as a hull": lambda: (od.Convex.hull([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]), 0.5),
    "prism": lambda: (od.Convex.hull(0.5 * np.array(HEXAGON)), 0.5),
    "transform": lambda: (od.GeomTransform(od.Cylinder(0.5, 1.0)), 0.5),
}

GROUNDS = {
    "plane": lambda: od.Plane((0, 0, 1), 0.0),
    "box": lambda: od.Box((5.0, 5.0, 1.0), position=(0, 0, -0.5)),
    "cylinder": lambda: od.Cylinder(3.0, 1.0, position=(0, 0, -0.5)),
    "hull": lambda: od.Convex.hull([(x, y, z) for x in (-2, 2) for y in (-2, 2) for z in (-1, 0)]),
}


@pytest.mark.parametrize("tilt", [0.0, 1e-5])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", STANDING)
def test_what_stands_has_three_contacts_at_once_and_stays(name, ground, tilt):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_geom(GROUNDS[ground]())
    shape, half = STANDING[name]()
    body = world.add_body(shape, mass=1.0)
    body.position = 0.1, 0.2, half - 1e-4
    body.quaternion = np.cos(tilt), np.sin(tilt), 0.0, 0.0
    start = np.array(body.position)
    world.advance(0.005)
    assert world.statistics.contacts >= 3
    contacts = np.array([contact.position for contact in world.contacts])
    spread = contacts[:, :2] - contacts[:, :2].mean(axis=0)
    assert np.linalg.svd(spread, compute_uv=False)[1] > 0.1 * half, "the contacts are not in a line"
    world.advance(0.005, steps=400)
    assert abs(body.position - start).max() < 2e-4
    assert body.quaternion[0] == pytest.approx(1.0, abs=1e-6)


ON_SLOPES = (
    (lambda: od.Box((1.0, 0.6, 0.4)), 0.2),
    (lambda: od.Cylinder(0.5, 0.6), 0.3),
    (lambda: od.RoundedBox((1.0, 0.6, 0.4), 0.05), 0.2),
)


@pytest.mark.parametrize("solver", ["exact", "auto", "pgs"])
@pytest.mark.parametrize("ground", ["plane", "box"])
def test_what_is_put_on_a_slope_without_a_gap_does_not_spin(ground, solver):
    """Rounding leaves some corners above the slope: with contacts at the others alone a box turned at 0.04 rad/s."""
    random = np.random.default_rng(1)
    for shape, half in ON_SLOPES:
        for tilt, azimuth in zip(random.uniform(0.0, 0.5, 8), random.uniform(0.0, 6.3, 8), strict=True):
            turn = rotation.quaternion_from_axis_angle((-np.sin(azimuth), np.cos(azimuth), 0.0), tilt)
            normal = rotation.matrix_from_quaternion(turn)[:, 2]
            slope = (
                od.Plane(normal, 0.0)
                if ground == "plane"
                else od.Box((9, 9, 1), position=-0.5 * normal, quaternion=turn)
            )
            world = od.World(gravity=(0, 0, -9.81), solver=solver, surface=od.Surface(mu=1.5))
            world.add_geom(slope)
            body = world.add_body(shape(), mass=1.0, position=half * normal, quaternion=turn)
            for _ in range(10):
                world.advance(1 / 60)
                assert abs(body.angular_velocity @ normal) < 1e-8


@pytest.mark.parametrize("shape", range(len(ON_SLOPES)))
def test_the_soft_step_lets_nothing_spin_on_a_slope_for_long(shape):
    """A body turns until its forces have converged. A cylinder may keep turning, as other rim points touch each step."""
    random = np.random.default_rng(2)
    make, half = ON_SLOPES[shape]
    for tilt, azimuth in zip(random.uniform(0.0, 0.5, 8), random.uniform(0.0, 6.3, 8), strict=True):
        turn = rotation.quaternion_from_axis_angle((-np.sin(azimuth), np.cos(azimuth), 0.0), tilt)
        normal = rotation.matrix_from_quaternion(turn)[:, 2]
        world = od.World(gravity=(0, 0, -9.81), solver="soft", surface=od.Surface(mu=1.5))
        world.add_geom(od.Plane(normal, 0.0))
        body = world.add_body(make(), mass=1.0, position=half * normal, quaternion=turn)
        for step in range(90):
            world.advance(1 / 60)
            assert abs(body.angular_velocity @ normal) < (1e-2 if step < 60 else 5e-4 if shape == 1 else 1e-6)


def test_a_capsule_laid_on_a_slope_without_a_gap_touches_with_both_ends():
    for tilt in np.linspace(0.01, 0.5, 40):
        world = od.World()
        normal = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
        world.add_geom(od.Plane(normal, 0.0))
        along = rotation.quaternion_from_axis_angle((0, 1, 0), tilt + 0.5 * np.pi)
        world.add_body(od.Capsule(0.1, 1.0), mass=1.0, position=0.1 * normal, quaternion=along)
        world.advance(1e-3)
        assert world.statistics.contacts in (0, 2)


def test_a_lying_cylinder_has_two_contacts_and_rolls_off_a_slope():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_geom(od.Box((20.0, 4.0, 1.0), position=(0, 0, -0.5)))
    world.add_body(
        od.Cylinder(0.5, 1.0), mass=1.0, position=(0, 0, 0.4999), quaternion=(np.sqrt(0.5), np.sqrt(0.5), 0, 0)
    )
    world.advance(0.005)
    assert world.statistics.contacts == 2
    ends = sorted(contact.position[1] for contact in world.contacts)
    assert ends == pytest.approx([-0.5, 0.5])


def test_a_cylinder_rolls_down_a_slope_as_fast_as_it_should():
    angle = 0.2
    gravity = 9.81 * np.array([np.sin(angle), 0, -np.cos(angle)])
    world = od.World(gravity=gravity)
    world.add_geom(od.Box((50.0, 4.0, 1.0), position=(10, 0, -0.5)))
    body = world.add_body(
        od.Cylinder(0.5, 1.0), mass=1.0, position=(0, 0, 0.5), quaternion=(np.sqrt(0.5), np.sqrt(0.5), 0, 0)
    )
    world.advance(0.002, steps=500)
    assert body.linear_velocity[0] == pytest.approx(2.0 / 3.0 * gravity[0], rel=5e-3)
    assert body.angular_velocity[1] == pytest.approx(body.linear_velocity[0] / 0.5, rel=5e-3)


def slab(cells):
    """A closed mesh of 2 m by 2 m with hills on top, whose level bottom has (cells + 1)² vertices."""
    line = np.linspace(-1.0, 1.0, cells + 1)
    x, y = (grid.ravel() for grid in np.meshgrid(line, line, indexing="ij"))
    hills = 0.1 + 0.05 * np.cos(7 * x) * np.cos(5 * y)
    vertices = np.concatenate([np.column_stack([x, y, 0 * x - 0.1]), np.column_stack([x, y, hills])])
    number, top = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1), (cells + 1) ** 2
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=-1).reshape(-1, 4)
    triangles = [
        *(quads[:, ::-1][:, c] for c in ((0, 1, 2), (0, 2, 3))),
        *(top + quads[:, c] for c in ((0, 1, 2), (0, 2, 3))),
    ]
    rim = [*number[:-1, 0], *number[-1, :-1], *number[:0:-1, -1], *number[0, :0:-1]]
    for a, b in zip(rim, np.roll(rim, -1), strict=True):
        triangles.append(np.array([(a, b, top + b), (a, top + b, top + a)]))
    return vertices, np.concatenate(triangles)


@pytest.mark.parametrize("solver", ["exact", "pgs"])
@pytest.mark.parametrize("tilt", [0.0, 1e-3])
def test_a_large_level_mesh_rests_on_a_plane(tilt, solver):
    """Of hundreds of vertices that touch, those are kept that carry it: the corners among them."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    world.add_plane()
    body = world.add_body(od.Trimesh(*slab(14)), mass=10.0, position=(0, 0, 0.1 + tilt))
    body.rotation = rotation.from_axis_angle((1.0, 0.3, 0.0), tilt)
    world.advance(0.01, steps=300)
    for _ in range(10):
        world.advance(0.01, steps=5)
        assert abs(body.linear_velocity).max() + abs(body.angular_velocity).max() < 1e-6
        corners = {
            tuple(np.sign(c.position[:2]).astype(int)) for c in world.contacts if abs(c.position[:2]).min() > 0.99
        }
        assert len(corners) >= 3
    assert np.hypot(*body.rotation[:2, 2]) < 1e-5
