"""Benchmark scenes in PyBullet, with its defaults: sequential impulses, 50 iterations a step.

Its joints between free bodies are balls alone; scenes with hinges or universal joints would have to be trees of links, and are
left out. Each step is a call from Python, some microseconds.
"""

from __future__ import annotations

import importlib.util
import itertools
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opendynamics.io.bench_scene import BallItem, BenchScene, BodyItem, Plane, Terrain

Array = NDArray[np.float64]

STRONG = 1e9  # N, what a ball joint can hold; by default it yields at 50


class PybulletPeer:
    """A benchmark scene in PyBullet; ``space`` is accepted and left to the engine."""

    name = "PyBullet"
    steppers: tuple[str, ...] = ("default",)
    warm_up_steps = 1

    @classmethod
    def available(cls) -> tuple[bool, str]:
        """Whether it is installed, and the version of its interface."""
        if importlib.util.find_spec("pybullet") is None:
            return False, "pybullet is not installed (pip install pybullet)"
        import pybullet

        return True, f"PyBullet, interface {pybullet.getAPIVersion()}"

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None:
        import pybullet

        if not all(isinstance(joint, BallItem) for joint in scene.joints):
            raise ValueError("free bodies have no hinges or universal joints")
        self._bullet: Any = pybullet
        self._client = pybullet.connect(pybullet.DIRECT)
        self._call("setGravity", *scene.gravity)
        self._call("setTimeStep", scene.timestep)
        for plane in scene.planes:
            self._add_plane(plane, scene.friction)
        for terrain in scene.terrains:
            self._add_terrain(terrain, scene.friction)
        self._bodies = [self._add_body(item, scene.friction) for item in scene.bodies]
        for joint in scene.joints:
            self._add_ball(scene, joint)

    def run(self, steps: int, stepper: str = "default") -> float:
        """Advance by ``steps`` steps of the scene's timestep; the seconds that took."""
        step, client = self._bullet.stepSimulation, self._client
        start = time.perf_counter()
        for _ in range(steps):
            step(client)
        return time.perf_counter() - start

    def positions(self) -> Array:
        """The bodies' positions, shape (n, 3), m."""
        return self.state()[:, :3]

    def state(self) -> Array:
        """Position, quaternion (w, x, y, z), velocity and spin of every body, shape (n, 13), SI."""
        rows = []
        for body in self._bodies:
            place, (x, y, z, w) = self._call("getBasePositionAndOrientation", body)
            rows.append((*place, w, x, y, z, *itertools.chain(*self._call("getBaseVelocity", body))))
        return np.array(rows, dtype=np.float64).reshape(-1, 13)

    def set_state(self, state: Array) -> None:
        """Put every body into ``state``, as another engine's :meth:`state` gave it."""
        for body, row in zip(self._bodies, state.tolist(), strict=True):
            self._call("resetBasePositionAndOrientation", body, row[:3], _xyzw(row[3:7]))
            self._call("resetBaseVelocity", body, row[7:10], row[10:13])

    def close(self) -> None:
        """Leave the server of this world."""
        self._bullet.disconnect(self._client)

    def _call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        return getattr(self._bullet, name)(*arguments, **keywords, physicsClientId=self._client)

    def _add(self, mass: float, shape: int, place: Any, quaternion: Any, friction: float) -> int:
        body: int = self._call("createMultiBody", mass, shape, -1, place, _xyzw(quaternion))
        # A contact's friction is the product of both coefficients. No damping, no sleeping.
        self._call("changeDynamics", body, -1, lateralFriction=friction**0.5, linearDamping=0.0, angularDamping=0.0)
        self._call("changeDynamics", body, -1, activationState=self._bullet.ACTIVATION_STATE_DISABLE_SLEEPING)
        return body

    def _add_plane(self, plane: Plane, friction: float) -> None:
        shape = self._call("createCollisionShape", self._bullet.GEOM_PLANE, planeNormal=plane.normal)
        self._add(0.0, shape, tuple(np.multiply(plane.normal, plane.offset)), (1, 0, 0, 0), friction)

    def _add_terrain(self, terrain: Terrain, friction: float) -> None:
        if terrain.kind == "trimesh":
            corners, triangles = terrain.mesh()
            shape = self._call(
                "createCollisionShape",
                self._bullet.GEOM_MESH,
                vertices=corners,
                indices=list(itertools.chain(*triangles)),
                flags=self._bullet.GEOM_FORCE_CONCAVE_TRIMESH,
            )
            self._add(0.0, shape, (0, 0, 0), (1, 0, 0, 0), friction)
            return
        heights = np.array(terrain.heights())
        shape = self._call(
            "createCollisionShape",
            self._bullet.GEOM_HEIGHTFIELD,
            meshScale=(terrain.cell, terrain.cell, 1.0),
            heightfieldData=heights.ravel().tolist(),
            numHeightfieldRows=terrain.samples,
            numHeightfieldColumns=terrain.samples,
        )
        middle = 0.5 * (heights.min() + heights.max())  # where its origin is
        self._add(0.0, shape, (0, 0, middle), (1, 0, 0, 0), friction)

    def _add_body(self, item: BodyItem, friction: float) -> int:
        bullet = self._bullet
        if item.kind == "box":
            shape = self._call("createCollisionShape", bullet.GEOM_BOX, halfExtents=[0.5 * side for side in item.sizes])
        elif item.kind == "capsule":
            radius, length = item.sizes
            shape = self._call("createCollisionShape", bullet.GEOM_CAPSULE, radius=radius, height=length)
        else:
            shape = self._call("createCollisionShape", bullet.GEOM_SPHERE, radius=item.sizes[0])
        body = self._add(item.mass, shape, item.position, item.quaternion, friction)
        if item.kind == "nogeom":
            self._call("setCollisionFilterGroupMask", body, -1, 0, 0)
        return body

    def _add_ball(self, scene: BenchScene, joint: Any) -> None:
        child, parent = (joint.body1, joint.body2) if joint.body2 >= 0 else (joint.body2, joint.body1)
        if child >= 0:
            self._call("setCollisionFilterPair", self._bodies[child], self._bodies[parent], -1, -1, 0)
        pivots = [self._pivot(scene, parent, joint.anchor), self._pivot(scene, child, joint.anchor)]
        bodies = [self._bodies[parent], -1, -1 if child < 0 else self._bodies[child], -1]
        made = self._call("createConstraint", *bodies, self._bullet.JOINT_POINT2POINT, (0, 0, 0), *pivots)
        self._call("changeConstraint", made, maxForce=STRONG)

    def _pivot(self, scene: BenchScene, body: int, anchor: Any) -> Any:
        if body < 0:
            return anchor
        item = scene.bodies[body]
        place, turn = self._call("invertTransform", item.position, _xyzw(item.quaternion))
        return self._call("multiplyTransforms", place, turn, anchor, (0, 0, 0, 1))[0]


def _xyzw(quaternion: Any) -> tuple[float, float, float, float]:
    w, x, y, z = quaternion
    return x, y, z, w
