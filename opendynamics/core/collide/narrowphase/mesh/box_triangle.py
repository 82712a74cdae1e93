"""Box and triangle.

Overlaps are those of the separating axis test of a box and a triangle (Akenine-Moeller, Fast 3D Triangle-Box Overlap
Testing, 2001), taken in the box's frame: the triangle's normal, the box's, and the cross products of edges.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.mat3 import times, transposed_times
from opendynamics.core.algebra.minmax import larger, smaller
from opendynamics.core.algebra.vec3 import cross, dot, get3, magnitudes, scale, subtract
from opendynamics.core.bodies.triangles import MESH, is_peak, may_be_peak, ridge_at
from opendynamics.core.bodies.triangles.grid import beyond_edge, grid_at
from opendynamics.core.bodies.triangles.mesh import ALONG, mesh_at
from opendynamics.core.bodies.triangles.mesh import ridge_at as mesh_ridge_at
from opendynamics.core.collide.narrowphase.convex.gauss_arc import BETTER, min_overlap_of_box_on_arc
from opendynamics.core.collide.narrowphase.placed_shape import local_corners
from opendynamics.core.kernels import kernel


@kernel
def box_mtv(body, surface, key, corners, across, normal, beyond):
    """Depth and direction of the minimum translation out of a triangle; a depth below zero: none.

    The triangle may still be apart from the box, see `own_is_apart` of `convex_triangle.py`. With `beyond`, it need not be
    touched, only be in the way of the translation.
    """
    r, half = body.rotation, scale(0.5, get3(body.shape.size))
    n, (p, q, s) = transposed_times(r, normal), local_corners(body, corners)
    level, extent = dot(n, p), dot(magnitudes(n), half)
    if level + extent < 0.0 or (level - extent > 0.0 and not beyond):
        return -1.0, normal
    best = (level + extent, normal)
    for axis in range(3):
        depth, outward, corner = _on_side(
            best[0], r, corners, across, (p[axis], q[axis], s[axis]), half[axis], axis, n[axis]
        )
        if depth * BETTER < best[0] and is_peak(surface, key, corner, outward):
            best = depth, outward
    for k in range(3):
        ridge, m = ridge_at(surface, key, corners, across, k, normal)
        if ridge:
            start = p if k == 0 else (q if k == 1 else s)
            overlap, outward = min_overlap_of_box_on_arc(best[0], half, start, n, transposed_times(r, m))
            if overlap < best[0]:
                best = overlap, times(r, outward)
    return best


@kernel
def box_mtv_bound(body, surface, key, corners, across, normal, beyond):
    """A lower bound of the penetration that `box_mtv` finds: that of the box's normals, without testing peaks."""
    r, half = body.rotation, scale(0.5, get3(body.shape.size))
    n, (p, q, s) = transposed_times(r, normal), local_corners(body, corners)
    level, extent = dot(n, p), dot(magnitudes(n), half)
    if level + extent < 0.0 or (level - extent > 0.0 and not beyond):
        return -1.0
    least = level + extent
    for axis in range(3):
        along = p[axis], q[axis], s[axis]
        least = min(least, _on_side(least, r, corners, across, along, half[axis], axis, n[axis])[0])
    for k in range(3):
        ridge, m = ridge_at(surface, key, corners, across, k, normal)
        if ridge:
            start = p if k == 0 else (q if k == 1 else s)
            least = min(least, min_overlap_of_box_on_arc(least, half, start, n, transposed_times(r, m))[0])
    return least


@kernel
def _on_side(least, r, corners, across, along, half, axis, facing):
    """The overlap along the box's face normal that faces the triangle, that normal, and which corner is the highest.

    Infinity unless it is below `least` and the corner may be a peak. `along`: the corners on the axis.
    """
    sign = 1.0 if facing > 0.0 else -1.0
    top = max(sign * along[0], max(sign * along[1], sign * along[2]))
    corner = 0 if sign * along[0] == top else (1 if sign * along[1] == top else 2)
    depth = half + top
    outward = (sign * r[axis], sign * r[axis + 3], sign * r[axis + 6])
    if facing == 0.0 or depth < 0.0 or depth >= least or not may_be_peak(corners, across, corner, outward):
        return inf, outward, corner
    return depth, outward, corner


@kernel
def box_mtv_local(body, surface, key, local, n):
    """`box_mtv` in the box's frame, in which the corners `local` and the normal n are."""
    lengths = get3(body.shape.size)
    half = scale(0.5, lengths)
    level, extent = dot(n, local[0]), dot(magnitudes(n), half)
    if level + extent < 0.0 or level - extent > 0.0 or edges_separate(local, lengths):
        return -1.0, n
    best = level + extent, n
    for axis in range(3):
        along = local[0][axis], local[1][axis], local[2][axis]
        sign = 1.0 if n[axis] > 0.0 else -1.0
        top = max(sign * along[0], max(sign * along[1], sign * along[2]))
        overlap = half[axis] + top
        if n[axis] != 0.0 and overlap >= 0.0 and overlap * BETTER < best[0]:
            corner = 0 if sign * along[0] == top else (1 if sign * along[1] == top else 2)
            r = body.rotation
            if is_peak(surface, key, corner, (sign * r[axis], sign * r[axis + 3], sign * r[axis + 6])):
                best = overlap, (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    for k in range(3):
        ridge, m = _ridge(body, surface, key, k, local, n)
        if ridge:
            overlap, direction = min_overlap_of_box_on_arc(best[0], half, local[k], n, m)
            if overlap < best[0]:
                best = overlap, direction
    return best


@kernel
def _ridge(body, surface, key, k, local, n):
    """As `triangles.ridge_at`, in the box's frame; the returned direction may have any length."""
    start, end = local[k], local[k + 1 if k < 2 else 0]
    if surface.kind == MESH:
        ridge, is_open, other = mesh_ridge_at(mesh_at(surface.data), key, k)
        return ridge, cross(subtract(end, start), n) if ridge and is_open else transposed_times(body.rotation, other)
    found, place = beyond_edge(grid_at(surface.data), key, k)
    if not found:
        return True, cross(subtract(end, start), n)
    across = subtract(transposed_times(body.rotation, subtract(place, body.position)), start)
    if dot(n, across) >= -ALONG * (abs(across[0]) + abs(across[1]) + abs(across[2])):
        return False, n
    return True, cross(across, subtract(end, start))


@kernel
def box_face(size, n):
    """(c, u, v) of the face most antiparallel to n: its points are c + s u + t v with s and t in [-1, 1]."""
    half = scale(0.5, size)
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    if x >= y and x >= z:
        out = 1.0 if n[0] <= 0.0 else -1.0
        return (out * half[0], 0.0, 0.0), (0.0, out * half[1], 0.0), (0.0, 0.0, half[2])
    if y >= z:
        out = 1.0 if n[1] <= 0.0 else -1.0
        return (0.0, out * half[1], 0.0), (0.0, 0.0, out * half[2]), (half[0], 0.0, 0.0)
    out = 1.0 if n[2] <= 0.0 else -1.0
    return (0.0, 0.0, out * half[2]), (out * half[0], 0.0, 0.0), (0.0, half[1], 0.0)


@kernel
def edges_separate(local, size):
    """Whether a direction perpendicular to an edge of the triangle and one of the box separates them."""
    half, (p, q, s) = scale(0.5, size), local
    return larger(edge_gap(p, q, s, half), larger(edge_gap(q, s, p, half), edge_gap(s, p, q, half))) > 0.0


@kernel
def edge_gap(start, end, third, half):
    """The widest gap between both along the cross products of an edge and the axes; below zero: none. Without branches."""
    x, y, z = subtract(end, start)
    u = _gap(z * start[1] - y * start[2], z * third[1] - y * third[2], half[1] * abs(z) + half[2] * abs(y))
    v = _gap(x * start[2] - z * start[0], x * third[2] - z * third[0], half[0] * abs(z) + half[2] * abs(x))
    return larger(
        larger(u, v),
        _gap(y * start[0] - x * start[1], y * third[0] - x * third[1], half[0] * abs(y) + half[1] * abs(x)),
    )


@kernel
def _gap(here, there, extent):
    return larger(smaller(here, there) - extent, -extent - larger(here, there))
