"""Whether contact points are within the touching features of two shapes, by closed forms independent of the engine's.

A contact of depth d at p with normal n, into a, claims that a has a point x and b the point x + d n, on one line through p.
If d is the overlap along n, so the deepest contact's, both lie in support planes: x is in a's touching feature, x + d n in
b's. `excess` is how far they are outside their shapes, `poses` makes poses in which features are not unique: axes aligned,
parallel and shifted, at right angles, and nearly so, seen from any orientation of the world.
"""

from __future__ import annotations

import numpy as np

from tests.families.pair_calls import Shape, rotation_of

TILTS = (0.0, 0.0, 1e-16, 1e-12, 1e-8, 1e-4, 1e-2)
DEPTHS = (1e-9, 1e-6, 1e-3, 0.02, 0.1)


def outside(shape, points):
    """Distance of points (n, 3) from a shape, 0 inside."""
    p = (points - shape.position) @ np.asarray(shape.rotation)
    size = np.asarray(shape.size)
    rho, z = np.hypot(p[:, 0], p[:, 1]), p[:, 2]
    if shape.name == "sphere":
        return np.maximum(np.linalg.norm(p, axis=1) - size[0], 0.0)
    if shape.name == "capsule":
        return np.maximum(np.hypot(rho, np.maximum(abs(z) - size[1] / 2, 0.0)) - size[0], 0.0)
    if shape.name == "cylinder":
        return np.hypot(np.maximum(rho - size[0], 0.0), np.maximum(abs(z) - size[1] / 2, 0.0))
    if shape.name in ("box", "rounded_box"):
        radius = size[3] if shape.name == "rounded_box" else 0.0
        beyond = np.maximum(abs(p) - (size[:3] / 2 - radius), 0.0)
        return np.maximum(np.linalg.norm(beyond, axis=1) - radius, 0.0)
    if shape.name == "cone":
        r, h = size[:2]
        up = z + h / 4
        inside = (up >= 0.0) & (h * (rho - r) + r * up <= 0.0)
        t = np.clip((h * up - r * (rho - r)) / (r * r + h * h), 0.0, 1.0)
        side = np.hypot(rho - r * (1.0 - t), up - h * t)
        return np.where(inside, 0.0, np.minimum(side, np.hypot(np.maximum(rho - r, 0.0), up)))
    if shape.name == "ellipsoid":
        # To first order in the distance: the level of the quadratic form by its slope.
        level = np.linalg.norm(p / size[:3], axis=1)
        slope = np.linalg.norm(p / size[:3] ** 2, axis=1) / np.where(level > 0.0, level, 1.0)
        return np.maximum(level - 1.0, 0.0) / np.where(slope > 0.0, slope, 1.0)
    raise ValueError(f"touching.py does not know {shape.name}: give its distance")


def reach(shape, n):
    """How far a shape reaches along the unit vector n."""
    m, size = np.asarray(shape.rotation).T @ n, np.asarray(shape.size)
    across, centre = np.hypot(m[0], m[1]), float(np.dot(n, shape.position))
    if shape.name == "sphere":
        return centre + size[0]
    if shape.name == "capsule":
        return centre + size[0] + 0.5 * size[1] * abs(m[2])
    if shape.name == "cylinder":
        return centre + size[0] * across + 0.5 * size[1] * abs(m[2])
    if shape.name == "box":
        return centre + 0.5 * np.dot(size[:3], abs(m))
    if shape.name == "rounded_box":
        return centre + 0.5 * np.dot(size[:3] - 2.0 * size[3], abs(m)) + size[3]
    if shape.name == "cone":
        return centre + max(0.75 * size[1] * m[2], size[0] * across - 0.25 * size[1] * m[2])
    return centre + np.linalg.norm(size[:3] * m)


def excess(a, b, contacts):
    """For each contact, how far outside of its shape the further of x and x + d n is."""
    d, found = contacts.depth.max(), []
    for p, n, depth in zip(contacts.position, contacts.normal, contacts.depth, strict=True):
        # The deepest is seen from the support planes; places of the others are on either surface, or half way between.
        starts = (
            [p - (np.dot(n, p) + reach(a, -n)) * n] if depth == d else [p - part * depth * n for part in (0, 0.5, 1)]
        )
        found.append(min(max(outside(a, x[None])[0], outside(b, (x + depth * n)[None])[0]) for x in starts))
    return np.array(found)


def overlap(a, b, n):
    """The overlap of two shapes along a unit normal into a."""
    return reach(a, -n) + reach(b, n)


def poses(first, second, sizes, count, seed):
    """Pairs of shapes that overlap a little along a direction in which features may not be unique."""
    rng = np.random.default_rng(seed)
    quarter = rotation_of((np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))
    pairs = []
    for k in range(count):
        one, two = sizes(first, rng), sizes(second, rng)
        world = rotation_of(rng.normal(size=4)) if k % 2 else np.eye(3)
        turn = rotation_of((1.0, *(rng.choice(TILTS) * rng.normal(size=3))))
        kind = (k // 2) % 4
        if kind == 0:
            turn = rotation_of(rng.normal(size=4))
        elif kind == 2:
            turn = quarter @ turn
        if rng.random() < 0.5 and kind:
            spin = rng.uniform(0.0, 2.0 * np.pi)
            turn = turn @ rotation_of((np.cos(spin), 0.0, 0.0, np.sin(spin)))
        a = Shape(first, one, (0.0, 0.0, 0.0))
        b = Shape(second, two, (0.0, 0.0, 0.0), turn)
        axes = np.vstack([np.eye(3), turn.T, [np.cross(u, v) for u in np.eye(3) for v in turn.T]])
        n = rng.normal(size=3) if rng.random() < 0.3 else axes[rng.integers(len(axes))] * rng.choice((-1.0, 1.0))
        if np.linalg.norm(n) < 1e-3:
            n = np.eye(3)[0]
        n = n / np.linalg.norm(n)
        u = np.linalg.svd(n[None])[2][1:]
        across = rng.choice((0.0, 0.3, 0.9)) * rng.uniform(-1.0, 1.0, 2)
        shift = sum(
            x * min(reach(a, v) + reach(b, -v), reach(a, -v) + reach(b, v)) * v for x, v in zip(across, u, strict=True)
        )
        place = shift - (reach(a, -n) + reach(b, n) - rng.choice(DEPTHS) * min(*one[:3], *two[:3])) * n
        pairs.append(
            (
                Shape(first, one, (0.0, 0.0, 0.0), world),
                Shape(second, two, tuple(world @ place), world @ turn),
            )
        )
    return pairs
