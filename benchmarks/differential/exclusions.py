"""What the programs leave out or do not compare, because docs/deviations.md lists it; by name, with the row's beginning.

`tests/parity/test_differential.py` looks every reason up in the page.
"""

from __future__ import annotations

SPHERE, BOX, CAPSULE, CYLINDER, PLANE, RAY, CONVEX, TRANSFORM, TRIMESH, HEIGHTFIELD = range(10)

# Pairs of classes whose contacts are ODE's.
_AGREEING = {
    *((SPHERE, other) for other in (SPHERE, BOX, CAPSULE, CYLINDER, PLANE)),
    *((BOX, other) for other in (BOX, CAPSULE, PLANE)),
    *((CAPSULE, other) for other in (CAPSULE, PLANE)),
    *((RAY, other) for other in (SPHERE, BOX, CAPSULE, CYLINDER, PLANE)),
}
PAIRS = {
    (CYLINDER, PLANE): "Cylinder on a plane",
    (CYLINDER, BOX): "Pairs of cylinders and convex shapes",
    (CONVEX, PLANE): "Convex entirely below a plane",
    (CONVEX, RAY): "Ray against convex",
    (SPHERE, TRIMESH): "A sphere, box, capsule, cylinder or convex polyhedron in a convex mesh",
    (TRIMESH, TRIMESH): "Two convex meshes",
    (SPHERE, HEIGHTFIELD): "A sphere in a heightfield",
    (RAY, TRIMESH): "Rays at meshes are cast in single precision",
    (RAY, HEIGHTFIELD): "A ray that starts below a heightfield",
    (PLANE, TRIMESH): "Triangles act only on bodies",
}

# A pair of classes whose contacts are ODE's unless the ray begins inside.
RAYS_FROM_WITHIN = {CAPSULE: "A ray that starts inside a capsule"}

# Classes whose boxes are others, so that they meet others.
BOXES = {HEIGHTFIELD: "The bounding box of a heightfield"}

# Why pairs whose boxes do not overlap are left out.
SWEEP_AND_PRUNE = "A sweep-and-prune space reports geoms that are infinite"

# Why the feedback of a joint of one body is not read for the second.
SECOND_BODY = "Feedback of a joint with one body"

# Functions that no program calls.
FUNCTIONS = {
    "dSpaceGetManualCleanup": "dSpaceGetManualCleanup is always 1",
    "dBodyGetGyroscopicMode": "dBodyGetGyroscopicMode returns 256",
    "dWorldGetAutoDisableFlag": "dBodyGetGyroscopicMode returns 256",
    "dJointSetHingeAxisOffset": "dJointSetHingeAxisOffset sets a wrong angle",
    "dJointSetPistonAxisDelta": "dJointSetPistonAxisDelta moves the anchor",
    "dJointAddPUTorque": "dJointAddPUTorque is declared",
    "dJointAddPistonForce": "dJointAddPistonForce applies no force",
    "dGeomBoxPointDepth": "dGeomBoxPointDepth outside a box",
    **dict.fromkeys(
        (f"dJointGetTransmission{part}{wheel}" for part in ("ContactPoint", "Angle", "Radius") for wheel in (1, 2)),
        "Before its first step a transmission returns",
    ),
    **dict.fromkeys(
        ("dJointSetTransmissionAxis1", "dJointSetTransmissionAxis2"), "Radii and contact points of bevel gears"
    ),
    **dict.fromkeys(("dJointSetTransmissionRadius1", "dJointSetTransmissionRadius2"), "A chain's tangent is right"),
    "dJointGetLMotorAxis": "`dJointGetLMotorAxis` returns an axis",
}


def contacts_agree(one: int, other: int) -> bool:
    """Whether contacts of two classes of geoms are compared and made joints."""
    return (one, other) in _AGREEING or (other, one) in _AGREEING
