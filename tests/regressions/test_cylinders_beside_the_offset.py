"""Cylinders deep in other shapes, where the direction of least overlap is exactly perpendicular to the line of the centres.

It was at the end of the half circle of directions that are searched, and missed: the depth was too large, by up to a half.
"""

import numpy as np
import pytest

import opendynamics as od

TURNS = (np.pi / 4, np.pi / 3, 0.3)  # about x


def overlap_along_x(cylinder, other):
    """Sum of the half extents along x, to which the cylinder's axis and the offset are perpendicular."""
    low, high = other.aabb[:2]
    return cylinder.radius + 0.5 * (high - low)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("offset", [(0, 0, 0), (0, 0, 0.1), (0, 0.05, 0)])
@pytest.mark.parametrize("make", [lambda: od.Capsule(0.2, 3), lambda: od.Box((0.4, 3, 3)), lambda: od.Cylinder(0.3, 3)])
def test_the_depth_is_no_more_than_the_overlap_across(turn, offset, make):
    cylinder, other = od.Cylinder(0.4, 4), make()
    cylinder.quaternion = od.rotation.quaternion_from_axis_angle((1, 0, 0), turn)
    other.position = offset
    most = overlap_along_x(cylinder, other) + 1e-12
    for one, two in ((cylinder, other), (other, cylinder)):
        assert max(contact.depth for contact in od.collide(one, two)) <= most


def test_a_capsule_in_the_middle_of_a_cylinder():
    cylinder, capsule = od.Cylinder(1, 2), od.Capsule(0.5, 0.5)
    cylinder.rotation = [(1, 0, 0), (0, np.sqrt(0.5), -np.sqrt(0.5)), (0, np.sqrt(0.5), np.sqrt(0.5))]
    for pair in ((cylinder, capsule), (capsule, cylinder)):
        assert od.distance(*pair)[0] == pytest.approx(-1.5, rel=1e-12)
        (contact,) = od.collide(*pair)
        assert contact.depth == pytest.approx(1.5, rel=1e-12) and abs(contact.normal[0]) == pytest.approx(1.0)
