"""Contact joints of a DIF file: the point, and the surface, whose mode follows from the fields unless `mode` gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opendynamics.api import checks, reading
from opendynamics.api.body import Body
from opendynamics.api.contact import Contact
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.world import World
from opendynamics.core.arrays import contacts as layout
from opendynamics.io.dif.fields import Fields
from opendynamics.io.dif.text import Lines

# Fields, those of the surface record, and the mode that they belong to; 0: always present.
_NUMBERS = {
    "mu": ("mu", 0),
    "mu2": ("mu2", layout.MU2),
    "bounce": ("bounce", layout.BOUNCE),
    "bounce_vel": ("bounce_velocity", layout.BOUNCE),
    "soft_ERP": ("soft_erp", layout.SOFT_ERP),
    "soft_CFM": ("soft_cfm", layout.SOFT_CFM),
    "motion1": ("motion1", layout.MOTION1),
    "motion2": ("motion2", layout.MOTION2),
    "motionN": ("motion_normal", layout.MOTION_N),
    "slip1": ("slip1", layout.SLIP1),
    "slip2": ("slip2", layout.SLIP2),
    "rho": ("rho", layout.ROLLING),
    "rho2": ("rho2", layout.ROLLING),
    "rhoN": ("rho_normal", layout.ROLLING),
}
_FRICTION = ("mu", "mu2", "rho", "rho2", "rhoN")
_MAX_MODE = 0x1FFFF


def write_contact(lines: Lines, joint: ContactJoint) -> None:
    """Add the fields of a contact."""
    record = reading.record_of(joint)
    point, surface = record["point"], record["surface"]
    details = reading.table_of(joint, layout.CONTACT_DETAILS)[reading.row_of(joint)]
    mode = int(surface["mode"])
    for key in ("pos", "normal"):
        lines.field(key, point["position" if key == "pos" else key])
    lines.field("depth", point["depth"])
    lines.field("mode", mode)
    for key, (name, flag) in _NUMBERS.items():
        if mode & flag or not flag:
            lines.field(key, (surface if name in surface.dtype.names else details)[name])
    if mode & layout.FDIR1:
        lines.field("fdir1", details["direction1"])


@dataclass(frozen=True)
class _Surface:
    """A surface in the form of contact joints."""

    row: tuple[float, ...]
    direction1: Any


def read_contact(fields: Fields, world: World, body1: Body | None, body2: Body | None) -> ContactJoint:
    """Create a contact joint."""
    contact = Contact(fields.numbers("pos", 3), fields.numbers("normal", 3), fields.number("depth"))
    row: dict[str, float] = {}
    seen = 0
    for key, (name, flag) in _NUMBERS.items():
        seen |= flag if key in fields else 0
        row[name] = fields.number(key, 0.0, infinite=key in _FRICTION)
        if key in _FRICTION:
            checks.not_negative(key, row[name], infinite=True)
    direction = fields.numbers("fdir1", 3, None)
    seen |= layout.FDIR1 if direction is not None else 0
    mode = fields.whole("mode", _MAX_MODE, seen)
    if not seen & layout.MU2:
        row["mu2"] = row["mu"]
    surface: Any = _Surface((mode, 0, *row.values()), direction)
    joint = ContactJoint(world, contact, surface, attach=False)
    if body1 is not None or body2 is not None:
        joint.attach(body1, body2)
    return joint
