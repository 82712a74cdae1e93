"""`world.add_hinge(...)` and the like: one method of the world for every kind of joint in api/joints.

The methods of the built-in kinds are written out for type checkers and completion; any other kind in the folder gets its
method at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from opendynamics.api import many_joints
from opendynamics.api.compiled_calls import loop
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.contact import Contact, FoundContact
from opendynamics.api.contact_points import ContactPoints
from opendynamics.api.contact_run import NOW
from opendynamics.api.joints.amotor import AMotor
from opendynamics.api.joints.ball import Ball
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.dball import DBall
from opendynamics.api.joints.dhinge import DHinge
from opendynamics.api.joints.fixed import Fixed
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.joints.hinge2 import Hinge2
from opendynamics.api.joints.lmotor import LMotor
from opendynamics.api.joints.null import Null
from opendynamics.api.joints.piston import Piston
from opendynamics.api.joints.plane2d import Plane2D
from opendynamics.api.joints.pr import PR
from opendynamics.api.joints.pu import PU
from opendynamics.api.joints.servo import Servo
from opendynamics.api.joints.slider import Slider
from opendynamics.api.joints.transmission import Transmission
from opendynamics.api.joints.universal import Universal
from opendynamics.api.suggestions import plain_call
from opendynamics.core.families import Family

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.joint_group import JointGroup
    from opendynamics.api.joints.joint import Joint
    from opendynamics.api.surface import Surface

P = ParamSpec("P")
J = TypeVar("J")


def _makes(kind: Callable[Concatenate[Any, P], J]) -> Callable[Concatenate[Any, P], J]:
    """A method that creates a joint of `kind` in its world."""

    def add(world: Any, /, *arguments: P.args, **options: P.kwargs) -> J:
        return kind(world, *arguments, **options)

    what = cleandoc(kind.__doc__ or "")
    add.__doc__ = f"Add a joint of class {getattr(kind, '__name__', '')}; its arguments without the world.\n\n{what}"
    return add


@plain_call
def add_contact(
    world: Any,
    contact: Contact,
    surface: Surface | None = None,
    body1: Body | None = None,
    body2: Body | None = None,
    *,
    attach: bool = True,
    group: JointGroup | None = None,
    **options: Any,
) -> ContactJoint:
    """Add a ContactJoint; takes its arguments without the world."""
    if body1 is None and body2 is None and attach is True and not options:
        run = NOW.run  # the same in `compiled_calls/loop.py`
        k = run.next
        if contact is run.shown[k] and world is run.world and surface is run.surface and group is run.group:
            run.next = k + 1
            return run.handles[k - run.skipped]  # type: ignore[no-any-return]
        if type(contact) is FoundContact and contact._source is not None:
            if surface is None:
                surface = world.surfaces.between(contact.geom1, contact.geom2)
            source, k, rows = contact._source, contact._k, world._contact_rows
            made: ContactJoint | None = rows.run.follow(source, k, surface, group, joined=True)
            if made is None:
                made = rows.add_point(source, k, surface, group, joined=True)
            if made is not None:
                return made
    return ContactJoint(world, contact, surface, body1, body2, attach=attach, group=group, **options)


add_contact.__qualname__ = "World.add_contact"  # as in Python's own error messages


def add_contacts(
    world: Any, contacts: Iterable[Contact], surface: Surface | None = None, *, group: JointGroup | None = None
) -> list[ContactJoint]:
    """Add a ContactJoint for each of many contacts, all with one surface; by default that of their materials.

    Fastest for the result of `space.contacts()`, or a subset of it, with a surface.
    """
    if isinstance(contacts, ContactPoints) and surface is not None:
        rows = world._contact_rows
        if rows.begin_run(contacts._source, surface, group):
            made: list[ContactJoint] = rows.add_points(contacts._numbers.tolist())
            return made
    return [add_contact(world, contact, surface, group=group) for contact in contacts]


def add_joints(
    world: Any,
    kind: str,
    pairs: Iterable[tuple[Body | None, Body | None]],
    *,
    anchors: Any = None,
    axes: Any = None,
    names: Sequence[str] | None = None,
    **options: Any,
) -> list[Joint]:
    """Add a joint between each of many pairs of bodies, like `add_ball`, `add_hinge` and so on for each.

    Balls with anchors, and hinges with anchors and axes, are created in one operation, many times faster.

    Args:
        kind: "ball", "hinge", "slider", "fixed", ...
        pairs: n pairs of bodies; one of each pair may be None, the static world.
        anchors: m, (n, 3), or one for all.
        axes: (n, 3), or one for all.
        names: n names.
        options: options of all joints, such as `group` or `stops`.
    """
    if kind not in FAMILY.names or (found := joint_class(kind)) is None:
        kinds = ", ".join(repr(name) for name in FAMILY.names if joint_class(name) is not None)
        raise ValueError(f"there is no kind of joints {kind!r}; there are {kinds}")
    return many_joints.add_joints(world, found, pairs, anchors, axes, names, options)


class JointMethods:
    """Methods that create joints."""

    add_amotor = _makes(AMotor)
    add_ball = _makes(Ball)
    add_contact = compiled_call(loop.add_contact, loop.LOOP)(add_contact)
    add_contacts = add_contacts
    add_dball = _makes(DBall)
    add_dhinge = _makes(DHinge)
    add_fixed = _makes(Fixed)
    add_hinge = _makes(Hinge)
    add_hinge2 = _makes(Hinge2)
    add_joints = add_joints
    add_lmotor = _makes(LMotor)
    add_null = _makes(Null)
    add_piston = _makes(Piston)
    add_plane2d = _makes(Plane2D)
    add_pr = _makes(PR)
    add_pu = _makes(PU)
    add_servo = _makes(Servo)
    add_slider = _makes(Slider)
    add_transmission = _makes(Transmission)
    add_universal = _makes(Universal)


FAMILY = Family("opendynamics.api.joints")


def joint_class(name: str) -> Any:
    """The class of that kind in the file `name` of api/joints; None for files without one."""
    module = FAMILY[name]
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and value.__dict__.get("kind") == name:
            return value
    return None


for _name in FAMILY.names:
    _class = joint_class(_name)
    if _class is not None and not hasattr(JointMethods, f"add_{_name}"):
        setattr(JointMethods, f"add_{_name}", _makes(_class))
