"""ODE's demo_space: each kind of space finds the overlapping pairs of boxes, the same as by testing all pairs."""

import numpy as np
from ode_demo import *

FRAMES, COUNT = 20, 40

stage = Stage(ground=False)
kinds = {
    "simple": dSimpleSpaceCreate(None),
    "hash": dHashSpaceCreate(None),
    "sweep and prune": dSweepAndPruneSpaceCreate(None, dSAP_AXES_XYZ),
    "quad tree": dQuadTreeSpaceCreate(None, (0, 0, 0), (10, 10, 10), 5),
}
random, wrong, found = np.random.default_rng(11), [], []


def brute_force(boxes):
    """Numbers of the overlapping boxes, by testing all pairs."""
    pairs = set()
    for one in range(COUNT):
        for two in range(one):
            a, b = boxes[one], boxes[two]
            if all(a[2 * k] <= b[2 * k + 1] and b[2 * k] <= a[2 * k + 1] for k in range(3)):
                pairs.add((two, one))
    return pairs


def test(time):
    sizes, places = random.uniform(0.1, 2, (COUNT, 3)), random.uniform(-5, 5, (COUNT, 3))
    for name, space in kinds.items():
        geoms = [dCreateBox(space, *size) for size in sizes]
        for geom, place in zip(geoms, places):
            dGeomSetPosition(geom, *place)
        met = []
        dSpaceCollide(space, met, lambda data, o1, o2: data.append((o1, o2)))
        pairs = [tuple(sorted((geoms.index(one), geoms.index(two)))) for one, two in met]
        right = brute_force([dGeomGetAABB(geom) for geom in geoms])
        found.append(len(right))
        if len(pairs) != len(set(pairs)) or set(pairs) != right:
            wrong.append((name, time))
        for geom in geoms:
            dGeomDestroy(geom)


stage.forces = test


def check():
    assert wrong == [] and sum(found) > 100


if __name__ == "__main__":
    stage.show()
