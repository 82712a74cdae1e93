"""Every pair of shapes, in random and degenerate poses: symmetric, invariant under rigid motion, correct, and never NaN.

Depth and normal are compared with `convex_oracle.py`. Pairs of shapes that it does not know are left out there and must
say here that they are not convex.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.bodies.shapes import FIRST_BY_ADDRESS
from opendynamics.core.collide.narrowphase.convex.signed_distance import signed_distance
from opendynamics.core.families import SHAPES, pair_names
from tests.families.convex_oracle import gaps_along, is_exact, known, signed_gaps
from tests.families.pair_calls import Contacts, Shape, collide_many, rotation_of, store_of
from tests.families.polytope_oracle import CUBE

NAMES = pair_names()
# Support functions have test_supports.py, shapes that are known by their contract test_shape_pairs.py.
NOT_CONVEX = {"trimesh", "heightfield", "ray", "support"}
NOT_CONVEX |= {name for name in SHAPES.names if SHAPES[name].KIND >= FIRST_BY_ADDRESS}
LIMIT = 40
COUNT = 250


def shapes_of(name):
    """The two shapes in a pair's name; a shape's name may itself contain an underscore."""
    splits = [(name[:k], name[k + 1 :]) for k, letter in enumerate(name) if letter == "_"]
    return next((a, b) for a, b in splits if a in SHAPES.names and b in SHAPES.names)


KNOWN = [name for name in NAMES if all(map(known, shapes_of(name)))]


def a_size(shape, rng, scale=1.0):
    if shape == "sphere":
        return (scale * rng.uniform(0.2, 0.6),)
    if shape in ("capsule", "cylinder"):
        return scale * rng.uniform(0.1, 0.4), scale * rng.uniform(0.2, 1.2)
    if shape == "convex":
        return a_hull(rng, scale)
    return tuple(scale * rng.uniform(0.3, 1.2, 3))


@cache
def hulls():
    """Corners of convex polyhedra: around a ball at random, four to twelve, and prisms of three to six sides."""
    rng = np.random.default_rng(0)
    found = []
    for k in range(24):
        if k % 3 == 0:
            turn = 2.0 * np.pi * np.arange(3 + k % 4)
            rim = np.column_stack([np.cos(turn / len(turn)), np.sin(turn / len(turn))])
            corners = np.vstack([np.column_stack([rim, np.full(len(rim), z)]) for z in (-1.0, 1.0)])
            corners = corners * rng.uniform(0.2, 0.5, 3)
        else:
            corners = rng.normal(size=(rng.integers(4, 13), 3))
            corners *= rng.uniform(0.3, 0.6) / np.linalg.norm(corners, axis=1)[:, None]
        found.append(corners)
    return found


def a_hull(rng, scale=1.0):
    """Corners of one of them. Scales are powers of two: hulls take time to make and are kept."""
    corners = hulls()[rng.integers(24)] * 2.0 ** np.round(np.log2(scale))
    return tuple(corners.ravel().tolist())


def a_shape(shape, rng, scale=1.0, spread=0.6):
    if shape == "plane":
        normal = rng.normal(size=3)
        return Shape("plane", (*(normal / np.linalg.norm(normal)), rng.uniform(-spread, spread)))
    position = spread * rng.uniform(-1.0, 1.0, 3)
    return Shape(shape, a_size(shape, rng, scale), tuple(position), rotation_of(rng.normal(size=4)))


def random_pairs(name, count, *, seed=1, ratio=1.0):
    """Pairs that are about as often apart as not; with a `ratio`, one of the two is up to that much larger."""
    rng = np.random.default_rng(seed)
    first, second = shapes_of(name)
    pairs = []
    for k in range(count):
        scales = [1.0, ratio ** rng.uniform(0.0, 1.0)][:: 1 if k % 2 else -1]
        spread = 0.6 * max(scales)
        pairs.append((a_shape(first, rng, scales[0], spread), a_shape(second, rng, scales[1], spread)))
    return pairs


def moved(shape, rotation, shift):
    if shape.name == "plane":
        normal = rotation @ shape.size[:3]
        return replace(shape, size=(*normal, shape.size[3] + normal @ shift))
    return replace(
        shape, position=tuple(rotation @ shape.position + shift), rotation=rotation @ np.asarray(shape.rotation)
    )


def pushed(shape, shift):
    return moved(shape, np.eye(3), np.asarray(shift))


def is_sound(contacts, limit=LIMIT):
    """Finite, at most as many as requested, unit normals, depths not negative."""
    return (
        len(contacts) <= limit
        and np.isfinite(contacts.position).all()
        and abs(np.linalg.norm(contacts.normal, axis=1) - 1.0).max(initial=0.0) < 1e-9
        and contacts.depth.min(initial=0.0) >= 0.0
        and np.isfinite(contacts.depth).all()
    )


def joined(collided):
    return Contacts(*(np.concatenate([getattr(c, part) for c in collided]) for part in ("position", "normal", "depth")))


def same_contacts(found, expected, tolerance, *, margin=0.0):
    """Whether two sets of contacts are the same, except those at most `margin` deep: rounding may add or drop them."""
    rows = [np.column_stack([c.position, c.normal, c.depth])[c.depth > margin] for c in (found, expected)]
    if len(rows[0]) != len(rows[1]):
        return False
    differences = abs(rows[0][:, None] - rows[1][None]).max(axis=2)
    return not differences.size or max(differences.min(axis=0).max(), differences.min(axis=1).max()) <= tolerance


def reversed_contacts(contacts):
    return replace(contacts, normal=-contacts.normal)


@cache
def truth(name, ratio):
    """Pairs, gaps and normals."""
    pairs = random_pairs(name, COUNT, ratio=ratio)
    gaps, normals = signed_gaps(pairs)
    return pairs, gaps, normals


def test_every_shape_is_known_here():
    shapes = {shape for name in NAMES for shape in shapes_of(name)}
    strangers = {shape for shape in shapes if not known(shape)} - NOT_CONVEX
    assert not strangers, f"tell convex_oracle.py the generators of {strangers}, or call it not convex here"
    assert len(KNOWN) >= 9


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("ratio", [1.0, 1e4])
def test_depth_and_normal_are_true(name, ratio):
    pairs, gaps, _ = truth(name, ratio)
    collided = collide_many(random_pairs(name, COUNT, ratio=ratio), LIMIT)
    scale = max(1.0, ratio)
    tolerance = (1e-12 if is_exact(pairs) else 1e-9) * scale
    assert [len(contacts) > 0 for contacts in collided] == list(gaps <= 0.0)
    touching = np.flatnonzero(gaps <= 0.0)
    assert 10 < len(touching) < COUNT
    deepest = np.array([collided[k].depth.max() for k in touching])
    chosen = np.array([collided[k].normal[0] for k in touching])
    along = gaps_along([pairs[k] for k in touching], chosen)
    if not is_exact(pairs):
        # The depth is the overlap along the normal, and a search finds no smaller one.
        assert abs(deepest + along).max() < tolerance
        assert (deepest <= -gaps[touching] + tolerance).all()
        return
    # The normal is one along which the shapes overlap least, and the depth is that overlap.
    assert abs(along - gaps[touching]).max() < tolerance
    assert abs(deepest + gaps[touching]).max() < tolerance


@pytest.mark.parametrize("name", KNOWN)
def test_contacts_lie_in_both_shapes(name):
    pairs, _, _ = truth(name, 1.0)
    for side in (0, 1):
        probes = []
        for pair, contacts in zip(pairs, collide_many(random_pairs(name, COUNT), LIMIT), strict=True):
            for at, depth in zip(contacts.position, contacts.depth, strict=True):
                probes.append((Shape("sphere", (depth,), at), pair[side]))
        of_one_kind = {}
        for probe in probes:
            of_one_kind.setdefault(probe[1].name, []).append(probe)
        for same in of_one_kind.values():
            assert signed_gaps(same)[0].max() < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_the_other_order_gives_the_same_contacts_turned_round(name):
    if not set(shapes_of(name)).isdisjoint(NOT_CONVEX):
        pytest.skip("made of convex shapes only here")
    pairs = random_pairs(name, 500)
    there, back = collide_many(pairs, LIMIT), collide_many([(b, a) for a, b in pairs], LIMIT)
    agreeing = 0
    tolerance = 1e-12 if is_exact(pairs) else 1e-10
    for k, (one, other) in enumerate(zip(there, back, strict=True)):
        if same_contacts(one, reversed_contacts(other), tolerance):
            agreeing += 1
            continue
        # Of two directions that are as deep, the one tested first is chosen. Cylinders almost side by side
        # have the ends of their common stretch, as the first of them sees it.
        assert name in ("box_box", "cylinder_cylinder") and len(one) and len(other), pairs[k]
        overlap, other_overlap = gaps_along([pairs[k]] * 2, np.array([one.normal[0], -other.normal[0]]))
        assert overlap / other_overlap == pytest.approx(1.0, abs=1e-6)
    assert agreeing >= 0.95 * len(pairs)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize(("distance", "tolerance"), [(1.0, 1e-11), (1e4, 1e-7)])
def test_moving_both_shapes_moves_the_contacts(name, distance, tolerance):
    rng = np.random.default_rng(2)
    pairs = random_pairs(name, 300)
    motions = [(rotation_of(rng.normal(size=4)), distance * rng.uniform(-1.0, 1.0, 3)) for _ in pairs]
    elsewhere = [(moved(a, *motion), moved(b, *motion)) for (a, b), motion in zip(pairs, motions, strict=True)]
    for found, here, (rotation, shift) in zip(collide_many(elsewhere), collide_many(pairs), motions, strict=True):
        expected = replace(here, position=here.position @ rotation.T + shift, normal=here.normal @ rotation.T)
        assert same_contacts(found, expected, tolerance, margin=tolerance)


def proven_distance(pair):
    """Distance and normal from closest points: a gap along the normal as wide as they are apart proves both."""
    closest = np.empty((2, 3))
    store, scratch = store_of([pair], 1), np.empty(SCRATCH)
    address = store[GEOMS].ctypes.data
    gap = signed_distance(address, address + store[GEOMS].itemsize, scratch.ctypes.data, closest)
    normal = (closest[0] - closest[1]) / np.linalg.norm(closest[0] - closest[1])
    assert np.linalg.norm(closest[0] - closest[1]) == pytest.approx(gap, rel=1e-12)
    assert gaps_along([pair], normal[None])[0] == pytest.approx(gap, abs=1e-12)
    return gap, normal


# Pairs with one contact, or whose contacts are where the axes are nearest: apart is apart.
STRICT = ("box_capsule", "capsule_capsule")


def apart_by(name, strict=1e-9):
    """How far from each other, m, shapes surely have no contact. What can rest still touches where rounding has parted it."""
    return strict if name.startswith("sphere") or name in STRICT else 1e-5


@pytest.mark.parametrize("name", KNOWN)
def test_shapes_touch_at_the_right_place(name):
    pairs = random_pairs(name, COUNT)
    pairs_known, gaps, normals = truth(name, 1.0)
    apart = np.flatnonzero(gaps > 1e-3)
    assert len(apart) > 20
    if not is_exact(pairs_known):
        gaps, normals = gaps.copy(), normals.copy()
        for k in apart:
            gaps[k], normals[k] = proven_distance(pairs[k])
    for slack in (1e-9, -apart_by(name)):
        near = [(pushed(pairs[k][0], -(gaps[k] + slack) * normals[k]), pairs[k][1]) for k in apart]
        for contacts in collide_many(near):
            assert (len(contacts) > 0) == (slack > 0.0)
            assert contacts.depth.max(initial=0.0) <= 1.0001e-9


def upright(shape, position):
    """A shape that reaches from half below to half above its position, all numbers exact."""
    sizes = {
        "sphere": (0.5,),
        "box": (1.0, 1.0, 1.0),
        "capsule": (0.25, 0.5),
        "cylinder": (0.5, 1.0),
        "convex": CUBE,
        "plane": (0.0, 0.0, 1.0, position[2] + 0.5),
    }
    return Shape(shape, sizes[shape], (0.0, 0.0, 0.0) if shape == "plane" else position)


@pytest.mark.parametrize("name", KNOWN)
def test_touching_counts_as_contact_of_depth_zero(name):
    first, second = shapes_of(name)
    touching = upright(first, (0.0, 0.0, 1.0)), upright(second, (0.0, 0.0, 0.0))
    above = pushed(touching[0], (0.0, 0.0, apart_by(name, 2.0**-40))), touching[1]
    contacts, nothing = collide_many([touching, above])
    assert len(contacts) > 0
    assert set(contacts.depth) == {0.0}
    assert abs(contacts.normal - (0.0, 0.0, 1.0)).max() == 0.0
    assert abs(contacts.position[:, 2] - 0.5).max() == 0.0
    assert len(nothing) == 0


@pytest.mark.parametrize("name", KNOWN)
def test_shapes_with_the_same_centre_come_apart(name):
    rng = np.random.default_rng(3)
    pairs = []
    for a, b in random_pairs(name, 200):
        turned = rotation_of(rng.normal(size=4)) if rng.random() < 0.7 else np.asarray(b.rotation)
        if b.name == "plane":
            pairs.append((replace(a, position=tuple(np.multiply(b.size[3], b.size[:3]))), b))
        else:
            pairs.append((replace(a, position=b.position, rotation=turned), b))
    collided = collide_many(pairs)
    assert all(is_sound(contacts) and len(contacts) for contacts in collided)
    # Moved along the normal by a little more than the overlap, they are apart.
    normals = np.array([contacts.normal[0] for contacts in collided])
    shifts = (apart_by(name) - gaps_along(pairs, normals))[:, None] * normals
    apart = collide_many([(pushed(a, shift), b) for (a, b), shift in zip(pairs, shifts, strict=True)])
    assert not any(map(len, apart))


# Needles, slabs, grains and giants.
SQUEEZES = [(1e-3, 1e-3, 1.0), (1.0, 1.0, 1e-3), (100.0, 1e-2, 1.0), (1e-6, 1e-6, 1e-6), (1e4, 1e4, 1e4)]


def awkward(name, count, *, seed):
    """Pairs of sizes from nothing to huge, with axes aligned, nearly aligned or at random, on a grid or not."""
    rng = np.random.default_rng(seed)
    pairs = random_pairs(name, count, seed=seed + 1)
    quarter = rotation_of((np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))
    for k, pair in enumerate(pairs):
        shapes = []
        for shape in pair:
            if shape.name == "plane":
                axis = np.roll((1.0, 0.0, 0.0), rng.integers(3)) * rng.choice([-1.0, 1.0])
                shapes.append(replace(shape, size=(*axis, round(4 * shape.size[3]) / 4)) if k % 2 else shape)
                continue
            if shape.name == "convex":
                # Needles and slabs; a shape without volume is rejected when it is made.
                scale = SQUEEZES[rng.integers(len(SQUEEZES))] if k % 3 == 0 else (1.0, 1.0, 1.0)
                shape = replace(shape, size=tuple((np.reshape(shape.size, (-1, 3)) * scale).ravel().tolist()))
            else:
                scale = 10.0 ** rng.integers(-6, 7, len(shape.size)) if k % 3 == 0 else 1.0
                present = rng.random(len(shape.size)) > 0.3
                shape = replace(shape, size=tuple(present * scale * shape.size))
            if k % 2:
                tilt = rotation_of((1.0, *(rng.choice([0.0, 1e-16, 1e-12, 1e-8, 1e-4]) * rng.normal(size=3))))
                turn = quarter if rng.random() < 0.5 else np.eye(3)
                on_grid = np.round(4.0 * np.array(shape.position)) / 4.0
                shape = replace(shape, rotation=turn @ tilt, position=tuple(on_grid))
            shapes.append(shape)
        pairs[k] = tuple(shapes)
    return pairs


@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", KNOWN)
def test_awkward_shapes_give_sound_contacts(name, count):
    pairs = awkward(name, count, seed=4)
    for limit in (1, 8):
        collided = collide_many(pairs, limit)
        assert max(map(len, collided)) <= limit
        assert is_sound(joined(collided), limit * count)
        assert sum(map(bool, map(len, collided))) > count // 10


@pytest.mark.parametrize("name", KNOWN)
def test_fewer_contacts_are_some_of_all_with_the_deepest(name):
    pairs = random_pairs(name, 300)
    full = collide_many(pairs, LIMIT)
    for limit in range(1, 8):
        for few, all_of_them in zip(collide_many(pairs, limit), full, strict=True):
            assert len(few) == min(limit, len(all_of_them))
            if len(few):
                assert few.depth.max() == all_of_them.depth.max()
                gaps = np.linalg.norm(few.position[:, None] - all_of_them.position[None], axis=2)
                assert gaps.min(axis=1).max() == 0.0


QUARTER = rotation_of((np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))
EIGHTH = rotation_of((np.cos(np.pi / 8), 0.0, 0.0, np.sin(np.pi / 8)))


def test_a_box_across_a_box_has_eight_contacts_and_four_of_them_spread_out():
    pair = (Shape("box", (1.0, 1.0, 1.0), (0.0, 0.0, 0.99), EIGHTH), Shape("box", (1.0, 1.0, 1.0)))
    assert len(collide_many([pair])[0]) == 8
    four = collide_many([pair], 4)[0]
    assert len(four) == 4
    angles = np.sort(np.arctan2(four.position[:, 1], four.position[:, 0]))
    assert np.diff(angles).min() > np.pi / 2 - 0.1


def test_boxes_on_a_grid_rest_on_their_common_area():
    floor = Shape("box", (1.0, 1.0, 1.0))
    places = [(0.0, 0.0, 1.0), (0.5, 0.0, 1.0), (0.5, 0.5, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0)]
    contacts = collide_many([(Shape("box", (1.0, 1.0, 1.0), place), floor) for place in places])
    assert [len(found) for found in contacts] == [4, 4, 4, 0, 0]
    assert contacts[2].position[:, :2].tolist() == [[0.0, 0.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]]


def test_capsules_side_by_side_have_two_contacts_at_the_ends_of_their_common_stretch():
    pair = (Shape("capsule", (0.5, 2.0), (0.0, 0.9, 0.5)), Shape("capsule", (0.5, 2.0)))
    two, one = collide_many([pair], 8)[0], collide_many([pair], 1)[0]
    assert sorted(two.position[:, 2]) == [-0.5, 1.0]
    assert one.position.tolist() == [[0.0, 0.45, 0.25]]


def test_long_capsules_at_a_small_angle_that_meet_near_one_end_do_meet():
    tilted = rotation_of((1.0, 0.001, 0.0, 0.0))
    long = Shape("capsule", (0.1, 200.0), (0.0, 0.35, 0.0), tilted)
    (contacts,) = collide_many([(long, Shape("capsule", (0.1, 200.0)))])
    gap, _ = signed_gaps([(long, Shape("capsule", (0.1, 200.0)))])
    assert contacts.depth[0] == pytest.approx(-gap[0], rel=1e-12)


def test_crossing_axes_part_across_both():
    lying = Shape("capsule", (0.25, 1.0), (0.0, 0.0, 0.0), QUARTER)
    (contacts,) = collide_many([(lying, Shape("capsule", (0.25, 1.0)))])
    assert abs(abs(contacts.normal[0]) - (0.0, 1.0, 0.0)).max() < 1e-12
    assert contacts.depth[0] == 0.5


def test_a_sphere_on_a_capsules_axis_leaves_across_it():
    lying = Shape("capsule", (0.25, 1.0), (0.0, 0.0, 0.0), QUARTER)
    (contacts,) = collide_many([(Shape("sphere", (0.25,), (0.25, 0.0, 0.0)), lying)])
    assert abs(contacts.normal[0] @ (1.0, 0.0, 0.0)) < 1e-12


def test_large_hulls_are_as_exact_as_small_ones():
    """So many vertices that supports are found by climbing, so round that the search takes many steps."""
    rng = np.random.default_rng(6)
    pairs = []
    for _ in range(12):
        corners = rng.normal(size=(2, 50, 3))
        corners *= 0.5 / np.linalg.norm(corners, axis=2)[:, :, None]
        pairs.append(
            tuple(
                Shape(
                    "convex",
                    tuple(part.ravel().tolist()),
                    tuple(rng.uniform(-0.4, 0.4, 3)),
                    rotation_of(rng.normal(size=4)),
                )
                for part in corners
            )
        )
    gaps, _ = signed_gaps(pairs)
    collided = collide_many(pairs, LIMIT)
    assert [len(contacts) > 0 for contacts in collided] == list(gaps <= 0.0)
    touching = np.flatnonzero(gaps <= 0.0)
    assert len(touching) >= 8
    for k in touching:
        assert collided[k].depth.max() == pytest.approx(-gaps[k], abs=1e-13)
        assert gaps_along([pairs[k]], collided[k].normal[:1])[0] == pytest.approx(gaps[k], abs=1e-13)
