"""Distance or penetration depth of polyhedra by exhaustive search: exact, and slow.

A shape here is the hull of some points, moved out by a radius; spheres are points, capsules segments. Two hulls overlap
least along a normal of a face of either, or across an edge of each (Minkowski difference of polyhedra); hulls that are
apart are closest at two edges, or at a corner and the inside of a face. All of these are tried.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.families.pair_calls import hull_of

CUBE = tuple(0.5 * c for x in (-1, 1) for y in (-1, 1) for z in (-1, 1) for c in (x, y, z))

KNOWN = ("sphere", "box", "capsule", "convex")


def parts(shape):
    """Corners (v, 3), face planes (f, 4), polygons, and edges (e, 2) in the shape's own frame, and the radius."""
    if shape.name == "sphere":
        return np.zeros((1, 3)), np.zeros((0, 4)), (), np.zeros((0, 2), int), shape.size[0]
    if shape.name == "capsule":
        ends = np.array([(0.0, 0.0, -0.5), (0.0, 0.0, 0.5)]) * shape.size[1]
        return ends, np.zeros((0, 4)), (), np.array([(0, 1)]), shape.size[0]
    if shape.name == "box":
        cube = solid_parts(CUBE)
        planes = np.column_stack([cube[1][:, :3], 0.5 * abs(cube[1][:, :3]) @ shape.size])
        return cube[0] * shape.size, planes, cube[2], cube[3], 0.0
    return solid_parts(shape.size)


@cache
def solid_parts(corners):
    body = hull_of(corners)
    return body.vertices, body.planes, body.polygons, body.edges[:, :2], 0.0


class Placed:
    """A shape's parts in the world, about an origin near by."""

    def __init__(self, shape, origin):
        R, position = np.asarray(shape.rotation), np.subtract(shape.position, origin)
        corners, planes, self.polygons, edges, self.radius = parts(shape)
        self.corners = corners @ R.T + position
        self.normals = planes[:, :3] @ R.T
        self.levels = planes[:, 3] + self.normals @ position
        self.starts, self.ends = self.corners[edges[:, 0]], self.corners[edges[:, 1]]

    def reach(self, normals):
        return (normals @ self.corners.T).max(axis=1)


def signed_gap(a, b):
    """Distance or minus the overlap of two shapes, and the unit normal into a."""
    a, b = Placed(a, b.position), Placed(b, b.position)
    overlap, normal = min_overlap(a, b)
    if overlap <= 0.0:
        vector = nearest(a, b)
        distance = np.linalg.norm(vector)
        if distance > 0.0:
            return distance - a.radius - b.radius, vector / distance
    return -overlap - a.radius - b.radius, -normal


def min_overlap(a, b):
    """Least overlap of the hulls and its direction, from a to b."""
    across = np.cross((a.ends - a.starts)[:, None], (b.ends - b.starts)[None]).reshape(-1, 3)
    lengths = np.linalg.norm(across, axis=1)
    clear = lengths > 1e-9 * lengths.max(initial=0.0)
    across = across[clear] / lengths[clear][:, None]
    normals = np.vstack([a.normals, -b.normals, across, -across])
    if not len(normals):
        return -np.inf, np.zeros(3)
    overlaps = a.reach(normals) + b.reach(-normals)
    best = np.argmin(overlaps)
    return overlaps[best], normals[best]


def nearest(a, b):
    """The shortest vector from b to a of hulls that are apart."""
    candidates = [edge_to_edge(a, b), corner_to_face(a, b), -corner_to_face(b, a)]
    candidates += [corner_to_edge(a, b), -corner_to_edge(b, a)]
    candidates += [(a.corners[:, None] - b.corners[None]).reshape(-1, 3)]
    vectors = np.vstack(candidates)
    return vectors[np.argmin((vectors**2).sum(axis=1))]


def corner_to_edge(a, b):
    along = b.ends - b.starts
    offset = a.corners[:, None] - b.starts[None]
    t = np.clip((offset * along).sum(axis=2) / (along**2).sum(axis=1), 0.0, 1.0)
    return (offset - t[:, :, None] * along).reshape(-1, 3)


def edge_to_edge(a, b):
    """Where both lines are closest within the edges."""
    u, v = (a.ends - a.starts)[:, None], (b.ends - b.starts)[None]
    w = a.starts[:, None] - b.starts[None]
    n = np.cross(u, v)
    nn = (n**2).sum(axis=2)
    nn = np.where(nn > 1e-18 * (u**2).sum(axis=2) * (v**2).sum(axis=2), nn, np.inf)
    s = -(np.cross(w, v) * n).sum(axis=2) / nn
    t = -(np.cross(w, u) * n).sum(axis=2) / nn
    inside = (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0) & np.isfinite(nn)
    vectors = ((w * n).sum(axis=2) / nn)[:, :, None] * n
    return vectors[inside]


def corner_to_face(a, b):
    """From each face of b straight to each corner of a that is above it."""
    found = [np.zeros((0, 3))]
    for normal, level, polygon in zip(b.normals, b.levels, b.polygons, strict=True):
        corners = b.corners[list(polygon)]
        sides = np.cross(normal, np.roll(corners, -1, axis=0) - corners)
        above = ((a.corners[:, None] - corners[None]) * sides).sum(axis=2).min(axis=1) >= 0.0
        heights = a.corners @ normal - level
        found.append(heights[above & (heights > 0.0), None] * normal)
    return np.vstack(found)
