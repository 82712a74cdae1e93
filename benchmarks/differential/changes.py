"""Changes between the steps of a program: of the world, of bodies, joints, geoms and spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.differential import joints, settings, shapes

if TYPE_CHECKING:
    from benchmarks.differential.worlds import World


def change(w: World) -> None:
    """Some of them."""
    w.settings(settings.WORLD, 0.05, w.world)
    for body in w.bodies:
        w.settings(settings.MODES, 0.05, body)
        w.settings(settings.BODY, 0.03, body)
        if w.chance(0.1):
            w.set_mass(body)
    for joint in w.joints:
        joints.change_joint(w, joint, w.bodies)
    for geom in w.geoms:
        if w.chance(0.2):
            shapes.change_geom(w, *geom)
    _change_space(w)
    _change_body(w)
    _destroy(w)


def _change_space(w: World) -> None:
    """Move a geom to another space, or to the front of its own."""
    if w.geoms and w.chance(0.2):
        geom = w.draw.choice(w.geoms)[0]
        w.call("dSpaceRemove", w.space_of[geom], geom)
        w.space_of[geom] = w.draw.choice(w.spaces)
        w.call("dSpaceAdd", w.space_of[geom], geom)


def _change_body(w: World) -> None:
    """Give a geom to another body, or leave it where it is without one; without its offset, which makes ODE end the process."""
    if w.geoms and w.chance(0.2):
        number = w.draw.randrange(len(w.geoms))
        geom, name, before = w.geoms[number]
        if name not in ("dCreatePlane", "dCreateHeightfield"):
            body = w.draw.choice((None, *w.bodies))
            if before is not None:
                w.call("dGeomClearOffset", geom)
            w.call("dGeomSetBody", geom, body or 0)
            if body is None:  # not to be where other geoms of that body are, to rounding
                w.call("dGeomSetPosition", geom, *w.vector(1.0))
            w.geoms[number] = geom, name, body


def _destroy(w: World) -> None:
    if w.joints and w.chance(0.2):
        w.call("dJointDestroy", w.joints.pop().ref)
    if w.geoms and w.chance(0.2):
        w.call("dGeomDestroy", w.geoms.pop()[0])
    if len(w.bodies) > 1 and w.chance(0.1):
        body = w.bodies.pop()
        for geom in [geom for geom in w.geoms if geom[2] == body]:  # not to meet each other where they stay
            w.call("dGeomDestroy", geom[0])
        w.call("dBodyDestroy", body)
        w.joints = [joint for joint in w.joints if body not in joint.bodies]
        w.geoms = [geom for geom in w.geoms if geom[2] != body]
