"""Minimum degree ordering of the bodies, and the fill-in of the factor.

Minimum degree on the graph of bodies that rows couple: the body with the fewest neighbours goes next, and its
neighbours become neighbours of each other. The neighbourhoods that elimination makes ("elements") are kept as lists,
not as edges; an element whose bodies all belong to a new one is absorbed by it. The list made when a body goes is its
column of the factor. (George & Liu 1989; Amestoy, Davis & Duff 1996, from whom the bound on degrees is.)
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector

# Vectors of one number a body that `minimum_degree` keeps.
BEGIN, ELEMENTS, NEIGHBOURS, DEGREE, NEXT, PREVIOUS, HEAD, MARK, LEFT, LEFT_MARK, PLACE = range(11)
VECTORS = 11


@kernel
def list_neighbours(bodies, blocks, block, slots, s, lists):
    """Neighbours of each body, each once, from the blocks of rows. Returns their number."""
    begin, count, mark = vector(s, bodies, BEGIN), vector(s, bodies, NEIGHBOURS), vector(s, bodies, MARK)
    for v in range(bodies):
        count[v] = 0
        mark[v] = -1
    for k in range(blocks):
        a, b = slots[2 * block[k]], slots[2 * block[k] + 1]
        if a >= 0 and b >= 0 and a != b:
            count[a] += 1
            count[b] += 1
    total = 0
    for v in range(bodies):
        begin[v] = total
        total += count[v]
        count[v] = 0
    for k in range(blocks):
        a, b = slots[2 * block[k]], slots[2 * block[k] + 1]
        if a >= 0 and b >= 0 and a != b:
            lists[begin[a] + count[a]] = b
            lists[begin[b] + count[b]] = a
            count[a] += 1
            count[b] += 1
    for v in range(bodies):
        kept = 0
        for at in range(begin[v], begin[v] + count[v]):
            if mark[lists[at]] != v:
                mark[lists[at]] = v
                lists[begin[v] + kept] = lists[at]
                kept += 1
        count[v] = kept
    return total


@kernel
def minimum_degree(bodies, s, lists, order, column, pattern):
    """Fill `order` with the bodies, and `pattern` with the columns of the factor, the k-th from column[k] on.

    Returns the length of `pattern`, or -1 if it has no room for all.
    """
    elements, neighbours = vector(s, bodies, ELEMENTS), vector(s, bodies, NEIGHBOURS)
    mark, left_mark, place = vector(s, bodies, MARK), vector(s, bodies, LEFT_MARK), vector(s, bodies, PLACE)
    degree, head = vector(s, bodies, DEGREE), vector(s, bodies, HEAD)
    for v in range(bodies):
        elements[v] = 0
        mark[v] = -1
        left_mark[v] = -1
        place[v] = -1
        head[v] = -1
    for v in range(bodies - 1, -1, -1):
        degree[v] = neighbours[v]
        _enter(v, bodies, s)
    size = 0
    lowest = 0
    for k in range(bodies):
        while head[lowest] < 0:
            lowest += 1
        p = head[lowest]
        _leave(p, bodies, s)
        column[k] = size
        order[k] = p
        mark[p] = k
        if size + degree[p] > len(pattern):
            return -1
        size = _collect(p, k, bodies, s, lists, column, pattern, size)
        place[p] = k
        lowest = min(lowest, _update(k, bodies, s, lists, column, pattern, size))
    column[bodies] = size
    return size


@kernel
def _enter(v, bodies, s):
    """Put a body into the list of its degree."""
    degree, following, previous = vector(s, bodies, DEGREE), vector(s, bodies, NEXT), vector(s, bodies, PREVIOUS)
    head = vector(s, bodies, HEAD)
    front = head[degree[v]]
    following[v] = front
    previous[v] = -1
    if front >= 0:
        previous[front] = v
    head[degree[v]] = v


@kernel
def _leave(v, bodies, s):
    degree, following, previous = vector(s, bodies, DEGREE), vector(s, bodies, NEXT), vector(s, bodies, PREVIOUS)
    if previous[v] >= 0:
        following[previous[v]] = following[v]
    else:
        vector(s, bodies, HEAD)[degree[v]] = following[v]
    if following[v] >= 0:
        previous[following[v]] = previous[v]


@kernel
def _collect(p, k, bodies, s, lists, column, pattern, size):
    """The bodies that p still meets, directly or through an element: the new element, and column k."""
    begin, elements, neighbours = vector(s, bodies, BEGIN), vector(s, bodies, ELEMENTS), vector(s, bodies, NEIGHBOURS)
    mark, place, left = vector(s, bodies, MARK), vector(s, bodies, PLACE), vector(s, bodies, LEFT)
    for at in range(begin[p], begin[p] + elements[p]):
        e = lists[at]  # an element goes by its column
        if left[e] >= 0:
            for other in range(column[e], column[e + 1]):
                v = pattern[other]
                if place[v] < 0 and mark[v] != k:
                    mark[v] = k
                    pattern[size] = v
                    size += 1
            left[e] = -1
    for at in range(begin[p] + elements[p], begin[p] + elements[p] + neighbours[p]):
        v = lists[at]
        if place[v] < 0 and mark[v] != k:
            mark[v] = k
            pattern[size] = v
            size += 1
    return size


@kernel
def _update(k, bodies, s, lists, column, pattern, size):
    """Lists and degrees of the bodies in the new element k. Returns the lowest degree among them."""
    begin, elements, neighbours = vector(s, bodies, BEGIN), vector(s, bodies, ELEMENTS), vector(s, bodies, NEIGHBOURS)
    mark, left, left_mark = vector(s, bodies, MARK), vector(s, bodies, LEFT), vector(s, bodies, LEFT_MARK)
    place, degree = vector(s, bodies, PLACE), vector(s, bodies, DEGREE)
    first = column[k]
    left[k] = size - first
    for at in range(first, size):  # of every other element: how many of its bodies are outside the new one
        v = pattern[at]
        for other in range(begin[v], begin[v] + elements[v]):
            e = lists[other]
            if left[e] >= 0:
                if left_mark[e] != k:
                    left_mark[e] = k
                    left[e] = column[e + 1] - column[e]
                left[e] -= 1
    lowest = bodies
    for at in range(first, size):
        v = pattern[at]
        _leave(v, bodies, s)
        outside = 0
        to = begin[v]
        from_, end = begin[v] + elements[v], begin[v] + elements[v] + neighbours[v]
        for other in range(begin[v], from_):
            e = lists[other]
            if left[e] > 0:
                outside += left[e]
                lists[to] = e
                to += 1
            elif left_mark[e] == k:
                left[e] = -1
        kept = to - begin[v]
        # The new element takes the place of p, or of an element that p was in.
        count = 0
        for other in range(from_, end):
            u = lists[other]
            if place[u] < 0 and mark[u] != k:
                lists[to + count] = u
                count += 1
        if count > 0:
            lists[to + count] = lists[to]
        lists[to] = k
        elements[v] = kept + 1
        neighbours[v] = count
        degree[v] = min(bodies - k - 2, size - first - 1 + outside + count)
        _enter(v, bodies, s)
        lowest = min(lowest, degree[v])
    return lowest


@kernel
def sort_columns(bodies, order, place, column, pattern, row, row_column, row_at, filled):
    """Columns in terms of places in the order, ascending; and for each row, which columns have it, and where.

    Row j is in columns row_column[t], at row_at[t] of the column, for t from row[j] to row[j + 1].
    """
    for k in range(bodies):
        place[order[k]] = k
    for k in range(bodies + 1):
        row[k] = 0
    for at in range(column[bodies]):
        pattern[at] = place[pattern[at]]
        row[pattern[at] + 1] += 1
    for k in range(bodies):
        row[k + 1] += row[k]
        filled[k] = 0
    for k in range(bodies):
        for at in range(column[k], column[k + 1]):
            j = pattern[at]
            row_column[row[j] + filled[j]] = k
            filled[j] += 1
    for k in range(bodies):
        filled[k] = 0
    for j in range(bodies):
        for t in range(row[j], row[j + 1]):
            k = row_column[t]
            row_at[t] = filled[k]
            pattern[column[k] + filled[k]] = j
            filled[k] += 1
