"""Penetration depth of convex bodies in a convex mesh, computed independently of the engine.

Both are sums of a polytope and a ball. Polytopes overlap along a unit vector n by h_M(n) + h_K(-n), the sum of their
supports. The least of it is on a face of their Minkowski sum: a face of either, or one spanned by an edge of each. Cores
that are apart have the distance of their nearest points, found among all pairs of vertices, edges and faces.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np


class ConvexMesh:
    """A closed convex mesh placed in the world: all that the oracle asks of it."""

    def __init__(self, vertices, triangles, position=(0.0, 0.0, 0.0), rotation=None):
        turn = np.eye(3) if rotation is None else np.asarray(rotation)
        self.vertices = np.asarray(vertices) @ turn.T + np.asarray(position)
        self.triangles = np.asarray(triangles)
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        self.normals = normals / np.linalg.norm(normals, axis=1)[:, None]
        pairs = np.sort(np.concatenate([self.triangles[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
        self.edges = np.unique(pairs, axis=0)
        self.along = self.vertices[self.edges[:, 1]] - self.vertices[self.edges[:, 0]]


def core_of(shape):
    """Vertices, face normals, edge directions in the world, and the radius, of a sphere, capsule, box or hull."""
    turn, place = np.asarray(shape.rotation), np.asarray(shape.position)
    if shape.name == "sphere":
        return place[None], np.empty((0, 3)), np.empty((0, 3)), shape.size[0]
    if shape.name == "capsule":
        axis = turn[:, 2]
        ends = np.array([place + 0.5 * shape.size[1] * axis, place - 0.5 * shape.size[1] * axis])
        return ends, np.empty((0, 3)), axis[None], shape.size[0]
    if shape.name == "box":
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        return place + (0.5 * signs * shape.size) @ turn.T, np.concatenate([turn.T, -turn.T]), turn.T, 0.0
    points = np.reshape(shape.size, (-1, 3)) @ turn.T + place
    faces = []
    for i, j, k in combinations(range(len(points)), 3):
        n = np.cross(points[j] - points[i], points[k] - points[i])
        heights = (points - points[i]) @ n
        if np.linalg.norm(n) > 1e-12 and (heights.max() < 1e-12 or heights.min() > -1e-12):
            n = n / np.linalg.norm(n)
            faces.append(n if heights.max() < 1e-12 else -n)
    edges = np.array([points[j] - points[i] for i, j in combinations(range(len(points)), 2)])
    return points, np.array(faces), edges, 0.0


def overlap(shape, mesh):
    """Depth (negative: distance) of a body and a convex mesh, and the unit normal into the body."""
    if shape.name == "cylinder":
        return cylinder_overlap(shape, mesh)
    points, faces, edges, radius = core_of(shape)
    directions = [mesh.normals, -faces]
    if len(edges):
        crossed = np.cross(mesh.along[:, None], edges[None]).reshape(-1, 3)
        lengths = np.linalg.norm(crossed, axis=1)
        crossed = crossed[lengths > 1e-9] / lengths[lengths > 1e-9][:, None]
        directions += [crossed, -crossed]
    n = np.concatenate(directions)
    depths = (mesh.vertices @ n.T).max(axis=0) - (points @ n.T).min(axis=0)
    best = int(np.argmin(depths))
    if depths[best] >= 0.0 or len(points) > 2:
        return depths[best] + radius, n[best]
    apart = nearest_gap(points, mesh)
    distance = np.linalg.norm(apart)
    return radius - distance, apart / distance


def along(shape, mesh, n):
    """The overlap along a unit normal."""
    if shape.name == "cylinder":
        return float(cylinder_overlaps(shape, mesh, np.asarray(n)[None])[0])
    points, _, _, radius = core_of(shape)
    return (mesh.vertices @ n).max() - (points @ n).min() + radius


def cylinder_overlaps(shape, mesh, n):
    """Overlap of a cylinder and the mesh along each row of n."""
    axis = np.asarray(shape.rotation)[:, 2]
    cosine = n @ axis
    reach = 0.5 * shape.size[1] * abs(cosine) + shape.size[0] * np.sqrt(np.maximum(1.0 - cosine**2, 0.0))
    return (mesh.vertices @ n.T).max(axis=0) - n @ np.asarray(shape.position) + reach


def cylinder_overlap(shape, mesh):
    """Least overlap of a cylinder that is not apart from the mesh, and its direction.

    Besides the faces of both, it may lie along a direction between the normals of two triangles of the mesh, or straight
    out of the barrel at a vertex. Arcs are sampled, and searched between the samples next to the least one.
    """
    axis, place = np.asarray(shape.rotation)[:, 2], np.asarray(shape.position)
    outward = place - mesh.vertices + ((mesh.vertices - place) @ axis)[:, None] * axis
    lengths = np.linalg.norm(outward, axis=1)[:, None]
    directions = [mesh.normals, axis[None], -axis[None], outward[lengths[:, 0] > 1e-9] / lengths[lengths[:, 0] > 1e-9]]
    steps = np.linspace(0.0, 1.0, 33)
    for i, j in mesh.edges:
        sides = [n for t, n in zip(mesh.triangles, mesh.normals, strict=True) if i in t and j in t]
        low, high = 0.0, 1.0
        for _ in range(9):
            t = low + (high - low) * steps[:, None]
            arc = (1.0 - t) * sides[0] + t * sides[1]
            arc /= np.linalg.norm(arc, axis=1)[:, None]
            best = int(np.argmin(cylinder_overlaps(shape, mesh, arc)))
            low, high = float(t[max(best - 1, 0), 0]), float(t[min(best + 1, 32), 0])
        directions.append(arc[best][None])
    n = np.concatenate(directions)
    depths = cylinder_overlaps(shape, mesh, n)
    return float(depths.min()), n[int(np.argmin(depths))]


def nearest_gap(points, mesh):
    """From the nearest place of the mesh to that of a point or a segment outside it."""
    start, way = points[0], points[-1] - points[0]
    best = None
    for a, b, c in mesh.vertices[mesh.triangles]:
        # The distance is convex along the segment: halving by its slope.
        low, high = 0.0, 1.0
        for _ in range(60 if way.any() else 1):
            third = (high - low) / 3.0
            one, two = low + third, high - third
            near = [np.linalg.norm(start + t * way - closest(start + t * way, a, b, c)) for t in (one, two)]
            low, high = (low, two) if near[0] <= near[1] else (one, high)
        for t in (0.0, 1.0, 0.5 * (low + high)):
            p = start + t * way
            gap = p - closest(p, a, b, c)
            if best is None or gap @ gap < best @ best:
                best = gap
    return best


def closest(p, a, b, c):
    """The place of a triangle nearest to p: the foot on its plane if inside, else the nearest on its edges."""
    n = np.cross(b - a, c - a)
    foot = p - ((p - a) @ n) / (n @ n) * n
    if all(np.cross(t - s, foot - s) @ n >= 0.0 for s, t in ((a, b), (b, c), (c, a))):
        return foot
    spots = []
    for s, t in ((a, b), (b, c), (c, a)):
        k = np.clip((p - s) @ (t - s) / ((t - s) @ (t - s)), 0.0, 1.0)
        spots.append(s + k * (t - s))
    return min(spots, key=lambda q: (p - q) @ (p - q))
