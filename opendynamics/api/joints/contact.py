"""Contact joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.contact import Contact
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joints.joint import Joint
from opendynamics.api.rows import Rows
from opendynamics.api.surface import Surface
from opendynamics.api.types import JointOptions
from opendynamics.core.arrays import contacts as layout
from opendynamics.core.arrays.contacts import CONTACTS

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class ContactJoint(Joint):
    """A contact that acts until it is destroyed, usually for one step: the classic loop's.

    Args:
        world: the world it lives in.
        contact: point, normal and depth.
        surface: friction, restitution and the rest; by default what `world.surfaces` has for the geoms' materials.
        body1, body2: the bodies that touch; those of the contact's geoms if `attach` is left True.
        attach: whether to join the bodies at once.
        options: `group` and `name`, see `Joint`.
    """

    __slots__ = ()

    kind = "contact"
    _table = CONTACTS

    def __init__(
        self,
        world: World,
        /,
        contact: Contact,
        surface: Surface | None = None,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        attach: bool = True,
        **options: Unpack[JointOptions],
    ) -> None:
        if not hasattr(contact, "row") or not hasattr(contact, "geom1"):
            raise TypeError(f"a contact joint is made of a Contact, not of {contact!r}")
        if surface is not None and not hasattr(surface, "row"):
            raise TypeError(f"the surface of a contact joint must be a Surface, not {surface!r}")
        self._require_world(world)
        attach = checks.flag("attach of a contact joint", attach)
        point = contact.row
        geoms = contact.geom1, contact.geom2
        for geom in geoms:
            if geom is not None and not isinstance(geom, Geom):
                raise TypeError(f"the geoms of a contact must be geoms or None, not {geom!r}")
        if surface is None:
            one, two = (None if geom is None else geom.material for geom in geoms)
            surface = world.surfaces[one, two]
        direction = surface.direction1 or (0.0, 0.0, 0.0)
        if attach and body1 is None and body2 is None:
            body1 = None if contact.geom1 is None else contact.geom1.body
            body2 = None if contact.geom2 is None else contact.geom2.body
        self._require_bodies(world, body1, body2)
        super().__init__(world, **options)
        self._record["point"], self._record["surface"], self._record["direction1"] = point, surface.row, direction
        if body1 is not None or body2 is not None:
            self.attach(body1, body2)

    @classmethod
    def _rows_in(cls, world: World) -> Rows:
        return world._contact_rows

    def _know_kind(self) -> None:
        """All worlds know contacts."""

    def _wake_bodies(self) -> None:
        """Contacts come and go in every step; what they link wakes by that."""

    def _set_defaults(self) -> None:
        self._record["flags"] = layout.ALIVE | layout.ENABLED

    def _listed(self, attached: bool) -> None:
        """Contacts need no list: those that are attached are known by their bodies."""
