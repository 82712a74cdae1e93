"""Joints that are attached and not set, with C names: results of their getters, and the bodies after one step.

`python -m tests.faces.unset_joints` records ODE's figures with the installed libode, in double precision.
"""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics import c_api

DATA = Path(__file__).parents[1] / "data" / "unset_joints.json.gz"

KINDS = [
    "Ball",
    "Hinge",
    "Slider",
    "Universal",
    "Hinge2",
    "PR",
    "PU",
    "Piston",
    "AMotor",
    "LMotor",
    "Plane2D",
    "DBall",
    "Null",
]
ATTACHED = {"both": (0, 1), "first": (0, None), "second": (None, 0)}  # which bodies

PARAMETERS = [group + parameter for group in (0, 0x100, 0x200) for parameter in range(14)]


def cases() -> Iterator[tuple[str, str]]:
    """Kinds with the ways in which they can be attached."""
    for kind in KINDS:
        for how in {"Hinge2": ["both"], "Plane2D": ["first"]}.get(kind, list(ATTACHED)):
            yield kind, how


def attached(ode: Any, kind: str, how: str, null: Any = None) -> tuple[Any, list[Any], Any]:
    """World, two moving bodies and a joint that is attached to them or to one of them."""
    world = ode.dWorldCreate()
    ode.dWorldSetGravity(world, 0.3, -0.2, -9.81)
    bodies = []
    for k in range(2):
        body, mass = ode.dBodyCreate(world), ode.dMass()
        ode.dMassSetBox(mass, 100.0, 0.3 + 0.1 * k, 0.4, 0.5)
        ode.dBodySetMass(body, mass)
        ode.dBodySetPosition(body, 0.5 + k, -0.3 + 0.2 * k, 1.0 + 0.7 * k)
        q = np.array([1, 0.2 + 0.3 * k, -0.1, 0.4])
        ode.dBodySetQuaternion(body, q / np.linalg.norm(q))
        ode.dBodySetLinearVel(body, 0.1, 0.2 * k, -0.3)
        ode.dBodySetAngularVel(body, 0.5, -0.2, 0.3 * k)
        bodies.append(body)
    joint = getattr(ode, f"dJointCreate{kind}")(world, null)
    ode.dJointAttach(joint, *(null if which is None else bodies[which] for which in ATTACHED[how]))
    return world, bodies, joint


def returned(ode: Any, kind: str, joint: Any) -> dict[str, list[float]]:
    """The return values of the joint's getters."""
    found = {}
    for name in dir(c_api):
        suffix = name.removeprefix(f"dJointGet{kind}")
        if suffix == name or suffix.startswith("2") or suffix == "Angles":  # of another kind; returns by two pointers
            continue
        second = len(inspect.signature(getattr(c_api, name)).parameters) == 2
        for argument in (PARAMETERS if "Param" in name else range(3)) if second else [None]:
            given = () if argument is None else (argument,)
            found[f"{name} {argument}"] = np.atleast_1d(np.array(getattr(ode, name)(joint, *given), float)).tolist()
    return found


def after_a_step(ode: Any, world: Any, bodies: list[Any]) -> list[float]:
    """Positions, orientations and velocities of the bodies after a step of 10 ms."""
    ode.dWorldStep(world, 0.01)
    getters = ode.dBodyGetPosition, ode.dBodyGetQuaternion, ode.dBodyGetLinearVel, ode.dBodyGetAngularVel
    return [float(x) for body in bodies for get in getters for x in get(body)]


def recorded() -> dict[str, dict[str, Any]]:
    """ODE's figures, by kind and way of attaching."""
    figures: dict[str, dict[str, Any]] = json.loads(gzip.decompress(DATA.read_bytes()))
    return figures


def record() -> None:
    """Write them."""
    from benchmarks.peers.libode import LibOde

    ode, figures = LibOde(), {}
    for kind, how in cases():
        world, bodies, joint = attached(ode, kind, how, null=0)
        figures[f"{kind} {how}"] = {"returned": returned(ode, kind, joint), "step": after_a_step(ode, world, bodies)}
        ode.dWorldDestroy(world)
    DATA.write_bytes(gzip.compress(json.dumps(figures).encode(), mtime=0))


if __name__ == "__main__":
    record()
