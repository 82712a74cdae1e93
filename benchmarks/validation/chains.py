"""Chains under tension: joint errors and energy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most
from opendynamics import c_api

TITLE = "Taut chains"
TEXT = """
Links of 0.1 m and 1 kg on ball joints are released from the horizontal and swing for 5 s at steps of 10 ms: 20 links,
the last of 100 kg, and 50 equal ones. Joint rows are linearised within a step, and the force of a joint keeps its
direction while its link turns: a taut chain vibrates like a string of beads, with w² = 4 T/(m l), and a step h is
stable only up to h w = 2. The heavy chain has h w = 2.0 when it hangs still, and 3.4 at the lowest point of its
swing. The remedy is smaller steps: `world.substeps = 4`, here with `world.integrator = "verlet"`, whose joints are
stiffer. The figures are the largest distance between the two anchors of a joint, and the largest gain of energy
relative to the potential energy released by the swing. The plot shows the energy of the heavy chain; it loses energy
where it whips around faster than the steps can resolve.
"""
LINK, SECONDS, H, G = 0.1, 5.0, 0.01, 9.81
CHAINS = {"20 links, 100 : 1": (20, 100.0), "50 equal links": (50, 1.0)}

Array = npt.NDArray[np.float64]


def swing(ode: Any, links: int, tip: float, **settings: Any) -> tuple[float, Array]:
    """Largest distance of anchors, m, and total energy after each step, J; `ode` is the C names or libode."""
    world = ode.dWorldCreate()
    ode.dWorldSetGravity(world, 0.0, 0.0, -G)
    for name, value in settings.items():
        setattr(world, name, value)
    bodies, joints, masses = [], [], []
    for k in range(links):
        body, mass = ode.dBodyCreate(world), ode.dMass()
        if k < links - 1:
            ode.dMassSetBoxTotal(mass, 1.0, LINK, 0.02, 0.02)
        else:
            ode.dMassSetSphereTotal(mass, tip, 0.1)
        ode.dBodySetMass(body, mass)
        ode.dBodySetPosition(body, LINK * (k + 0.5), 0.0, 0.0)
        joint = ode.dJointCreateBall(world, None)
        ode.dJointAttach(joint, body, bodies[-1] if bodies else None)
        ode.dJointSetBallAnchor(joint, LINK * k, 0.0, 0.0)
        bodies.append(body)
        joints.append(joint)
        masses.append((mass.mass, np.array(mass.I).reshape(3, 4)[:, :3]))
    gap, energies = 0.0, []
    for _ in range(round(SECONDS / H)):
        if ode is c_api:
            world.advance(H)
        else:
            ode.dWorldStep(world, H)
        apart = (ode.dJointGetBallAnchor(joint) - ode.dJointGetBallAnchor2(joint) for joint in joints)
        gap = max(gap, *(float(np.linalg.norm(distance[:3])) for distance in apart))
        energies.append(sum(energy_of(ode, body, *mass) for body, mass in zip(bodies, masses, strict=True)))
    ode.dWorldDestroy(world)
    return gap, np.array(energies)


def energy_of(ode: Any, body: Any, mass: float, inertia: Array) -> float:
    """Kinetic and potential energy of a body, J; 0 where the chains begin."""
    v, w = np.array(ode.dBodyGetLinearVel(body)[:3]), np.array(ode.dBodyGetAngularVel(body)[:3])
    local = ode.dBodyGetRotation(body).reshape(3, 4)[:, :3].T @ w
    return float(0.5 * mass * v @ v + 0.5 * local @ inertia @ local + mass * G * ode.dBodyGetPosition(body)[2])


def measure() -> list[Row]:
    """Gaps and gains."""
    rows = []
    for name, (links, tip) in CHAINS.items():
        ode = swing(LibOde(), links, tip) if LibOde.available() else None
        released = G * LINK * sum((k + 0.5) * (1.0 if k < links - 1 else tip) for k in range(links))
        for solver, settings in (
            ("exact", {"substeps": 4, "integrator": "verlet"}),
            ("pgs", {"substeps": 8, "integrator": "verlet", "quickstep_order": "blocks"}),
        ):
            gap, energies = swing(c_api, links, tip, solver=solver, **settings)
            what = f"{name}, {solver}, {settings['substeps']} sub-steps"
            rows.append(at_most(f"{what}: largest joint error, m", gap, 0.005, ode[0] if ode else None))
            gain = float(max(energies.max(), 0.0)) / released
            of_ode = float(max(ode[1].max(), 0.0)) / released if ode else None
            rows.append(at_most(f"{what}: gain of energy", gain, 1e-3, of_ode))
    return rows


def plot(path: Path) -> None:
    """The energy of the heavy chain over time."""
    from matplotlib.figure import Figure

    figure, times = Figure(figsize=(8.0, 3.2), layout="constrained"), H * np.arange(1, round(SECONDS / H) + 1)
    axes = figure.subplots()
    links, tip = CHAINS["20 links, 100 : 1"]
    for name, settings in (
        ("euler", {}),
        ("euler, 4 sub-steps", {"substeps": 4}),
        ("verlet, 4 sub-steps", {"substeps": 4, "integrator": "verlet"}),
        ("verlet, 16 sub-steps", {"substeps": 16, "integrator": "verlet"}),
    ):
        axes.plot(times, swing(c_api, links, tip, **settings)[1], label=name)
    axes.set(xlabel="time, s", ylabel="energy, J", ylim=(-2500.0, 200.0))
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
