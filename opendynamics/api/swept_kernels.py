"""Kernels for fast bodies and for contacts before geoms touch, which few worlds need: loaded when one does."""

from __future__ import annotations

from functools import cache

from opendynamics.core.collide.speculative import NEAR
from opendynamics.core.compile.loading import address_of
from opendynamics.core.update.sweeps import SWEEP


@cache
def sweep_address() -> int:
    """Address of what stops fast bodies at their first impact."""
    from opendynamics.core.update.sweeps.stop import sweep_bodies

    return address_of(sweep_bodies, SWEEP)


@cache
def near_addresses() -> tuple[int, int]:
    """Addresses of what finds near pairs, and of what adds their contacts."""
    from opendynamics.core.collide.speculative.near_contacts import add_near_contacts
    from opendynamics.core.collide.speculative.near_pairs import find_near_pairs

    return address_of(find_near_pairs, NEAR), address_of(add_near_contacts, NEAR)
