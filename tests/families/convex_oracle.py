"""Exact distance or penetration depth of convex shapes, computed independently of the engine.

`polytope_oracle.py` answers for convex polyhedra, `support_oracle.py`, by a search, for cylinders. Every other shape is
a ball of some radius moved over a box, a segment or a point, that is, over the sums c + sum x_k g_k with -1 <= x_k <= 1
of its generators g_k; a plane is a half space. The difference of two such shapes is of this kind too, and the question
becomes how far the origin is outside or inside it:

* outside: the least |d + G x|, found by trying every choice of up to three generators between their ends, all others at
  an end;
* inside: the least overlap along the normals of its faces, each spanned by two generators.

Functions take lists of pairs and work on all of them at once.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from tests.families import polytope_oracle, support_oracle
from tests.families.pair_calls import Shape

# Half vectors in the shape's own frame, and the radius, by the shape's size.
GENERATORS = {
    "sphere": lambda size: ([], size[0]),
    "box": lambda size: ([(size[0] / 2, 0, 0), (0, size[1] / 2, 0), (0, 0, size[2] / 2)], 0.0),
    "capsule": lambda size: ([(0, 0, size[1] / 2)], size[0]),
}


def known(name):
    return name in GENERATORS or name in ("plane", "convex", "cylinder")


def is_exact(pairs):
    """Whether the answer is exact, and not found by a search."""
    names = [shape.name for shape in pairs[0]]
    return "cylinder" not in names or names[1] == "plane" or names[0] == "sphere"


def swept(shape):
    """Generators in the world, as the columns of a matrix, and the radius."""
    generators, radius = GENERATORS[shape.name](shape.size)
    return np.asarray(shape.rotation) @ np.reshape(generators, (-1, 3)).T, radius


def differences(pairs):
    """d, G and radius of a - b; fewer generators than others have are filled up with zero."""
    sweeps = [(swept(a), swept(b)) for a, b in pairs]
    offset = np.array([np.subtract(a.position, b.position) for a, b in pairs])
    generators = np.zeros((len(pairs), 3, max(a.shape[1] + b.shape[1] for (a, _), (b, _) in sweeps)))
    for G, ((a, _), (b, _)) in zip(generators, sweeps, strict=True):
        G[:, : a.shape[1] + b.shape[1]] = np.hstack([a, b])
    return offset, generators, np.array([a + b for (_, a), (_, b) in sweeps])


def signed_gaps(pairs):
    """Distance of each pair, or minus the depth of its overlap, and the unit normal, from b into a."""
    if pairs[0][1].name == "plane":
        normal = np.array([b.size[:3] for _, b in pairs])
        return gaps_along(pairs, normal), normal
    if [shape.name for shape in pairs[0]] == ["sphere", "cylinder"]:
        return ball_and_cylinder(pairs)
    if any(shape.name == "cylinder" for shape in pairs[0]):
        return support_oracle.signed_gaps(pairs)
    if any(shape.name == "convex" for shape in pairs[0]):
        gaps, normals = zip(*(polytope_oracle.signed_gap(a, b) for a, b in pairs), strict=True)
        return np.array(gaps), np.array(normals)
    offset, generators, radius = differences(pairs)
    apart = nearest(offset, generators)
    distance = np.linalg.norm(apart, axis=1)
    scale = abs(generators).sum(axis=(1, 2)) + np.linalg.norm(offset, axis=1) + radius
    inside = distance <= 1e-13 * scale
    normal = apart / np.where(inside, 1.0, distance)[:, None]
    gap = np.where(inside, 0.0, distance)
    if inside.any():
        gap[inside], normal[inside] = deepest(offset[inside], generators[inside])
    return gap - radius, normal


def gaps_along(pairs, normal):
    """Gap of each pair's shadows along a unit normal that points into a: a positive one separates them."""
    if pairs[0][1].name == "plane" and pairs[0][0].name in ("convex", "cylinder"):
        n = np.array([b.size[:3] for _, b in pairs])
        place = np.array([a.position for a, _ in pairs])
        level = np.array([b.size[3] for _, b in pairs])
        return (n * place).sum(axis=1) - level - support_oracle.reach([a for a, _ in pairs], -n[:, None])[:, 0]
    if any(shape.name in ("convex", "cylinder") for shape in pairs[0]):
        return support_oracle.gaps_along(pairs, normal[:, None])[:, 0]
    if pairs[0][1].name == "plane":
        n = np.array([b.size[:3] for _, b in pairs])
        level = np.array([b.size[3] for _, b in pairs])
        offset, generators, radius = differences([(a, Shape("sphere", (0.0,))) for a, _ in pairs])
        offset = offset - level[:, None] * n
    else:
        n = normal
        offset, generators, radius = differences(pairs)
    reach = abs(np.einsum("ni,nik->nk", n, generators)).sum(axis=1)
    return np.einsum("ni,ni->n", n, offset) - reach - radius


def ball_and_cylinder(pairs):
    """In the half plane through the axis and the ball's centre, the cylinder is a rectangle."""
    local = np.array([np.subtract(a.position, b.position) @ np.asarray(b.rotation) for a, b in pairs])
    size = np.array([b.size for _, b in pairs])
    rho = np.hypot(local[:, 0], local[:, 1])
    radial = np.column_stack([local[:, :2] / np.where(rho > 0.0, rho, 1.0)[:, None], np.zeros(len(rho))])
    axial = np.column_stack([np.zeros((len(rho), 2)), np.where(local[:, 2] > 0.0, 1.0, -1.0)])
    beyond = np.column_stack([rho - size[:, 0], abs(local[:, 2]) - 0.5 * size[:, 1]])
    inside = beyond.max(axis=1) <= 0.0
    gap = np.where(inside, beyond.max(axis=1), np.linalg.norm(np.maximum(beyond, 0.0), axis=1))
    parts = np.where(inside[:, None], beyond == beyond.max(axis=1)[:, None], np.maximum(beyond, 0.0))
    normal = parts[:, :1] * radial + parts[:, 1:] * axial
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    normal = np.einsum("nij,nj->ni", np.array([b.rotation for _, b in pairs]), normal)
    return gap - [a.size[0] for a, _ in pairs], normal


def nearest(offset, generators):
    """The shortest vector d + G x."""
    count = generators.shape[2]
    best = np.full(offset.shape, np.inf)
    for size in range(min(count, 3) + 1):
        for free in combinations(range(count), size):
            others = [k for k in range(count) if k not in free]
            G = generators[:, :, list(free)]
            inverse = np.linalg.pinv(G) if free else np.zeros((len(offset), 0, 3))
            for ends in product((-1.0, 1.0), repeat=len(others)):
                base = offset + generators[:, :, others] @ np.array(ends)
                x = -np.einsum("nkj,nj->nk", inverse, base)
                vector = base + np.einsum("nik,nk->ni", G, x)
                better = (abs(x) <= 1.0 + 1e-12).all(axis=1)
                better &= ~((vector**2).sum(axis=1) >= (best**2).sum(axis=1))
                best[better] = vector[better]
    return best


def deepest(offset, generators):
    """The greatest gap along a normal of two generators, and that normal."""
    best_gap, best_normal = np.full(len(offset), -np.inf), np.full(offset.shape, np.nan)
    for i, j in combinations(range(generators.shape[2]), 2):
        normal = np.cross(generators[:, :, i], generators[:, :, j])
        length = np.linalg.norm(normal, axis=1)
        spans = np.linalg.norm(generators[:, :, i], axis=1) * np.linalg.norm(generators[:, :, j], axis=1)
        clear = length > 1e-9 * spans
        normal = normal / np.where(clear, length, 1.0)[:, None]
        normal *= np.where(np.einsum("ni,ni->n", normal, offset) < 0.0, -1.0, 1.0)[:, None]
        gap = np.einsum("ni,ni->n", normal, offset) - abs(np.einsum("ni,nik->nk", normal, generators)).sum(axis=1)
        better = clear & (gap > best_gap)
        best_gap[better], best_normal[better] = gap[better], normal[better]
    return best_gap, best_normal
