"""The members of one space against those of another, or against one geom."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.spaces.space import NearCallback, Space
from opendynamics.api.spaces.staging import Stage, best_broadphase, may_meet, pass_box_tests, record_of
from opendynamics.api.suggestions import explain_function


@explain_function
def collide2(a: Geom | Space, b: Geom | Space, callback: NearCallback) -> None:
    """Call `callback` for pairs of a member of `a` and a member of `b` that may touch, in this order.

    A geom counts as a space that contains only itself. Of two spaces both are opened if their sublevels are equal; otherwise
    only the one with the larger sublevel is opened, and its members are paired with the other space as a whole. The same
    space twice is equivalent to `space.collide`.
    """
    for member in (a, b):
        require_member(member)
    if isinstance(a, Geom) and isinstance(b, Geom):
        if may_meet(record_of(a), record_of(b)) and pass_box_tests(a, b):
            callback(a, b)
    elif isinstance(a, Space) and isinstance(b, Geom):
        _against(a, b, callback)
    elif isinstance(a, Geom) and isinstance(b, Space):
        _against(b, a, lambda member, geom: callback(geom, member))
    elif isinstance(a, Space) and isinstance(b, Space):
        _two_spaces(a, b, callback)


def _two_spaces(a: Space, b: Space, callback: NearCallback) -> None:
    if a is b:
        a.collide(callback)
    elif a.sublevel > b.sublevel:
        _against(a, b, callback)
    elif a.sublevel < b.sublevel:
        _against(b, a, lambda member, space: callback(space, member))
    else:
        _both_opened(a, b, callback)


def _both_opened(a: Space, b: Space, callback: NearCallback) -> None:
    """Every member of `a` with every member of `b`: the pairs of the union that are not within one of the two.

    Spaces like ODE: for each member of the smaller space, or of `b`, all members of the other.
    """
    smaller, larger = (a, b) if len(a) < len(b) else (b, a)
    if len(smaller):
        larger.clean()
    in_order = {smaller: tuple(smaller._chained()), larger: tuple(larger)}
    stage = Stage((*in_order[a], *in_order[b]))
    members, first = stage.members, len(a)
    pairs = stage.pairs(best_broadphase(len(members)))
    mixed = pairs[(pairs[:, 0] < first) & (pairs[:, 1] >= first)]
    if smaller is b and b._like == "ode":
        mixed = mixed[np.argsort(mixed[:, 1], kind="stable")]
    a._colliding += 1
    b._colliding += 1
    try:
        for one, other in mixed.tolist():
            callback(members[one], members[other])
    finally:
        a._colliding -= 1
        b._colliding -= 1


def require_member(member: Any) -> None:
    """Raise unless `member` is an existing geom or space."""
    if isinstance(member, Space):
        member._require_alive()
    elif not isinstance(member, Geom):
        raise TypeError(f"collide2 takes geoms and spaces, not {member!r}")


def _against(space: Space, other: Geom | Space, callback: NearCallback) -> None:
    """Pairs of a member of `space` and `other` that may touch."""
    space._colliding += 1
    try:
        for member in space._meeting(other):
            callback(member, other)
    finally:
        space._colliding -= 1
