"""Bodies and links of large islands in the order of memory, for solvers that colour them.

The walk over an island's links leads to and fro in the tables. Where an island is larger than the processor's caches, every
later pass over it would wait for memory. Solvers that have an order of their own (`solves_impacts` of the choices) take its
links as they stand in the tables: then passes run through contacts, poses, forces and the contact cache from the beginning to
the end. Contacts of the newest geoms come first, so that passes lead down what was built from the ground up; in the other
direction pyramids crept ten times as fast.

Reads and writes the runs of islands in ISLAND_BODIES and ISLAND_LINKS, and SLOTS.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, ISLANDS, SLOTS
from opendynamics.core.arrays.report import CHOICES, INTEGERS
from opendynamics.core.kernels import kernel

# Links from which on an island is put in order: the tables of smaller ones fit into the caches.
LARGE = 256

# Digits of the radix sort.
BITS = 11
DIGITS = 1 << BITS


@kernel
def put_in_memory_order(tables):
    """Order all large islands, if a solver of this step has no order that it asks for. False: no room."""
    if not _is_wanted(tables):
        return True
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if island.links < LARGE:
            continue
        if not INTEGERS.has_room(tables, DIGITS + max(island.links, island.bodies)):
            return False
        _sort(ISLAND_LINKS.rows(tables), island.first_link, island.links, INTEGERS.rows(tables))
        _sort(ISLAND_BODIES.rows(tables), island.first_body, island.bodies, INTEGERS.rows(tables))
        for slot in range(island.bodies):
            SLOTS.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body + slot]] = slot
    return True


@kernel
def _is_wanted(tables):
    wanted = False
    for k in range(CHOICES.used(tables)):
        wanted |= CHOICES.rows(tables)[k].solves_impacts != 0
    return wanted


@kernel
def _sort(numbers, first, count, memory):
    """Sort `count` numbers, none negative, from `first` on: by counting their digits, the lowest first."""
    low, high = numbers[first], numbers[first]
    for k in range(first, first + count):
        low, high = min(low, numbers[k]), max(high, numbers[k])
    shift = 0
    while (high - low) >> shift > 0:
        for k in range(DIGITS):
            memory[k] = 0
        for k in range(first, first + count):
            memory[((numbers[k] - low) >> shift) & (DIGITS - 1)] += 1
        place = 0
        for k in range(DIGITS):
            place, memory[k] = place + memory[k], place
        for k in range(first, first + count):
            digit = ((numbers[k] - low) >> shift) & (DIGITS - 1)
            memory[DIGITS + memory[digit]] = numbers[k]
            memory[digit] += 1
        for k in range(count):
            numbers[first + k] = memory[DIGITS + k]
        shift += BITS
