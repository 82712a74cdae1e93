"""Chains of any length, for what no scene file is long enough."""

from __future__ import annotations

from opendynamics.io.bench_scene import BallItem, BenchScene, BodyItem

LINK = 0.25


def chain(links: int) -> BenchScene:
    """A level chain of balls 0.25 m apart without geoms, its first end held, as in the scenes chain10 to chain1000."""
    bodies = [BodyItem("nogeom", ((k + 0.5) * LINK, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), 1.0, (0.1,)) for k in range(links)]
    joints = [BallItem(k, k - 1, (k * LINK, 0.0, 0.0)) for k in range(links)]
    return BenchScene(name=f"chain{links}", bodies=bodies, joints=joints)
