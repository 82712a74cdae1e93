"""Contact filter: which geoms may collide at all, by the bits that users set and the bodies that carry them."""

from __future__ import annotations

from opendynamics.core.kernels import kernel


@kernel
def bits_match(a, b):
    """Whether the category of one shares a bit with the collide bits of the other."""
    return a.category & b.collide != 0 or b.category & a.collide != 0


@kernel
def may_collide(a, b):
    """Whether two records are not of the same body, and their bits match."""
    return (a.owner != b.owner or a.owner == 0) and bits_match(a, b)
