"""What can rest on something rests: slower than 1e-5 m/s and creeping less than 0.1 mm, however it was put down."""

import itertools

import numpy as np
import pytest

import opendynamics as od
from tests.families.pair_calls import rotation_of

CUBE = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
FACES += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
LYING = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)

# A shape, how high its centre is when it lies, and how it lies.
RESTING = {
    "sphere": lambda: (od.Sphere(0.1), 0.1, UPRIGHT),
    "box": lambda: (od.Box((0.3, 0.2, 0.1)), 0.05, UPRIGHT),
    "capsule": lambda: (od.Capsule(0.06, 0.3), 0.06, LYING),
    "cylinder": lambda: (od.Cylinder(0.1, 0.1), 0.05, UPRIGHT),
    "lying cylinder": lambda: (od.Cylinder(0.06, 0.3), 0.06, LYING),
    "cone": lambda: (od.Cone(0.1, 0.12), 0.03, UPRIGHT),
    "rounded box": lambda: (od.RoundedBox((0.3, 0.2, 0.1), 0.02), 0.05, UPRIGHT),
    "hull": lambda: (od.Convex.hull(CUBE * (0.3, 0.2, 0.1)), 0.05, UPRIGHT),
    "mesh": lambda: (od.Trimesh(CUBE * (0.3, 0.2, 0.1), FACES), 0.05, UPRIGHT),
}
GROUNDS = {
    "plane": lambda: (od.Plane(), 0.0, UPRIGHT),
    "box": lambda: (od.Box((0.4, 0.4, 0.3)), 0.15, UPRIGHT),
    "cylinder": lambda: (od.Cylinder(0.3, 0.3), 0.15, UPRIGHT),
    "rounded box": lambda: (od.RoundedBox((0.4, 0.4, 0.3), 0.05), 0.15, UPRIGHT),
    "hull": lambda: (od.Convex.hull(CUBE * (0.4, 0.4, 0.3)), 0.15, UPRIGHT),
    "mesh": lambda: (od.Trimesh(CUBE * (0.4, 0.4, 0.3), FACES), 0.15, UPRIGHT),
    "capsule": lambda: (od.Capsule(0.2, 0.6), 0.2, LYING),
    "lying cylinder": lambda: (od.Cylinder(0.2, 0.6), 0.2, LYING),
}
# Round on round is no rest: balls roll off, capsules too.
FLAT = ("box", "rounded box", "hull", "mesh")
PAIRS = [(shape, ground) for ground in GROUNDS for shape in RESTING if ground not in ("capsule", "lying cylinder")]
PAIRS += [(shape, ground) for ground in ("capsule", "lying cylinder") for shape in FLAT]

# Put down so crookedly, rad; after SETTLED s it is at rest.
TILTS = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 6e-3, 1e-2)
H, SETTLED = 0.01, 5.0


def speed_and_creep(shape, ground, tilt, solver, seconds):
    """Largest speed, m/s, of any point 0.1 m from the centre, and the way of the centre, m, in so many seconds at rest."""
    world = od.World(gravity=(0, 0, -9.81), solver=solver)
    below, top, lies = GROUNDS[ground]()
    if lies is not UPRIGHT:
        below.quaternion = lies
    world.add_geom(below)
    geom, height, lies = RESTING[shape]()
    body = world.add_body(geom, mass=1.0)
    on_edge = ground in ("capsule", "lying cylinder")
    lean = od.rotation.from_axis_angle((1.0, 0.0 if on_edge else 0.3, 0.0), tilt)
    body.rotation = np.asarray(lean) @ rotation_of(lies)
    body.position = 0.0 if on_edge else 0.003, 0.002, top + height
    world.advance(H, steps=round(SETTLED / H))
    start, fastest = body.position.copy(), 0.0
    for _ in range(10):
        world.advance(H, steps=round(0.1 * seconds / H))
        fastest = max(fastest, np.linalg.norm(body.linear_velocity) + 0.1 * np.linalg.norm(body.angular_velocity))
    return fastest, float(np.linalg.norm(body.position - start))


@pytest.mark.parametrize("solver", ["exact"])
@pytest.mark.parametrize(("shape", "ground"), PAIRS, ids=[f"{shape} on {ground}" for shape, ground in PAIRS])
def test_every_shape_rests_on_every_other(shape, ground, solver):
    fastest, creep = speed_and_creep(shape, ground, 1e-2, solver, 2.0)
    assert fastest < 1e-5 and creep < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["exact", "pgs"])
@pytest.mark.parametrize(("shape", "ground"), PAIRS, ids=[f"{shape} on {ground}" for shape, ground in PAIRS])
def test_every_shape_rests_for_a_minute(shape, ground, solver):
    for tilt in TILTS:
        fastest, creep = speed_and_creep(shape, ground, tilt, solver, 60.0)
        assert fastest < 1e-5 and creep < 1e-4, tilt


def test_a_capsule_stays_on_a_pillar():
    """With one contact it fell off a pillar 15 cm wide within 20 s."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_geom(od.Box((0.15, 0.15, 1.0), position=(0, 0, -0.5)))
    body = world.add_body(od.Capsule(0.05, 0.4), position=(0, 0, 0.05), quaternion=LYING)
    world.advance(H, steps=2000)
    assert body.position == pytest.approx((0.0, 0.0, 0.05), abs=1e-6)
