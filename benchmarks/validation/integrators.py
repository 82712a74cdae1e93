"""Order of convergence of a pendulum, a double pendulum and a heavy top."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most
from opendynamics import c_api, rotation

TITLE = "Order of the integrators"
TEXT = """
For a second each: a pendulum on a hinge, released at 1 rad; a double pendulum, released from the horizontal; and a heavy
top with three different moments of inertia that spins at 30 rad/s. The error is the largest deviation of a position, m,
every 50 ms, from the equations of motion in generalised coordinates, solved by the fourth-order Runge-Kutta method. The
order is the slope of log(error) over log(h) from 2.5 ms to 0.3 ms. `world.integrator = "verlet"`; ODE's step is
semi-implicit Euler.
"""
G = 9.81
SECONDS, EVERY = 1.0, 0.05
SIZES = (0.0025, 0.00125, 0.000625, 0.0003125)

Array = npt.NDArray[np.float64]
Rate = Callable[[Array], Array]


def runge_kutta(rate: Rate, state: Any, places: Callable[[Array], Array]) -> Array:
    """What `places` makes of the state, every EVERY seconds."""
    per, y, found = 500, np.array(state, float), []
    h = EVERY / per
    for _ in range(round(SECONDS / EVERY)):
        for _ in range(per):
            a = rate(y)
            b = rate(y + 0.5 * h * a)
            c = rate(y + 0.5 * h * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
        found.append(places(y))
    return np.array(found)


def simulated(build: Callable[[Any, Any], list[Any]], h: float, ode: Any, integrator: str = "euler") -> Array:
    """Positions of the bodies, every EVERY seconds; `ode` is the C names or libode."""
    world = ode.dWorldCreate()
    ode.dWorldSetGravity(world, 0.0, 0.0, -G)
    if ode is c_api:
        world.integrator = integrator
    bodies, found = build(ode, world), []
    for _ in range(round(SECONDS / EVERY)):
        for _ in range(round(EVERY / h)):
            ode.dWorldStep(world, h)
        found.append(np.concatenate([ode.dBodyGetPosition(body)[:3] for body in bodies]))
    ode.dWorldDestroy(world)
    return np.array(found)


def add_body(ode: Any, world: Any, mass: float, inertia: Any, place: Any) -> Any:
    """A body with principal moments of inertia along its axes."""
    body, record = ode.dBodyCreate(world), ode.dMass()
    ode.dMassSetParameters(record, mass, 0.0, 0.0, 0.0, *inertia, 0.0, 0.0, 0.0)
    ode.dBodySetMass(body, record)
    ode.dBodySetPosition(body, *place)
    return body


def add_hinge(ode: Any, world: Any, body: Any, other: Any, anchor: Any) -> None:
    joint = ode.dJointCreateHinge(world, None)
    ode.dJointAttach(joint, body, other)
    ode.dJointSetHingeAnchor(joint, *anchor)
    ode.dJointSetHingeAxis(joint, 0.0, 1.0, 0.0)


def down(angle: float) -> Array:
    return np.array([math.sin(angle), 0.0, -math.cos(angle)])


def pendulum(ode: Any, world: Any) -> list[Any]:
    """2 kg, 0.8 m below the hinge."""
    bob = add_body(ode, world, 2.0, (0.3, 0.1, 0.2), 0.8 * down(1.0))
    add_hinge(ode, world, bob, None, (0.0, 0.0, 0.0))
    return [bob]


def pendulum_in_theory() -> Array:
    inertia = 0.1 + 2.0 * 0.8**2
    return runge_kutta(
        lambda y: np.array([y[1], -2.0 * G * 0.8 * math.sin(y[0]) / inertia]), (1.0, 0.0), lambda y: 0.8 * down(y[0])
    )


def double_pendulum(ode: Any, world: Any) -> list[Any]:
    """Two links of 1 m and 1 kg, the second hanging from the end of the first, which is level."""
    one = add_body(ode, world, 1.0, (0.02, 0.02, 0.02), (0.5, 0.0, 0.0))
    two = add_body(ode, world, 1.0, (0.03, 0.01, 0.02), (1.0, 0.0, -0.5))
    add_hinge(ode, world, one, None, (0.0, 0.0, 0.0))
    add_hinge(ode, world, two, one, (1.0, 0.0, 0.0))
    return [one, two]


def double_pendulum_in_theory() -> Array:
    def rate(y: Array) -> Array:
        a, b, u, v = y
        cosine, sine = 0.5 * math.cos(a - b), 0.5 * math.sin(a - b)
        mass = np.array([[0.02 + 0.25 + 1.0, cosine], [cosine, 0.01 + 0.25]])
        pull = [-sine * v * v - 1.5 * G * math.sin(a), sine * u * u - 0.5 * G * math.sin(b)]
        return np.array([u, v, *np.linalg.solve(mass, pull)])

    return runge_kutta(
        rate,
        (0.5 * math.pi, 0.0, 0.0, 0.0),
        lambda y: np.concatenate([0.5 * down(y[0]), down(y[0]) + 0.5 * down(y[1])]),
    )


TOP = np.array([0.02, 0.03, 0.01])
TOP_ABOUT_TIP = np.array([0.11, 0.12, 0.01])
TILT = rotation.quaternion_from_axis_angle((0, 1, 0), 0.5)
SPIN = np.array([0.3, 0.0, 30.0])  # in its own frame


def top(ode: Any, world: Any) -> list[Any]:
    """1 kg, 0.3 m above the point that it turns about."""
    turn = rotation.matrix_from_quaternion(TILT)
    arm, spin = turn @ [0.0, 0.0, 0.3], turn @ SPIN
    body = add_body(ode, world, 1.0, TOP, arm)
    ode.dBodySetQuaternion(body, TILT)
    ode.dBodySetAngularVel(body, *spin)
    ode.dBodySetLinearVel(body, *np.cross(spin, arm))
    joint = ode.dJointCreateBall(world, None)
    ode.dJointAttach(joint, body, None)
    ode.dJointSetBallAnchor(joint, 0.0, 0.0, 0.0)
    return [body]


def top_in_theory() -> Array:
    inertia, arm = TOP_ABOUT_TIP, np.array([0.0, 0.0, 0.3])

    def rate(y: Array) -> Array:
        q, w = y[:4], y[4:]
        turn = rotation.matrix_from_quaternion(q / np.linalg.norm(q))
        torque = np.cross(arm, turn.T @ [0.0, 0.0, -G])
        dq = 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
        return np.concatenate([dq, (np.cross(inertia * w, w) + torque) / inertia])

    return runge_kutta(
        rate, (*TILT, *SPIN), lambda y: rotation.matrix_from_quaternion(y[:4] / np.linalg.norm(y[:4])) @ arm
    )


SCENES: dict[str, tuple[Any, Callable[[], Array]]] = {
    "pendulum": (pendulum, pendulum_in_theory),
    "double pendulum": (double_pendulum, double_pendulum_in_theory),
    "heavy top": (top, top_in_theory),
}


def errors(build: Any, exact: Array, ode: Any, integrator: str) -> Array:
    """The error at each of SIZES."""
    return np.array([abs(simulated(build, h, ode, integrator) - exact).max() for h in SIZES])


def slope(found: Array) -> float:
    return float(np.polyfit(np.log(SIZES), np.log(found), 1)[0])


def measure() -> list[Row]:
    """Slopes, and errors at the largest step."""
    rows = []
    ode = LibOde() if LibOde.available() else None
    for name, (build, theory) in SCENES.items():
        exact = theory()
        ours = errors(build, exact, c_api, "verlet")
        theirs = errors(build, exact, ode, "") if ode else None
        order = slope(ours)
        of_ode = slope(theirs) if theirs is not None else None
        rows.append(Row(f"{name}: order", order, "1.9 to 2.1", 1.9 <= order <= 2.1, of_ode))
        largest = float(theirs[0]) if theirs is not None else None
        rows.append(at_most(f"{name}: error at 2.5 ms, m", float(ours[0]), 1e-3, largest))
    return rows


def plot(path: Path) -> None:
    """Errors over step sizes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 3.4), layout="constrained")
    for axes, (name, (build, theory)) in zip(figure.subplots(1, len(SCENES)), SCENES.items(), strict=True):
        exact = theory()
        for integrator in ("euler", "energy-momentum", "verlet"):
            axes.loglog(SIZES, errors(build, exact, c_api, integrator), "o-", label=integrator)
        axes.set(title=name, xlabel="h, s", ylabel="error, m")
        axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
