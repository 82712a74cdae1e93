"""Every broadphase lists the same pairs in the same order as exhaustive search, for any boxes and changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opendynamics.core.arrays.dynamic_tree import LEAVES, NODES, PROXIES, TREE
from opendynamics.core.arrays.geoms import ALIVE, ENABLED, GEOM_ORDER, GEOMS, PAIRS
from opendynamics.core.arrays.report import CHOICES
from opendynamics.core.arrays.store import Store
from opendynamics.core.families import BROADPHASES

INF, NAN = np.inf, np.nan


def random_geoms(random, count):
    """Records with boxes of sizes over four decades; some disabled, some on one body, some not for each other."""
    records = np.zeros(count, GEOMS.dtype)
    half = 10 ** random.uniform(-3, 1, (count, 1)) * random.uniform(0.1, 1, (count, 3))
    centre = random.uniform(-20, 20, (count, 3))
    if count % 2:  # on a lattice, so that many boxes just touch
        half, centre = np.full((count, 3), 0.5), np.round(centre / 5)
    records["bounds"][:, 0::2], records["bounds"][:, 1::2] = centre - half, centre + half
    records["flags"] = np.where(random.random(count) < 0.1, ALIVE, ALIVE | ENABLED)
    records["category"], records["collide"] = random.integers(0, 8, (2, count))
    records["owner"] = random.integers(0, max(2, count // 3), count)
    for k, bounds in zip(random.integers(0, count, 5), ODD_BOUNDS, strict=True):
        records["bounds"][k] = bounds
    return records


ODD_BOUNDS = (
    (-INF, INF, -INF, INF, -INF, INF),
    (-INF, INF, -INF, INF, -INF, 0.0),
    (-3.0, INF, -1.0, 1.0, -0.0, 0.0),
    (NAN, NAN, NAN, NAN, NAN, NAN),
    (-1e300, 1e300, 1.0, 1.0, -1.0, 2.0),
)


def change(random, records):
    """Some geoms move a little, some far; some are replaced, some turned on or off; or all are others, or in other order."""
    count, what = len(records), random.integers(0, 12)
    if what == 0:
        return random_geoms(random, random.integers(1, 120))
    if what == 1:
        return records[random.permutation(count)]
    if what == 2:
        return records[random.random(count) < 0.9] if count > 1 else records
    if what == 3:
        return np.concatenate([random_geoms(random, random.integers(1, 4)), records])
    moves = random.random(count) < random.choice([0.0, 0.1, 1.0])
    with np.errstate(invalid="ignore"):
        records["bounds"] += (
            np.repeat(random.normal(0, 10 ** random.uniform(-3, 1), (count, 3)), 2, axis=1) * moves[:, None]
        )
    if what == 4:
        records["flags"] ^= np.where(random.random(count) < 0.2, ENABLED, 0).astype("u4")
    if what == 5:
        records["collide"] = random.integers(0, 8, count)
        records["owner"] = random.integers(0, max(2, count // 3), count)
    if what == 6:
        records["bounds"][random.integers(0, count)] = ODD_BOUNDS[random.integers(0, len(ODD_BOUNDS))]
    return records


def new_store(name):
    store = Store()
    parameters = getattr(BROADPHASES[name], "PARAMETERS", ())
    if name == "quad_tree":
        parameters = 1.0, 2.0, 3.0, 15.0, 16.0, 4.0, 4
    store[CHOICES]["parameters"][0, : len(parameters)] = parameters
    return store


def find(name, store, records):
    """Pairs of places, in the order found. The geoms' rows are the reverse of their places."""
    count = len(records)
    store.use(GEOMS, count)
    store.use(GEOM_ORDER, count)
    store[GEOMS][:count] = records[::-1]
    store[GEOM_ORDER][:count] = np.arange(count)[::-1]
    for _ in range(50):
        if BROADPHASES[name].find_pairs(store.tables):
            pairs = store[PAIRS][: store.used(PAIRS)]
            return [(count - 1 - a, count - 1 - b) for a, b in pairs.tolist()]
        store.make_missing_room()
    raise AssertionError("it never has enough room")


def expected(records):
    """By the definition, in order: apart are boxes of which one ends before the other begins."""
    b, n = records["bounds"], len(records)
    apart = np.zeros((n, n), bool)
    for axis in range(3):
        apart |= b[:, None, 2 * axis] > b[None, :, 2 * axis + 1]
    meet = ~(apart | apart.T)
    meet &= (records["owner"][:, None] != records["owner"]) | (records["owner"] == 0)
    bits = records["category"][:, None] & records["collide"]
    on = (records["flags"] & ENABLED) != 0
    meet &= ((bits | bits.T) != 0) & on & on[:, None]
    return [(int(a), int(b)) for a, b in np.argwhere(np.triu(meet, 1))]


@pytest.mark.parametrize("name", BROADPHASES.names)
@given(st.integers(0, 2**32 - 1))
def test_the_pairs_are_those_of_the_definition_in_order(name, seed):
    random = np.random.default_rng(seed)
    store, records = new_store(name), random_geoms(random, random.integers(1, 120))
    for _ in range(12):
        assert find(name, store, records) == expected(records)
        records = change(random, records)


@pytest.mark.parametrize("name", BROADPHASES.names)
def test_many_geoms(name):
    random = np.random.default_rng(4)
    store, records = new_store(name), random_geoms(random, 1500)
    for _ in range(4):
        pairs = expected(records)
        assert len(pairs) > 2000
        assert find(name, store, records) == pairs
        records["bounds"] += np.repeat(random.normal(0, 0.1, (1500, 3)), 2, axis=1)


@pytest.mark.parametrize("name", BROADPHASES.names)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_geoms(name, count):
    records = np.zeros(count, GEOMS.dtype)
    records["flags"], records["category"], records["collide"] = ENABLED, 1, 1
    store = new_store(name)
    assert find(name, store, records) == [(0, 1)][: max(0, count - 1)]


@pytest.mark.parametrize("name", BROADPHASES.names)
def test_geoms_that_are_all_in_one_place(name):
    records = np.zeros(200, GEOMS.dtype)
    records["flags"], records["category"], records["collide"] = ENABLED, 1, 1
    records["bounds"] = (-1, 1, -1, 1, -1, 1)
    assert find(name, new_store(name), records) == expected(records)


def remembered(store):
    return [array.tobytes() for array in (store[LEAVES], store[NODES], store[PROXIES]["fat"], store[TREE])]


def test_the_tree_is_left_alone_while_everything_stays_in_its_fat_box():
    random = np.random.default_rng(1)
    records = random_geoms(random, 300)[5:]
    records = records[np.isfinite(records["bounds"]).all(axis=1)]
    store = new_store("tree")
    find("tree", store, records)
    before = remembered(store)
    size = (records["bounds"][:, 1::2] - records["bounds"][:, 0::2]).max(axis=1)
    records["bounds"] += 0.04 * size[:, None]
    assert find("tree", store, records) == expected(records)
    assert remembered(store) == before
    records["bounds"] += 0.02 * size[:, None]
    assert find("tree", store, records) == expected(records)
    assert remembered(store) != before


def test_every_node_of_the_tree_holds_what_is_below_it():
    random = np.random.default_rng(2)
    store, records = new_store("tree"), random_geoms(random, 500)
    for _ in range(20):
        find("tree", store, records)
        proxies, nodes = store[PROXIES][:500], store[NODES]["bounds"]
        inside = proxies["node"] > 0
        assert inside.sum() == np.isfinite(proxies["fat"]).all(axis=1).sum() == store[TREE]["bounded"][0]
        for proxy in proxies[inside]:
            k = int(proxy["node"])
            while k:
                assert (nodes[k, 0::2] <= proxy["fat"][0::2]).all() and (nodes[k, 1::2] >= proxy["fat"][1::2]).all()
                k //= 2
        moves = np.isfinite(records["bounds"]).all(axis=1) & (random.random(500) < 0.2)
        records["bounds"] += np.repeat(random.normal(0, 1, (500, 3)), 2, axis=1) * moves[:, None]


def test_the_tree_is_built_anew_when_copies_of_geoms_have_other_rows():
    random = np.random.default_rng(6)
    records = random_geoms(random, 300)
    records = records[np.isfinite(records["bounds"]).all(axis=1)]
    store = new_store("tree")
    find("tree", store, records)
    records = np.concatenate([records, records[:1]])  # the last place is the first row
    assert find("tree", store, records) == expected(records)
    assert store[TREE]["changes"][0] == 0
    assert find("tree", store, records[:-2]) == expected(records[:-2])
    assert store[TREE]["changes"][0] == 0
