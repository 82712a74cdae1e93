"""Distance or penetration depth of any convex shapes, by searching over directions.

The gap of two shapes along a unit normal n is known from how far each reaches: how far they are apart is the greatest gap
along any n, how deep they overlap the least overlap. So a normal proves that shapes are at least so far apart, or at
most so deep in each other. The best of a dense set of directions, at a distance from each other, and those along and
across the shapes' axes and faces, are each followed by a pattern search. A search may end a little short of the best,
never beyond it: it is for refuting a claim, not for the last digits.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tests.families.pair_calls import hull_of

DIRECTIONS = 2000
STARTS = 40
ROUNDS = 90
PATTERN = np.array([(np.cos(t), np.sin(t)) for t in np.arange(8) * np.pi / 4])


def reach(shapes, normals):
    """How far each shape reaches, from its position, along normals (n, m, 3)."""
    local = normals @ np.array([shape.rotation for shape in shapes])
    sizes = [shape.size for shape in shapes]
    name = shapes[0].name
    if name == "convex":
        hulls = [hull_of(size).vertices for size in sizes]
        most = max(map(len, hulls))
        corners = np.array([np.vstack([h, np.repeat(h[:1], most - len(h), axis=0)]) for h in hulls])
        return (local @ corners.transpose(0, 2, 1)).max(axis=2)
    size = np.array(sizes)[:, None, :]
    if name == "box":
        return 0.5 * (abs(local) * size).sum(axis=2)
    if name == "sphere":
        return np.broadcast_to(size[:, :, 0], local.shape[:2])
    axial = 0.5 * size[:, :, 1] * abs(local[:, :, 2])
    across = np.hypot(local[:, :, 0], local[:, :, 1]) if name == "cylinder" else 1.0
    return size[:, :, 0] * across + axial


def gaps_along(pairs, normals):
    """Gap of each pair along normals (n, m, 3) that point into the first: a positive one separates them."""
    offset = np.array([np.subtract(a.position, b.position) for a, b in pairs])
    centres = np.einsum("nmi,ni->nm", normals, offset)
    return centres - reach([a for a, _ in pairs], -normals) - reach([b for _, b in pairs], normals)


def signed_gaps(pairs):
    """Distance of each pair, or minus the depth of its overlap, and the unit normal, from b into a."""
    starts = normalized(starting_directions(pairs))
    gaps = gaps_along(pairs, starts)
    chosen = spread_out(starts, gaps)
    normals = np.take_along_axis(starts, chosen[:, :, None], axis=1)
    gaps = np.take_along_axis(gaps, chosen, axis=1)
    step = np.full(gaps.shape, 0.1)
    for _ in range(ROUNDS):
        u = normalized(np.cross(normals, np.where(abs(normals[:, :, :1]) < 0.6, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))))
        v = np.cross(normals, u)
        around = np.einsum("ka,nmai->nmki", PATTERN, np.stack([u, v], axis=2))
        tried = normalized(normals[:, :, None] + step[:, :, None, None] * around)
        found = gaps_along(pairs, tried.reshape(len(pairs), -1, 3)).reshape(*gaps.shape, -1)
        best = found.argmax(axis=2)
        value = np.take_along_axis(found, best[:, :, None], axis=2)[:, :, 0]
        better = value > gaps
        move = np.take_along_axis(tried, best[:, :, None, None], axis=2)[:, :, 0]
        normals = np.where(better[:, :, None], move, normals)
        gaps = np.where(better, value, gaps)
        step = np.where(better, 1.5 * step, 0.5 * step)
    best = gaps.argmax(axis=1)
    rows = np.arange(len(pairs))
    return gaps[rows, best], normals[rows, best]


def normalized(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def starting_directions(pairs):
    """An even set, both shapes' axes and faces, and what is across any two axes."""
    k = np.arange(DIRECTIONS)
    z = 1.0 - 2.0 * (k + 0.5) / DIRECTIONS
    turn = np.pi * (1.0 + np.sqrt(5.0)) * k
    even = np.column_stack([np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z])
    special = [np.vstack([own_directions(a), own_directions(b)]) for a, b in pairs]
    most = max(map(len, special))
    return np.array([np.vstack([even, s, np.repeat(even[:1], most - len(s), axis=0)]) for s in special])


def own_directions(shape):
    R = np.asarray(shape.rotation)
    faces = hull_of(shape.size).planes[:, :3] @ R.T if shape.name == "convex" else R.T
    crossed = [np.cross(p, q) for p, q in combinations(R.T, 2)]
    return np.vstack([faces, -faces, crossed])


def spread_out(normals, gaps):
    """For each pair, the best directions that are not close to a better one."""
    chosen = np.empty((len(gaps), STARTS), int)
    for row, (directions, values) in enumerate(zip(normals, gaps, strict=True)):
        left = values.copy()
        for place in range(STARTS):
            chosen[row, place] = k = int(left.argmax())
            left[directions @ directions[k] > 0.995] = -np.inf
    return chosen
