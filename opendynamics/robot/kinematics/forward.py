"""Forward kinematics: poses, velocities and accelerations of all links from a State.

Spatial vectors (angular, linear) are in world axes about one reference point o, the origin of the root link, so that they can
be summed without transforms:

    v_i = sum_k moves[i, k] S_k qd_k,    a_i = sum_k moves[i, k] (S_k qdd_k + dS_k/dt qd_k),
    dS_k/dt = v x S_k for a joint;  for the rotation of a floating base whose origin moves with p': (0, p' x e).

Source: Featherstone, "Rigid Body Dynamics Algorithms", 2008, sections 2.2, 2.9 and 4.4. Classical velocity and
acceleration of a point at r from o: v + w x r and a + dw x r + w x (v + w x r).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from opendynamics.api.describing import count
from opendynamics.api.suggestions import explain_calls, explain_function
from opendynamics.robot.kinematics.link_poses import place_links
from opendynamics.robot.state import State, require_state

Array = npt.NDArray[np.float64]


_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross(a: Array, b: Array) -> Array:
    """Cross products of vectors (..., 3); for a few, NumPy's own takes ten times as long, and indexing by lists four times."""
    return np.asarray(a.take(_NEXT, -1) * b.take(_LAST, -1) - a.take(_LAST, -1) * b.take(_NEXT, -1))


def motion_cross(v: Array, m: Array) -> Array:
    """v x m of spatial motion vectors (angular, linear), shape (n, 6); Featherstone (2.31)."""
    angular = cross(v[:, :3], m[:, :3])
    linear = cross(v[:, :3], m[:, 3:]) + cross(v[:, 3:], m[:, :3])
    return np.concatenate([angular, linear], axis=1)


@explain_calls
class Kinematics:
    """Poses and motion of all links of a model in a state. Vectors are in world axes, and computed on first access.

    Attributes:
        positions: origins of the links, m, shape (l, 3).
        rotations: orientations of the links as matrices, shape (l, 3, 3).
        axes: axes of the joints, unit vectors, shape (n, 3).
        origin: the reference point o, m, shape (3,).
    """

    def __init__(self, state: State) -> None:
        require_state(state)
        self.model = state.model
        self._tree = state.model.tree
        self._velocity, self._acceleration = state.velocity, state.acceleration
        self.positions, self.rotations = self._place(state)
        self.axes = np.einsum("nij,nj->ni", self.rotations[self._tree.joint_links], self._tree.axes)
        self.origin: Array = self.positions[0].copy()

    def __repr__(self) -> str:
        return f"<Kinematics of {self.model.name!r}: {count(len(self.positions), 'link')}>"

    def _place(self, state: State) -> tuple[Array, Array]:
        tree = self._tree
        positions, rotations = np.empty((len(tree.parents), 3)), np.empty((len(tree.parents), 3, 3))
        place_links(
            *(tree.parents, tree.link_joints, tree.link_bases, tree.revolute, tree.axes),
            *(tree.translations, tree.rotations, state.q, state.base_positions, state.base_quaternions),
            *(positions, rotations),
        )
        return positions, rotations

    # -- motion ----------------------------------------------------------------------------------------------------

    @cached_property
    def subspace(self) -> Array:
        """Motion subspace S: the spatial velocity about o for one unit of each generalised velocity, (6 f + n, 6)."""
        tree = self._tree
        result = np.zeros((tree.freedom, 6))
        arms = self.positions - self.origin
        for row, base in enumerate(tree.bases[tree.floating_bases]):
            block = result[6 * row : 6 * row + 6]
            block[:3, 3:] = block[3:, :3] = np.eye(3)
            block[3:, 3:] = cross(arms[base], np.eye(3))
        joints = result[6 * tree.floating :]
        turning = tree.revolute
        joints[turning, :3] = self.axes[turning]
        joints[turning, 3:] = cross(arms[tree.joint_links[turning]], self.axes[turning])
        joints[~turning, 3:] = self.axes[~turning]
        return result

    @cached_property
    def spatial_velocities(self) -> Array:
        """Spatial velocities of the links, about o, shape (l, 6)."""
        return np.asarray(self._tree.moves @ (self.subspace * self._velocity[:, None]))

    @cached_property
    def bias_accelerations(self) -> Array:
        """Spatial accelerations of the links if all generalised accelerations are zero, shape (l, 6)."""
        tree, split = self._tree, 6 * self._tree.floating
        rates = np.zeros((tree.freedom, 6))
        for row in range(tree.floating):
            block = self._velocity[6 * row : 6 * row + 6]
            rates[6 * row + 3 : 6 * row + 6, 3:] = cross(block[:3], np.eye(3))
        rates[split:] = motion_cross(self.spatial_velocities[tree.joint_links], self.subspace[split:])
        return np.asarray(tree.moves @ (rates * self._velocity[:, None]))

    def spatial_accelerations(self, acceleration: Array) -> Array:
        """Spatial accelerations of the links, about o, for a generalised acceleration, shape (l, 6)."""
        return np.asarray(self.bias_accelerations + self._tree.moves @ (self.subspace * acceleration[:, None]))

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities of the links, rad/s, shape (l, 3)."""
        return self.spatial_velocities[:, :3]

    @cached_property
    def linear_velocities(self) -> Array:
        """Velocities of the links' origins, m/s, shape (l, 3)."""
        v = self.spatial_velocities
        return np.asarray(v[:, 3:] + cross(v[:, :3], self.positions - self.origin))

    @cached_property
    def angular_accelerations(self) -> Array:
        """Angular accelerations of the links, rad/s², shape (l, 3)."""
        return self.spatial_accelerations(self._acceleration)[:, :3]

    @cached_property
    def linear_accelerations(self) -> Array:
        """Accelerations of the links' origins, m/s², shape (l, 3)."""
        a = self.spatial_accelerations(self._acceleration)
        arms = self.positions - self.origin
        centripetal = cross(self.angular_velocities, self.linear_velocities)
        return np.asarray(a[:, 3:] + cross(a[:, :3], arms) + centripetal)

    # -- masses ----------------------------------------------------------------------------------------------------

    @cached_property
    def centers_of_mass(self) -> Array:
        """Centres of mass of the links, in the world frame, m, shape (l, 3)."""
        return np.asarray(self.positions + np.einsum("lij,lj->li", self.rotations, self._tree.centers))

    @cached_property
    def inertias(self) -> Array:
        """Inertias of the links about their centres of mass in world axes, kg m², shape (l, 3, 3)."""
        return np.asarray(self.rotations @ self._tree.inertias @ self.rotations.transpose(0, 2, 1))

    def point(self, link: str | int, point: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """World position of a point of a link's frame, m, shape (3,)."""
        k = self.model.link(link).index
        return np.asarray(self.positions[k] + self.rotations[k] @ np.asarray(point, np.float64))


@explain_function
def forward_kinematics(state: State) -> Kinematics:
    """Poses of all links of a state; velocities and accelerations are computed on first access."""
    return Kinematics(state)


@explain_function
def center_of_mass(state: State) -> Array:
    """Centre of mass of the whole model in the world frame, m, shape (3,); ValueError if it has no mass."""
    kinematics = Kinematics(state)
    masses = state.model.tree.masses
    total = masses.sum()
    if not total > 0.0:
        raise ValueError(f"{state.model.name} has no mass, and so no centre of mass")
    return np.asarray(masses @ kinematics.centers_of_mass / total)
