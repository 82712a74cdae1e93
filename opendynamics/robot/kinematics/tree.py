"""Tree: the arrays of a model for kinematics and dynamics.

A base is the root or a link with a free joint: its pose is part of the state, not a function of its parent's. The generalised
velocity has six numbers for each floating base, then one for each joint; `moves[i, k]` is whether number k moves link i,
which replaces the recursions over the tree by matrix products (the support sets κ(i) and ν(i) of Featherstone, "Rigid Body
Dynamics Algorithms", 2008, section 4.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from opendynamics.api import rotation
from opendynamics.robot.link import Joint, Link

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


class Tree:
    """Arrays over links (l), joints (n), bases (b) and generalised velocities (6 f + n)."""

    def __init__(self, links: Sequence[Link], joints: Sequence[Joint]) -> None:
        parents = [-1 if k.joint.type == "free" else k.parent for k in links]
        self.parents: Indices = np.array(parents, np.int64)
        self.masses = np.array([k.mass for k in links])
        self.centers = np.array([k.center_of_mass for k in links])
        self.inertias = np.array([k.inertia for k in links])
        self.translations = np.array([k.translation for k in links])
        self.rotations = np.array([k.rotation for k in links])
        self._list_bases(links)
        self._list_joints(links, joints)
        self._list_moves()
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def _list_bases(self, links: Sequence[Link]) -> None:
        """Bases with their initial poses: those of free links in their parents, at zero displacements."""
        positions, turns = np.zeros((len(links), 3)), np.zeros((len(links), 3, 3))
        for k in links:
            above = np.eye(3) if k.parent < 0 else turns[k.parent]
            origin = np.zeros(3) if k.parent < 0 else positions[k.parent]
            turns[k.index] = above @ k.rotation
            positions[k.index] = origin + above @ k.translation
        self.bases: Indices = np.flatnonzero(self.parents < 0)
        self.base_positions = positions[self.bases]
        self.base_quaternions = np.array([rotation.quaternion_from_matrix(turns[k]) for k in self.bases])
        self.floating_bases: Indices = np.array(
            [row for row, k in enumerate(self.bases) if links[int(k)].joint.type == "free"], np.int64
        )
        self.floating = len(self.floating_bases)

    def _list_joints(self, links: Sequence[Link], joints: Sequence[Joint]) -> None:
        self.joint_links: Indices = np.array([j.link for j in joints], np.int64)
        self.axes = np.array([j.axis for j in joints]).reshape(-1, 3)
        self.joint_parents: Indices = np.array([links[j.link].parent for j in joints], np.int64)
        self.joint_places = self.translations[self.joint_links].reshape(-1, 3)
        self.joint_frames = self.rotations[self.joint_links].reshape(-1, 3, 3)
        self.joint_ids: Indices = np.array([-1 if j.id is None else j.id for j in joints], np.int64)
        self.initial = np.array([j.initial for j in joints], np.float64)
        self.revolute = np.array([j.type == "revolute" for j in joints], bool)
        self.reflected_inertias = np.array([j.reflected_inertia for j in joints], np.float64)
        self.freedom = 6 * self.floating + len(joints)
        floating = self.bases[self.floating_bases]
        self.link_joints: Indices = np.full(len(links), -1)
        self.link_joints[self.joint_links] = np.arange(len(joints))
        self.link_bases: Indices = np.full(len(links), -1)
        self.link_bases[self.bases] = np.arange(len(self.bases))
        self.columns: Indices = np.concatenate([np.repeat(floating, 6), self.joint_links])

    def _list_moves(self) -> None:
        moves = np.zeros((len(self.parents), self.freedom), bool)
        for column, link in enumerate(self.columns):
            moves[link, column] = True
        for k, parent in enumerate(self.parents):
            if parent >= 0:
                moves[k] |= moves[parent]
        self.moves = moves.astype(np.float64)
        # supports[i, k]: everything that number k moves is also moved by number i.
        self.supports = moves[self.columns].T if self.freedom else np.zeros((0, 0), bool)
