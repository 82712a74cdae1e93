"""Sphere: radius, m."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.robot.geometry import Sphere
from opendynamics.robot.reading.node import Node

TYPES = ("Sphere",)


def read(node: Node, source: Any) -> Any:
    """The sphere, centred in its frame."""
    return Sphere(node.positive("radius")), np.eye(4)
