"""The available kinds of joints, and the bodies that each takes."""

from __future__ import annotations

import opendynamics as od
from opendynamics.api.joint_methods import FAMILY, joint_class

JOINT_KINDS = {name: joint_class(name) for name in FAMILY.names if joint_class(name) is not None}


def make_joint(world, kind, *bodies, **options):
    """A joint of a kind between as many bodies as are given."""
    arguments = (od.Contact(),) if kind == "contact" else ()
    named = dict(zip(("body1", "body2"), bodies, strict=False))
    return getattr(world, f"add_{kind}")(*arguments, **named, **options)


def _takes(kind, count):
    world = od.World()
    try:
        make_joint(world, kind, *[world.add_body(position=(k, 0, 0)) for k in range(count)])
    except ValueError:
        return False
    return True


# Kinds that join one body to the world only, and kinds that have to have two.
ONE_BODY = {kind for kind in JOINT_KINDS if not _takes(kind, 2)}
TWO_BODIES = {kind for kind in JOINT_KINDS if not _takes(kind, 1)}


def usual_bodies(kind, a, b):
    """The bodies that a joint of a kind is made with, of two that there are."""
    return (a, None) if kind in ONE_BODY else (a, b)
