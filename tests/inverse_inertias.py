"""Inverse inertias as a step uses them; a step stores only what the next one needs of them."""

import numpy as np


def inverse_inertias(world):
    """Of all bodies, where they are now: row to matrix (3, 3) in the world, 1/(kg m²)."""
    return {
        body._row: body.rotation @ np.linalg.inv(body.inertia) @ body.rotation.T
        if not body.kinematic
        else np.zeros((3, 3))
        for body in world.bodies
    }
