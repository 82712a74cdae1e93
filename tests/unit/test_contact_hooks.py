"""Contact filters and modifiers of `advance`: removed and changed contacts, with Python and compiled functions."""

import copy
import math

import numba
import numpy as np
import pytest

import opendynamics as od

G = 9.81


def ball_over_platform(**options):
    world = od.World(gravity=(0, 0, -G), **options)
    world.add_plane(name="ground")
    world.add_geom(od.Box((2, 2, 0.1), position=(0, 0, 0.5), name="platform"))
    return world, world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=1, name="ball")


def not_platform(one, other):
    return "platform" not in (one.name, other.name)


@numba.njit
def without_friction(contacts):
    for contact in range(len(contacts)):
        contacts[contact].mu = 0.0


@numba.njit
def only_from_above(contacts):
    for k in range(len(contacts)):
        contacts[k].enabled = abs(contacts[k].normal[2]) < 0.5 or contacts[k].position[2] < 0.3


@pytest.mark.parametrize("solver", ["auto", "exact", "pgs", "soft"])
@pytest.mark.parametrize("hook", ["contact_filter", "contact_modifier"])
def test_a_ball_falls_through_what_is_left_out(solver, hook):
    world, ball = ball_over_platform(solver=solver)
    setattr(world, hook, not_platform if hook == "contact_filter" else only_from_above)
    _ = world.contact_events
    begun = []
    for _ in range(150):
        world.advance(0.01)
        begun += [{pair.geom1.name, pair.geom2.name} for pair in world.contact_events.begin]
    assert ball.position[2] == pytest.approx(0.1, abs=2e-3)
    assert begun and all("ground" in pair for pair in begun)
    assert world.contact_force(ball)[2] == pytest.approx(G, rel=1e-2)
    setattr(world, hook, None)
    ball.position = (0, 0, 1)
    world.advance(0.01, steps=150)
    assert ball.position[2] == pytest.approx(0.65, abs=2e-3)


def test_the_filter_is_asked_once_about_each_pair():
    world = od.World(gravity=(0, 0, -G))
    floor = world.add_plane()
    boxes = [world.add_body(od.Box((1, 1, 1)), position=(0, 0, z), mass=1) for z in (0.5, 1.5)]
    asked = []
    world.contact_filter = lambda one, other: asked.append({one, other}) or True
    world.advance(0.01)
    pairs = [{floor, boxes[0].geoms[0]}, {boxes[0].geoms[0], boxes[1].geoms[0]}]
    assert len(asked) == 2 and all(pair in asked for pair in pairs) and len(world.contacts) == 8


def test_a_filter_that_passes_everything_changes_no_bit():
    (plain, one), (asked, other) = ball_over_platform(), ball_over_platform()
    asked.contact_filter = lambda one, other: True
    asked.contact_modifier = lambda contacts: None
    for world in (plain, asked):
        world.advance(0.01, steps=100)
    assert np.array_equal(one.position, other.position) and plain.state_hash() == asked.state_hash()


def slide(modifier, mu=0.6, bounce=0.0, mu2=None, v=(1.0, 0.0, 0.0)):
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=mu, mu2=mu2, bounce=bounce))
    world.add_plane()
    box = world.add_body(od.Box((0.4, 0.4, 0.1)), position=(0, 0, 0.05), mass=1, linear_velocity=v)
    world.contact_modifier = modifier
    world.advance(0.005, steps=20)
    return box


def test_a_compiled_modifier_takes_friction_away():
    assert slide(None).linear_velocity[0] == pytest.approx(1 - 0.6 * G * 0.1, rel=1e-3)
    assert slide(without_friction).linear_velocity[0] == pytest.approx(1, rel=1e-9)


def test_a_changed_friction_holds_in_all_directions():
    def rough(contacts):
        assert np.all(contacts["mu"] == 0.1)
        contacts["mu"] = 0.3

    for v in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        speed = np.linalg.norm(slide(rough, mu=0.1, mu2=0.02, v=v).linear_velocity)
        assert speed == pytest.approx(1 - 0.3 * G * 0.1, rel=1e-3)


@pytest.mark.parametrize("bounce", [0.0, 0.5])
def test_a_modifier_sets_restitution(bounce):
    world, ball = ball_over_platform(surface=od.Surface(bounce=0.8))
    ball.linear_velocity = (0, 0, -1)
    speeds = []

    def damped(contacts):
        assert np.all(contacts["bounce"] == 0.8)
        speeds.append(-ball.linear_velocity[2])
        contacts["bounce"] = bounce

    world.contact_modifier = damped
    while not speeds:
        world.advance(0.001)
    assert ball.linear_velocity[2] == pytest.approx(bounce * speeds[0], abs=0.03)


def test_what_a_modifier_reads():
    world, ball = ball_over_platform()
    ball.position = (0.3, 0.2, 0.649)
    seen = []
    world.contact_modifier = lambda contacts: seen.append(contacts.copy())
    world.advance(1e-6)
    (contact,) = seen[0]
    names = [world.geoms[contact[side]].body for side in ("geom1", "geom2")]
    assert sorted(body is ball for body in names) == [False, True]
    assert contact["position"][:2] == pytest.approx([0.3, 0.2]) and contact["depth"] == pytest.approx(0.001, rel=1e-6)
    assert contact["normal"] == pytest.approx((0, 0, 1.0 if names[0] is ball else -1.0))


def test_hooks_are_kept_by_copies_batches_and_restored_worlds():
    worlds = [ball_over_platform() for _ in range(2)]
    for world, _ in worlds:
        world.contact_filter, world.substeps = not_platform, 2
    batch = od.Batch([worlds[1][0]])
    twin = copy.deepcopy(worlds[0][0])
    start = worlds[0][0].save()
    worlds[0][0].contact_filter = None
    worlds[0][0].restore(start)
    batch.advance(0.01, steps=60)
    for world in (worlds[0][0], twin):
        world.advance(0.01, steps=60)
        assert np.array_equal(world.positions, worlds[1][0].positions) and world.positions[0, 2] < 0.5


def test_sleepers_fall_when_the_filter_changes():
    world, ball = ball_over_platform()
    ball.auto_disable = True
    world.advance(0.01, steps=400)
    assert not ball.enabled and ball.position[2] > 0.6
    world.contact_filter = not_platform
    world.advance(0.01, steps=100)
    assert ball.position[2] < 0.2


@pytest.mark.parametrize(
    "hook, wrong, error, message",
    [
        ("contact_filter", 5, TypeError, "the contact filter of the world must be a function of two geoms"),
        ("contact_modifier", "x", TypeError, "the contact modifier of the world must be a function of one array"),
        ("contact_filter", lambda one, other: None, TypeError, "must return True or False, not None for <"),
        (
            "contact_modifier",
            lambda contacts: contacts["mu"].fill(math.nan),
            ValueError,
            "mu of .* must be at least 0, not nan",
        ),
        (
            "contact_modifier",
            lambda contacts: contacts["bounce"].fill(math.inf),
            ValueError,
            "bounce of the contact modifier of the world must be between 0 and 1, not inf",
        ),
        *(
            (
                "contact_modifier",
                lambda contacts, e=e: contacts["bounce"].fill(e),
                ValueError,
                f"bounce of .* between 0 and 1, not {e}",
            )
            for e in (2.0, -0.5)
        ),
    ],
)
def test_wrong_hooks(hook, wrong, error, message):
    world, ball = ball_over_platform()
    with pytest.raises(error, match=message):
        setattr(world, hook, wrong)
        world.advance(0.01, steps=100)
    setattr(world, hook, None)
    world.advance(0.01, steps=200)
    assert ball.position[2] == pytest.approx(0.65, abs=1e-4)
