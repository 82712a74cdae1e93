"""Stacks: how far they creep with each solver."""

from __future__ import annotations

from benchmarks.peers import mujoco_peer
from benchmarks.peers.libode import LibOde
from benchmarks.peers.solids import Solids, creep, ode_creep, pyramid, tower
from benchmarks.validation import Row, at_most, settings

TITLE = "Stacks"
TEXT = """
Cubes of 0.2 m at steps of 10 ms: how far a cube moves in a minute, after a second of settling. "soft" holds all these
stacks, with more sub-steps for higher and more slender ones; the pyramid of base 50 takes 28, which cost a quarter of
the time of 20 iterations. "auto", and "pgs" for islands nearly at rest, solve towers exactly and pyramids by the soft
step. ODE: `dWorldQuickStep` with 20 iterations; its motion in 5 s is multiplied by 12. MuJoCo: elliptic cones,
implicitfast; its contacts are soft by design.
"""
SCENES: dict[str, Solids] = {
    "tower of 10": tower(10),
    "100 : 1 on five boxes": tower(6, top=100.0),
    "tower of 50": tower(50),
    "pyramid of base 20": pyramid(20),
    "pyramid of base 50": pyramid(50),
}
ODE_SCENES = ("tower of 10", "100 : 1 on five boxes", "tower of 50")
SOLVERS = ("soft", "auto", "pgs")


def measure() -> list[Row]:
    """Every scene."""
    rows = []
    for name, scene in SCENES.items():
        theirs = 1e3 * ode_creep(scene, LibOde(), 5.0) if LibOde.available() and name in ODE_SCENES else None
        mujocos = 1e3 * mujoco_peer.creep(scene, 5.0) if mujoco_peer.available() and name in ODE_SCENES else None
        for solver in SOLVERS:
            found = 1e3 * creep(scene, settings.part * 60.0, solver=solver)
            rows.append(at_most(f"{name}, {solver}: mm per minute", found, 1.0, theirs, mujocos))
    return rows
