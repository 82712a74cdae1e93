"""Of faces and corners that tie but for rounding, other contacts were taken than ODE takes, and in another order.

Boxes turned by multiples of 90 degrees tie in this way. The numbers are those of libode in double precision, whose matrices are
the same to the last bit.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from opendynamics import c_api as ode

# Sizes, position and quaternion, which ODE normalises, of two boxes; and positions of their contacts.
PAIRS = [
    (
        ((0.8, 0.4, 0.3), (-0.4, 0.1, -0.3), (1, -1, 1, -1)),
        ((1.1, 0.9, 1.2), (-0.1, 0.2, 0.3), (-1, 0, 1, 0)),
        ((-0.55, 0.5, -0.1), (-0.25, 0.5, -0.1), (-0.25, -0.25, -0.1), (-0.55, -0.25, -0.1)),
    ),
    (
        ((0.7, 0.9, 0.4), (0.6, -0.6, 0.3), (0, 1, 0, 1)),
        ((0.6, 0.8, 0.5), (0.4, 0.0, 0.4), (0, 0, 1, 1)),
        ((0.7, -0.15, 0.0), (0.7, -0.15, 0.65), (0.4, -0.15, 0.65), (0.4, -0.15, 0.0)),
    ),
    (
        ((0.8, 1.1, 0.9), (-0.5, 0.0, 0.2), (0, -1, 0, -1)),
        ((1.2, 1.2, 1.1), (0.4, 0.1, -0.4), (-1, 0, 0, 0)),
        ((-0.05, 0.55, -0.2), (-0.05, -0.5, -0.2), (-0.05, -0.5, 0.15), (-0.05, 0.55, 0.15)),
    ),
]


@pytest.mark.parametrize(("one", "other", "expected"), PAIRS)
def test_contacts_of_boxes(one, other, expected):
    world, geoms = ode.dWorldCreate(), []
    for sizes, position, quaternion in (one, other):
        body = ode.dBodyCreate(world)
        ode.dBodySetPosition(body, *position)
        ode.dBodySetQuaternion(body, quaternion)
        geoms.append(ode.dCreateBox(0, *sizes))
        ode.dGeomSetBody(geoms[-1], body)
    found = np.array([contact.pos for contact in ode.dCollide(*geoms, 4)])
    assert found == pytest.approx(np.array(expected), abs=1e-9)


def test_corners_below_a_plane():
    half = 1.0 / math.sqrt(2.0)
    box = ode.dCreateBox(0, 0.25, 0.5, 0.6234409645772465)
    plane = ode.dCreatePlane(0, 0, 0, 1, 0.5)
    ode.dGeomSetPosition(box, -1, -0.25, -0.5)
    ode.dGeomSetQuaternion(box, (0, 0, -half, -half))
    found = np.array([contact.pos for contact in ode.dCollide(plane, box, 2)])
    assert found == pytest.approx(
        np.array([(-1.125, -0.5617204822886, -0.75), (-0.875, -0.5617204822886, -0.75)]), abs=1e-9
    )


RECORDED = {
    "given": (-0.3, 0.18, 0.94, 0.05),
    "quaternion": ["-0x1.31e715084c3b9p-2", "0x1.6f154c705b7abp-3", "0x1.df3f5caf22191p-1", "0x1.97dec6b5bafa2p-5"],
    "matrix": ["-0x1.83b802a3d470dp-1", "0x1.760fe3f9ce664p-2", "-0x1.15322244ca910p-1"],
    "set matrix": ["-0x1.83b802a3d470dp-1", "0x1.760fe3f9ce664p-2", "-0x1.15322244ca910p-1"],
    "third row": ["0x1.2778f4b43a625p-1", "-0x1.c6e2ae63c2940p-7", "-0x1.a2140db51dd39p-1"],
    "set quaternion": ["-0x1.31e715084c3b9p-2", "0x1.6f154c705b7abp-3", "0x1.df3f5caf22191p-1", "0x1.97dec6b5bafa2p-5"],
    "two axes": ["0x1.5555555555555p-2", "0x1.21a1851ff630ap-1", "0x1.822cb17ff2eb8p-1"],
    "z axis": ["0x0.0p+0", "0x1.e8b7078ce676ep-1", "0x1.314c3d92a9e91p-2"],
    "plane": ["0x1.e44db32a5e402p-1", "-0x1.55dc7e7842879p-3", "-0x1.1ce2696437710p-2"],
}


def bits(numbers):
    return [float(x).hex() for x in np.ravel(numbers)]


def test_matrices_and_quaternions_to_the_last_bit():
    body = ode.dBodyCreate(ode.dWorldCreate())
    ode.dBodySetQuaternion(body, RECORDED["given"])
    assert bits(ode.dBodyGetQuaternion(body)) == RECORDED["quaternion"]
    matrix = ode.dBodyGetRotation(body)
    assert bits(matrix[:3]) == RECORDED["matrix"]
    ode.dBodySetRotation(body, matrix)
    assert bits(ode.dBodyGetRotation(body)[:3]) == RECORDED["set matrix"]
    assert bits(ode.dBodyGetRotation(body)[8:11]) == RECORDED["third row"]
    assert bits(ode.dBodyGetQuaternion(body)) == RECORDED["set quaternion"]
    assert bits(ode.dRFrom2Axes(1, 2, -2, 0.3, 0.1, 0.7)[:3]) == RECORDED["two axes"]
    assert bits(ode.dRFromZAxis(1, 2, -2.5)[:3]) == RECORDED["z axis"]
    assert bits(ode.dPlaneSpace(ode.dRFromZAxis(0.2, 0.3, 0.5)[2::4])[1]) == RECORDED["plane"]
