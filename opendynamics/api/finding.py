"""The part of a world that finds things by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api.suggestions import nearest

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.joints.joint import Joint


class Finding:
    """Finds things by their names."""

    def find(self: Any, name: str) -> Body | Joint | Geom:
        """The body of this name; if there is none, the joint, then the geom. The oldest, if there are several.

        Raises:
            KeyError: nothing has this name; the message gives the nearest.
        """
        if not isinstance(name, str):
            raise TypeError(f"things are found by their names, not by {name!r}")
        things = (*self.bodies, *self.joints, *self.geoms, *(geom for body in self.bodies for geom in body.geoms))
        for thing in things:
            if thing.name == name:
                return thing  # type: ignore[no-any-return]
        names = {thing.name for thing in things}
        raise KeyError(f"nothing in {self.name} is called {name!r}{nearest(name, names)}")
