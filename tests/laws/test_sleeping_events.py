"""Events that wake a sleeping island: the table of docs/sleeping.md, row by row.

A world that slept goes on after each event like one that never did, whichever solver, with `advance` and in ODE's loop.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od

H = 0.01
SLEEP_STEPS = 24
WAYS = [("advance", "exact"), ("advance", "pgs"), ("advance", "soft"), ("loop", "exact"), ("loop", "pgs")]
EVENTS: dict[str, Callable[[Scene], object]] = {}


class Scene:
    """Scenes at rest: two boxes on a slab, a load on a lift, an arm on its stop, a pair on a heightfield; and a distant one.

    Gravity leans, so that friction holds them.
    """

    def __init__(self, way: tuple[str, str], *, sleep: bool, like: str = "opendynamics") -> None:
        self.way, self.solver = way
        self.world = world = od.World(gravity=(1, 0, -10), solver=self.solver, like=like)
        world.surfaces.default = od.Surface(mu=0.8)
        world.auto_disable = sleep
        self.slab = world.add_geom(od.Box((4, 4, 1), position=(0, 0, -0.5), name="slab"))
        self.lower, self.upper = (world.add_body(od.Box((1, 1, 1)), position=(0, 0, z)) for z in (0.5, 1.5))
        self.lift = world.add_body(od.Box((2, 2, 0.2)), position=(10, 0, 0.9), kinematic=True)
        self.load = world.add_body(od.Box((1, 1, 1)), position=(10, 0, 1.5))
        self.arm = world.add_body(od.Box((1, 0.1, 0.1)), position=(20.5, 0, 1))
        self.hinge = world.add_hinge(self.arm, None, anchor=(20, 0, 1), axis=(0, -1, 0), stops=(0, 1))
        self.field = world.add_geom(od.Heightfield(np.zeros((3, 3)), width=4, depth=4, up="z", position=(30, 0, 0)))
        self.pair = [world.add_body(od.Box((1, 1, 1)), position=(30, y, 0.5)) for y in (-0.6, 0.6)]
        world.add_fixed(*self.pair)
        world.add_geom(od.Box((4, 4, 1), position=(40, 0, -0.5)))
        self.far = world.add_body(od.Box((1, 1, 1)), position=(40, 0, 0.5))
        self.boxes = [self.lower, self.upper, self.load, self.arm, *self.pair, self.far]
        self.contacts = od.JointGroup()

    def near(self, a: od.Geom | od.Space, b: od.Geom | od.Space) -> None:
        if isinstance(a, od.Space) or isinstance(b, od.Space):
            od.collide2(a, b, self.near)
            return
        for contact in od.collide(a, b):
            self.world.add_contact(contact, group=self.contacts)

    def steps(self, count: int) -> None:
        for _ in range(count):
            if self.way == "advance":
                self.world.advance(H)
                continue
            self.world.space.collide(self.near)
            (self.world.step if self.solver == "exact" else self.world.quick_step)(H)
            self.contacts.empty()

    def awake(self) -> list[int]:
        return [k for k, body in enumerate(self.boxes) if body.alive and body.enabled]


@cache
def _rested(way: tuple[str, str], sleep: bool, like: str) -> tuple[Scene, od.Snapshot]:
    scene = Scene(way, sleep=sleep, like=like)
    scene.steps(SLEEP_STEPS)
    return scene, scene.world.save()


def at_rest(way: tuple[str, str] = WAYS[0], *, sleep: bool = True, like: str = "opendynamics") -> Scene:
    """The scene after all have come to rest, restored: made once."""
    scene, snapshot = _rested(way, sleep, like)
    scene.world.restore(snapshot)
    return scene


STACK, LOAD, ARM, PAIR, FAR = [0, 1], [2], [3], [4, 5], [6]


def event(words: str, wakes: list[int]):
    """Note the event that docs/sleeping.md has in these words, and the bodies that it wakes."""

    def note(function: Callable[[Scene], object]) -> Callable[[Scene], object]:
        function.wakes = wakes
        EVENTS[words] = function
        return function

    return note


@event("a geom without a body is moved", STACK)
def _(s):
    s.slab.position = (0, 0, -0.7)


@event("a geom without a body is turned", STACK)
def _(s):
    s.slab.quaternion = (np.cos(0.3), 0, np.sin(0.3), 0)


@event("a geom is destroyed", STACK)
def _(s):
    s.slab.destroy()


@event("a geom is removed from its space", STACK)
def _(s):
    s.world.space.remove(s.slab)


@event("a geom is disabled", STACK)
def _(s):
    s.slab.enabled = False


@event("category or collide bits of a geom are set", STACK)
def _(s):
    s.slab.category_bits = s.slab.collide_bits = 0


@event("the size of a geom is set", STACK)
def _(s):
    s.slab.lengths = (4, 4, 0.5)


@event("the material of a geom is set", STACK)
def _(s):
    s.world.surfaces["ice"] = od.Surface(mu=0)
    s.steps(SLEEP_STEPS)  # which the new surface woke
    s.slab.material = "ice"


@event("the surface velocity or the track of a geom is set to another value", STACK)
def _(s):
    s.slab.surface_velocity = (0.1, 0, 0)


@event("a geom that overlaps is created", STACK)
def _(s):
    s.world.add_geom(od.Box((1, 1, 1), position=(-0.98, 0, 0.5)))


@event("a space is added to the world's, removed, enabled or disabled", STACK)
def _(s):
    od.SimpleSpace([od.Box((1, 1, 1), position=(-0.98, 0, 0.5))], space=s.world.space)


@event("the heights of a heightfield, the triangles of a mesh or the shape of a hull are replaced", PAIR)
def _(s):
    s.field.field.update(np.full((3, 3), -0.2))


@event("a geom is attached to a sleeping body, or moved on it", STACK)
def _(s):
    s.world.space.add(geom := od.Box((0.2, 0.2, 1.02)))
    geom.body = s.upper


@event("a kinematic body is given a velocity", LOAD)
def _(s):
    s.lift.linear_velocity = (0, 0, -0.005)


@event("a kinematic body is moved", LOAD)
def _(s):
    s.lift.position = (10, 5, 0.9)


@event("a kinematic body becomes dynamic, or the reverse", LOAD)
def _(s):
    s.lift.kinematic = False


@event("a body is destroyed, and its geoms", LOAD)
def _(s):
    s.lift.destroy()


@event("a sleeping body is destroyed, and its geoms", [1])
def _(s):
    s.lower.destroy()


@event("a moving body arrives", STACK)
def _(s):
    s.world.add_body(od.Sphere(0.2), position=(0, 0, 2.2), linear_velocity=(0, 0, -1))


@event("a force or torque is added or set, other than zero", STACK)
def _(s):
    s.lower.add_force((2e4, 0, 0))


@event("a velocity is set to another value", STACK)
def _(s):
    s.upper.linear_velocity = (0, 1, 0)


@event("position or orientation are set to another value", STACK)
def _(s):
    s.lower.position = (0, 3, 0.5)


@event("arrays of the world set other values", STACK)
def _(s):
    spins = s.world.angular_velocities.copy()
    spins[0] = (0, 0, 3)
    s.world.angular_velocities = spins


@event("mass or inertia are set", STACK)
def _(s):
    s.upper.mass = 5000


@event("gravity of a body is switched", STACK)
def _(s):
    s.upper.gravity_mode = False


@event("a sleeping body is enabled, or its `auto_disable` is turned off", STACK)
def _(s):
    s.upper.enabled = True


@event("a joint is created or attached", STACK)
def _(s):
    s.world.add_slider(s.upper, None, axis=(0, 1, 0)).limit_motors[0].motor(1, 1e5)


@event("a joint is destroyed", ARM)
def _(s):
    s.hinge.destroy()


@event("a joint is detached", PAIR)
def _(s):
    s.world.joints[1].attach(None, None)


@event("a joint is disabled or enabled", ARM)
def _(s):
    s.hinge.enabled = False


@event("a motor is set to another velocity or force", ARM)
def _(s):
    s.hinge.motor(velocity=1.0, max_torque=1e4)


@event("stops or any other parameter of a joint are set to another value", ARM)
def _(s):
    s.hinge.stops = (-1, 1)


@event("the gravity of the world is changed", [*STACK, *LOAD, *ARM, *PAIR, *FAR])
def _(s):
    s.world.gravity = (9, 0, -5)


@event("a surface of materials is changed", [*STACK, *LOAD, *ARM, *PAIR, *FAR])
def _(s):
    s.world.surfaces.default = od.Surface(mu=0)


@event("ERP, CFM or a contact setting is changed", [*STACK, *LOAD, *ARM, *PAIR, *FAR])
def _(s):
    s.world.erp = 0.3


# Events that ODE notices too: links to awake bodies, and being enabled.
ODES = {
    "a moving body arrives",
    "a sleeping body is enabled, or its `auto_disable` is turned off",
}


@pytest.mark.parametrize("way", WAYS, ids="-".join)
@pytest.mark.parametrize("words", EVENTS)
def test_an_event_wakes_the_islands_that_it_concerns_and_no_other(words, way):
    slept, waked = at_rest(way, sleep=True), at_rest(way, sleep=False)
    assert slept.awake() == []
    assert slept.world.statistics.rows == 0
    for scene in (slept, waked):
        EVENTS[words](scene)
        scene.steps(2)  # a body that arrives does so in the second
    assert slept.awake() == EVENTS[words].wakes
    for scene in (slept, waked):
        scene.steps(20)
    places = zip(*([box.position for box in scene.boxes if box.alive] for scene in (slept, waked)), strict=True)
    # Contacts of the soft step yield, by what those that slept have not mended yet, and by how deep a pair sinks in that lands.
    assert max(abs(one - other).max() for one, other in places) < (2.5e-2 if "soft" in way else 5e-3)


@pytest.mark.parametrize("words", EVENTS)
def test_odes_rule_notices_nothing_but_links_and_enabled(words):
    scene = at_rest(like="ode")
    assert scene.awake() == []
    EVENTS[words](scene)
    scene.steps(2)
    assert (scene.awake() != []) == (words in ODES), scene.awake()


def test_each_row_of_the_table_is_tested():
    page = (Path(__file__).parents[2] / "docs" / "sleeping.md").read_text()
    table = page.split("## What wakes an island")[1].split("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")][2:]
    assert rows == [words[0].upper() + words[1:] for words in EVENTS]


@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_what_says_the_same_again_wakes_nothing(way):
    scene = at_rest(way)
    world, upper = scene.world, scene.upper
    for _ in range(3):
        world.gravity, world.erp = world.gravity, world.erp
        world.positions, world.linear_velocities = world.positions, world.linear_velocities
        upper.position, upper.quaternion, upper.rotation = upper.position, upper.quaternion, upper.rotation
        upper.linear_velocity, upper.force, upper.torque = (0, 0, 0), (0, 0, 0), (0, 0, 0)
        upper.add_force((0, 0, 0))
        upper.gravity_mode, scene.lift.kinematic = True, True
        scene.hinge.motor(velocity=0.0, max_torque=0.0)
        scene.slab.surface_velocity, scene.slab.track = scene.slab.surface_velocity, scene.slab.track
        scene.steps(1)
        assert scene.awake() == []


@pytest.mark.parametrize("moved", [False, True])
def test_a_saved_world_knows_what_changed_since_its_last_step(moved):
    scene = at_rest()
    slab = next(geom for geom in scene.world.geoms if geom.name == "slab")
    slab.position = (10, 0, 1.5)  # wakes the stack at once, and the load in the next step
    if moved:
        slab.position = (0, 9, 0)
    copy = od.World.load(scene.world.save())
    assert [body.enabled for body in copy.bodies] == [body.enabled for body in scene.world.bodies]
    for world in (scene.world, copy):
        world.advance(H, steps=5)
    assert [body.enabled for body in copy.bodies] == [body.enabled for body in scene.world.bodies]
    assert scene.load.enabled is not moved
    assert copy.positions.tolist() == scene.world.positions.tolist()


@pytest.mark.parametrize("margin", [0.0, 0.3, "auto"])
@pytest.mark.parametrize(("change", "reach"), [("plane", 0.0), ("ray", None), ("box", 0.0), ("box", 0.2), ("box", 0.4)])
def test_what_changes_wakes_what_is_as_near_as_the_margin(change, reach, margin):
    world = od.World(gravity=(0, 0, -10))
    world.auto_disable, world.speculative_margin = True, margin
    world.add_geom(od.Box((9, 9, 1), position=(0, 0, -0.5)))
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))
    changed = {
        "plane": lambda: world.add_plane((0, 0, 1), -1),
        "ray": lambda: world.add_geom(od.Ray(5.0, position=(0, 0, -2))),
        "box": lambda: world.add_geom(od.Box((1, 1, 1), position=(1 + reach, 0, 0.5))),
    }[change]()
    world.advance(H, steps=2 * SLEEP_STEPS)
    assert not box.enabled
    if change == "plane":
        changed.offset = -2  # far below, although planes have no bounds
    else:
        changed.position += (0.001, 0, 0)
    near = change == "box" and reach <= (0.0 if margin == "auto" else margin)
    assert box.enabled is near


def test_geoms_of_no_world_wake_bodies_of_those_in_one_space_with_them():
    world, space, group = od.World(gravity=(0, 0, -10)), od.HashSpace(), od.JointGroup()
    world.auto_disable = True
    floor = od.Box((4, 4, 1), position=(0, 0, -0.5), space=space)
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), space=space)

    def near(a, b):
        for contact in od.collide(a, b):
            world.add_contact(contact, group=group)

    def step(count):
        for _ in range(count):
            space.collide(near)
            world.step(H)
            group.empty()

    step(SLEEP_STEPS)
    assert not box.enabled
    floor.position = (0, 0, -3)
    step(20)
    assert box.enabled
    assert box.position[2] < 0.4


# -- what else the rows of the table name --------------------------------------------------------------------------------

ALL = [*STACK, *LOAD, *ARM, *PAIR, *FAR]
MORE: dict[str, tuple[list[int], Callable[[Scene], object]]] = {
    "collide bits": (STACK, lambda s: setattr(s.slab, "collide_bits", 0)),
    "rotation of a geom": (STACK, lambda s: setattr(s.slab, "rotation", np.diag([-1.0, -1.0, 1.0]))),
    "geom of a body": (STACK, lambda s: setattr(s.lower.geoms[0], "lengths", (1, 1, 0.5))),
    "offset of a geom": (STACK, lambda s: setattr(s.lower.geoms[0], "offset_position", (0, 0, 0.1))),
    "geom off its body": (STACK, lambda s: setattr(s.upper.geoms[0], "body", None)),
    "position of a body's geom": (STACK, lambda s: setattr(s.upper.geoms[0], "position", (0, 0, 5))),
    "rotation of a kinematic body": (LOAD, lambda s: setattr(s.lift, "rotation", np.diag([-1.0, -1.0, 1.0]))),
    "quaternion of a kinematic body": (LOAD, lambda s: setattr(s.lift, "quaternion", (0, 1, 0, 0))),
    "spin of a kinematic body": (LOAD, lambda s: setattr(s.lift, "angular_velocity", (0, 0, 1e-6))),
    "sleeping body becomes kinematic": (STACK, lambda s: setattr(s.lower, "kinematic", True)),
    "force set": (STACK, lambda s: setattr(s.lower, "force", (1, 0, 0))),
    "torque set": (STACK, lambda s: setattr(s.lower, "torque", (1, 0, 0))),
    "torque added": (STACK, lambda s: s.lower.add_torque((1, 0, 0))),
    "quaternion": (STACK, lambda s: setattr(s.upper, "quaternion", (0, 1, 0, 0))),
    "rotation": (STACK, lambda s: setattr(s.upper, "rotation", np.diag([-1.0, -1.0, 1.0]))),
    "spin": (STACK, lambda s: setattr(s.upper, "angular_velocity", (0, 0, 1))),
    "inertia": (STACK, lambda s: setattr(s.upper, "inertia", 2 * s.upper.inertia)),
    "positions": (ALL, lambda s: setattr(s.world, "positions", s.world.positions + 1e-6)),
    "quaternions": (ALL, lambda s: setattr(s.world, "quaternions", [(0, 0, 0, 1)] * len(s.world.bodies))),
    "linear velocities": (PAIR, lambda s: setattr(s.world, "linear_velocities", [[0, 0, k == 6] for k in range(8)])),
    "auto-disable": (STACK, lambda s: setattr(s.upper, "auto_disable", False)),
    "attached": (STACK, lambda s: s.world.add_hinge().attach(s.upper, None)),
    "torque of a joint": (ARM, lambda s: s.hinge.add_torque(1.0)),
    "anchor of a joint": (ARM, lambda s: setattr(s.hinge, "anchor", (20.5, 0, 1))),
    "ERP of a joint": (PAIR, lambda s: setattr(s.world.joints[1], "erp", 0.5)),
    "surface of one pair": (ALL, lambda s: s.world.surfaces.__setitem__("ice", od.Surface(mu=0))),
    "CFM": (ALL, lambda s: setattr(s.world, "cfm", 1e-8)),
    "surface layer": (ALL, lambda s: setattr(s.world, "contact_surface_layer", 1e-3)),
    "correcting velocity": (ALL, lambda s: setattr(s.world, "contact_max_correcting_velocity", 1.0)),
    "number of contacts": (ALL, lambda s: setattr(s.world, "max_contacts", 4)),
    "friction bounds": (ALL, lambda s: setattr(s.world, "friction_bounds", "coupled")),
    "stabilization": (ALL, lambda s: setattr(s.world, "stabilization", "baumgarte")),
}


@pytest.mark.parametrize("words", MORE)
def test_every_setter_wakes_what_it_concerns(words):
    scene = at_rest()
    wakes, change = MORE[words]
    change(scene)
    scene.steps(1)
    assert scene.awake() == wakes


@pytest.mark.parametrize("change", ["remove", "disable", "enable", "bits", "empty"])
def test_spaces_in_the_worlds_space_wake_what_their_geoms_touch(change):
    scene = at_rest()
    floor = od.SimpleSpace([od.Box((4, 4, 1), position=(50, 0, -0.5))])
    floor.enabled = change != "enable"
    scene.world.space.add(floor)
    box = scene.world.add_body(od.Box((1, 1, 1)), position=(50, 0, 0.5))
    scene.steps(SLEEP_STEPS)
    if change == "enable":
        box.enabled = False  # nothing holds it
    assert not box.enabled
    if change == "remove":
        scene.world.space.remove(floor)
    elif change == "bits":
        floor.category_bits = 1
    elif change == "empty":
        floor.remove(floor[0])
    else:
        floor.enabled = change == "enable"
    scene.steps(1)
    assert box.enabled
    assert scene.awake() == []


def _cube(z):
    corners = np.array([(x, y, z + dz) for x in (-2.0, 2) for y in (-2.0, 2) for dz in (-1.0, 0)])
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([triangle for a, b, c, d in sides for triangle in ((a, b, c), (a, c, d))])


def _replaced_mesh(floor):
    floor.mesh = od.MeshData(*_cube(-0.5))


def _replaced_field(floor):
    floor.field = od.HeightfieldData(np.full((3, 3), -0.5), width=4, depth=4)


def _replaced_hull(floor):
    hull = od.Convex.hull(_cube(-0.5)[0])
    floor.reshape(hull.points, hull.polygons)


SURFACES = {
    "mesh": (lambda: od.Trimesh(*_cube(0.0)), _replaced_mesh),
    "field": (lambda: od.Heightfield(np.zeros((3, 3)), width=4, depth=4, up="z"), _replaced_field),
    "hull": (lambda: od.Convex.hull(_cube(0.0)[0]), _replaced_hull),
}


@pytest.mark.parametrize("kind", SURFACES)
def test_a_replaced_shape_wakes_what_stood_on_it(kind):
    make, replace = SURFACES[kind]
    world = od.World(gravity=(0, 0, -10))
    world.auto_disable = True
    floor = world.add_geom(make())
    box = world.add_body(od.Box((1, 1, 1)), position=(0.1, 0.2, 0.5))
    world.advance(H, steps=SLEEP_STEPS)
    assert not box.enabled
    replace(floor)
    world.advance(H, steps=80)
    assert box.position[2] == pytest.approx(0.0, abs=0.01)


def test_a_batch_of_worlds_wakes_what_changes_concern():
    worlds, floors, boxes = [], [], []
    for _ in range(3):
        world = od.World(gravity=(0, 0, -10))
        world.auto_disable = True
        floors.append(world.add_geom(od.Box((4, 4, 1), position=(0, 0, -0.5))))
        boxes.append(world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5)))
        worlds.append(world)
    batch = od.Batch(worlds)
    batch.advance(H, steps=SLEEP_STEPS)
    assert [box.enabled for box in boxes] == [False] * 3
    floors[1].position = (9, 0, 0)
    wall = worlds[2].add_geom(od.Box((1, 1, 1), position=(9, 0, 0.5)))
    batch.advance(H)
    wall.position = (0.98, 0, 0.5)  # reaches the box only now
    batch.advance(H)
    assert [box.enabled for box in boxes] == [False, True, True]
    batch.advance(H, steps=20)
    assert boxes[1].position[2] < 0.3
    assert boxes[2].position[0] < -1e-3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("slab.enabled", "no"),
        ("hinge.enabled", "no"),
        ("world.space.category_bits", 0.5),
        ("world.space.enabled", "no"),
    ],
)
def test_a_refused_value_wakes_nothing(name, value):
    scene = at_rest()
    thing, setting = name.rsplit(".", 1)
    with pytest.raises(TypeError, match=f"{setting.replace('_', ' ')} of"):
        setattr(attrgetter(thing)(scene), setting, value)
    scene.steps(1)
    assert scene.awake() == []
