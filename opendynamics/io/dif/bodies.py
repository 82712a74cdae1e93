"""Bodies of a DIF file: state, mass, settings, and the geoms on them."""

from __future__ import annotations

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.mass import Mass, mass_as_given
from opendynamics.api.restoring import idling_of, restore_idling
from opendynamics.api.world import World
from opendynamics.io.dif.fields import Fields
from opendynamics.io.dif.geometry import read_geom, write_geometry
from opendynamics.io.dif.text import Lines, said
from opendynamics.io.dif.world import read_settings, write_settings


def write_body(lines: Lines, body: Body) -> None:
    """Add the fields of a body."""
    lines.field("pos", body.position)
    lines.field("q", body.quaternion)
    lines.field("lvel", body.linear_velocity)
    lines.field("avel", body.angular_velocity)
    lines.field("mass", body.mass)
    lines.line("I = {" + ",".join("{" + ",".join(map(said, row)) + "}" for row in body.inertia.tolist()) + "},")
    with lines.table("ODE = "):
        flags = {
            "finite_rotation": body.finite_rotation_mode,
            "disabled": not body.enabled,
            "no_gravity": not body.gravity_mode,
            "no_gyroscopic": not body.gyroscopic_mode,
            "kinematic": body.kinematic,
            "continuous": body.continuous,
        }
        for key, flag in flags.items():
            if flag:
                lines.field(key, 1)
        write_settings(lines, body, idling_of(body))
        for key, vector in {"facc": body.force, "tacc": body.torque}.items():
            if any(vector):
                lines.field(key, vector)
        if any(body.finite_rotation_axis):
            lines.field("finite_rotation_axis", body.finite_rotation_axis)
    if body.geoms:
        write_geometry(lines, body.geoms)


def read_body(fields: Fields, world: World) -> Body:
    """Create a body, without its geoms."""
    body = Body(world)
    body.position = fields.numbers("pos", 3)
    body.quaternion = np.array(fields.numbers("q", 4, (1.0, 0.0, 0.0, 0.0)))
    body.linear_velocity = fields.numbers("lvel", 3, (0.0, 0.0, 0.0))
    body.angular_velocity = fields.numbers("avel", 3, (0.0, 0.0, 0.0))
    body.mass_properties = _mass(fields)
    own = fields.inner("ODE")
    if own is None:
        body.auto_disable = False
        return body
    body.finite_rotation_mode = own.flag("finite_rotation", False)
    body.gravity_mode = not own.flag("no_gravity", False)
    body.gyroscopic_mode = not own.flag("no_gyroscopic", False)
    body.kinematic = own.flag("kinematic", False)
    body.continuous = own.flag("continuous", False)
    left = read_settings(own, body, enabled=True)
    body.force = own.numbers("facc", 3, (0.0, 0.0, 0.0))
    body.torque = own.numbers("tacc", 3, (0.0, 0.0, 0.0))
    axis = own.numbers("finite_rotation_axis", 3, None)
    if axis is not None:
        body.finite_rotation_axis = axis
    body.enabled = not own.flag("disabled", False)
    if left is not None:
        restore_idling(body, *left)
    own.require_done()
    return body


def _mass(fields: Fields) -> Mass:
    inertia = fields.matrix("I")
    if any(fields.numbers("com", 3, (0.0, 0.0, 0.0))):
        raise fields.error(
            "com, the centre of mass, must be the origin of the body", "leave it out and shift the geoms"
        )
    return mass_as_given(fields.number("mass"), inertia)


def read_body_geometry(fields: Fields, world: World, body: Body) -> None:
    """Create the geoms of a body, the last one in the file first."""
    for table in reversed(fields.tables("geometry")):
        read_geom(fields.of(table), world, body)
