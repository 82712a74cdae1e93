"""Benchmark scenes in MuJoCo, as one writes them for it: trees of bodies with joints between parent and child.

Newton's method, pyramids for friction, implicitfast integration: MuJoCo's defaults but for the integrator, which its manual
recommends. Its contacts are soft by design, with its default stiffness. A mesh would be its convex hull: triangle meshes as
terrain are left out.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opendynamics import rotation
from opendynamics.io.bench_scene import BallItem, BenchScene, BodyItem, HingeItem, JointItem, Terrain

Array = NDArray[np.float64]

GROUND = 50.0  # m of solid ground below the lowest sample of a heightfield


class MujocoPeer:
    """A benchmark scene in MuJoCo; ``space`` is accepted and left to the engine."""

    name = "MuJoCo"
    steppers: tuple[str, ...] = ("default",)
    warm_up_steps = 1

    @classmethod
    def available(cls) -> tuple[bool, str]:
        """Whether it is installed, and its version."""
        if importlib.util.find_spec("mujoco") is None:
            return False, "mujoco is not installed (pip install mujoco)"
        return True, f"MuJoCo {importlib.metadata.version('mujoco')}"

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None:
        import mujoco

        if any(terrain.kind == "trimesh" for terrain in scene.terrains):
            raise ValueError("meshes are their convex hulls")
        self._mujoco: Any = mujoco
        model = mujoco.MjModel.from_xml_string(_model(scene))
        for terrain in scene.terrains:
            heights = np.array(terrain.heights())
            model.hfield_data[:] = ((heights - heights.min()) / np.ptp(heights)).ravel()
        self._model: Any = model
        self._data: Any = mujoco.MjData(model)
        self._free = not scene.joints
        names = [f"body {k}" for k in range(len(scene.bodies))]
        self._bodies = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) for name in names]

    def run(self, steps: int, stepper: str = "default") -> float:
        """Advance by ``steps`` steps of the scene's timestep in C; the seconds that took."""
        start = time.perf_counter()
        self._mujoco.mj_step(self._model, self._data, steps)
        seconds = time.perf_counter() - start
        self.contacts_per_step = int(self._data.ncon)
        return seconds

    def positions(self) -> Array:
        """The bodies' positions, shape (n, 3), m."""
        return np.array(self._data.xpos[self._bodies])

    def state(self) -> Array:
        """Position, quaternion (w, x, y, z), velocity and spin of every body, shape (n, 13), SI."""
        self._mujoco.mj_forward(self._model, self._data)
        found = np.zeros((len(self._bodies), 13))
        velocity = np.zeros(6)
        for row, body in zip(found, self._bodies, strict=True):
            kind = self._mujoco.mjtObj.mjOBJ_BODY
            self._mujoco.mj_objectVelocity(self._model, self._data, kind, body, velocity, 0)
            row[:] = *self._data.xpos[body], *self._data.xquat[body], *velocity[3:], *velocity[:3]
        return found

    def set_state(self, state: Array) -> None:
        """Put every body into ``state``; only where none has a joint."""
        if not self._free:
            raise ValueError("bodies with joints have coordinates of their own")
        qpos, qvel = self._data.qpos.reshape(-1, 7), self._data.qvel.reshape(-1, 6)
        for k, row in enumerate(state):
            turn = rotation.matrix_from_quaternion(row[3:7] / np.linalg.norm(row[3:7]))
            qpos[k] = row[:7]
            qvel[k] = *row[7:10], *(turn.T @ row[10:13])  # spins are in the body's frame

    def close(self) -> None:
        """Let go of the model."""
        del self._model, self._data


def _model(scene: BenchScene) -> str:
    """The scene in MuJoCo's language."""
    friction = f'friction="{scene.friction} 0 0"'
    parts = [
        f'<mujoco><option timestep="{scene.timestep}" gravity="{_words(scene.gravity)}" integrator="implicitfast"/>'
        '<size memory="1G"/>'
    ]
    for k, terrain in enumerate(scene.terrains):
        parts.append(f"<asset>{_heightfield(terrain, k)}</asset>")
    parts.append("<worldbody>")
    for plane in scene.planes:
        place = np.multiply(plane.normal, plane.offset)
        parts.append(
            f'<geom type="plane" size="0 0 1" pos="{_words(place)}" zaxis="{_words(plane.normal)}" {friction}/>'
        )
    for k, terrain in enumerate(scene.terrains):
        parts.append(f'<geom type="hfield" hfield="terrain {k}" pos="0 0 {np.min(terrain.heights())}" {friction}/>')
    parts += _trees(scene, friction)
    return "".join([*parts, "</worldbody></mujoco>"])


def _heightfield(terrain: Terrain, number: int) -> str:
    n, half = terrain.samples, 0.5 * (terrain.samples - 1) * terrain.cell
    return f'<hfield name="terrain {number}" nrow="{n}" ncol="{n}" size="{half} {half} {np.ptp(terrain.heights())} {GROUND}"/>'


def _trees(scene: BenchScene, friction: str) -> Iterator[str]:
    """Kinematic trees: the children of the world first, then every body that is free."""
    links: dict[int, list[tuple[int, JointItem]]] = {}
    for joint in scene.joints:
        for one, other in ((joint.body1, joint.body2), (joint.body2, joint.body1)):
            links.setdefault(one, []).append((other, joint))
    seen = {-1}

    def tree(body: int, parent: int, joint: JointItem | None) -> Iterator[str]:
        seen.add(body)
        item = scene.bodies[body]
        base, turn = _frame(scene, parent)
        place = turn.T @ np.subtract(item.position, base)
        q = rotation.quaternion_from_matrix(turn.T @ rotation.matrix_from_quaternion(item.quaternion))
        yield f'<body name="body {body}" pos="{_words(place)}" quat="{_words(q)}">'
        yield "<freejoint/>" if joint is None else "".join(_joints(joint, body, item))
        yield _solid(item, friction)
        for other, own in links.get(body, []):
            if other not in seen:
                yield from tree(other, body, own)
        yield "</body>"

    for body, joint in links.get(-1, []):
        yield from tree(body, -1, joint)
    for body in range(len(scene.bodies)):
        if body not in seen:
            yield from tree(body, -1, None)
    if len(scene.joints) > len(scene.bodies):
        raise ValueError("joints that close loops are left out")


def _frame(scene: BenchScene, body: int) -> tuple[Any, Array]:
    if body < 0:
        return (0.0, 0.0, 0.0), np.eye(3)
    item = scene.bodies[body]
    return item.position, rotation.matrix_from_quaternion(item.quaternion)


def _joints(joint: JointItem, body: int, item: BodyItem) -> Iterator[str]:
    """A joint in the frame of the child; angles of the scene are of body 1 in body 2's frame."""
    turn = rotation.matrix_from_quaternion(item.quaternion)
    place = _words(turn.T @ np.subtract(joint.anchor, item.position))
    if isinstance(joint, BallItem):
        yield f'<joint type="ball" pos="{place}"/>'
        return
    if isinstance(joint, HingeItem):
        axes = [(joint.axis, joint.low, joint.high)]
    else:
        axes = [(joint.axis1, joint.low1, joint.high1), (joint.axis2, joint.low2, joint.high2)]
    if body == joint.body2:
        axes = [(axis, -high, -low) for axis, low, high in axes]
    else:
        axes.reverse()  # the first turns with the parent
    for axis, low, high in axes:
        limits = f'limited="true" range="{math.degrees(low)} {math.degrees(high)}"' if math.isfinite(high - low) else ""
        yield f'<joint type="hinge" pos="{place}" axis="{_words(turn.T @ np.array(axis))}" {limits}/>'


def _solid(item: BodyItem, friction: str) -> str:
    if item.kind == "nogeom":
        inertia = 0.4 * item.mass * item.sizes[0] ** 2
        return f'<inertial pos="0 0 0" mass="{item.mass}" diaginertia="{inertia} {inertia} {inertia}"/>'
    size = {
        "sphere": lambda radius: (radius,),
        "box": lambda x, y, z: (0.5 * x, 0.5 * y, 0.5 * z),
        "capsule": lambda radius, length: (radius, 0.5 * length),
    }[item.kind](*item.sizes)
    return f'<geom type="{item.kind}" size="{_words(size)}" mass="{item.mass}" {friction}/>'


def _words(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)
