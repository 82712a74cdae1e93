"""Look-up of a world's bodies, joints and geoms by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api.suggestions import nearest

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.joints.joint import Joint


class Finding:
    """Mixin of a world with `find`."""

    def find(self: Any, name: str) -> Body | Joint | Geom:
        """Return the body of this name, else the joint, else the geom; the oldest if there are several.

        Raises:
            KeyError: nothing has this name; the message suggests the most similar one.
        """
        if not isinstance(name, str):
            raise TypeError(f"find takes the name of a body, joint or geom, not {name!r}")
        things = (*self.bodies, *self.joints, *self.geoms, *(geom for body in self.bodies for geom in body.geoms))
        for thing in things:
            if thing.name == name:
                return thing  # type: ignore[no-any-return]
        names = {thing.name for thing in things}
        raise KeyError(f"nothing in {self.name} is called {name!r}{nearest(name, names)}")
