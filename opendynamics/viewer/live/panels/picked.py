"""Figures of the picked geom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import reading
from opendynamics.api.body import Body
from opendynamics.api.describing import count
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.viewer.colours import STATES, state_of

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 3
EVERY = 0.2  # s between two updates
NOTHING = "Click on something to see its numbers; drag a body to pull it."


class Panel:
    """A table, and a button to deselect."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = 0.0
        with session.server.gui.add_folder("Picked"):
            self._table = session.server.gui.add_markdown(NOTHING)
            self._drop = session.server.gui.add_button("Unpick", visible=False)

        @self._drop.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            session.ask(lambda: session.pick(None))

    def refresh(self, now: float) -> None:
        """Show the current figures."""
        geom = self._session.picked
        if now < self._next and (geom is not None) == self._drop.visible:
            return
        self._next = now + EVERY
        if geom is not None and not geom.alive:
            self._session.pick(None)
            geom = None
        self._drop.visible = geom is not None
        self._table.content = NOTHING if geom is None else as_table(numbers_of(geom))

    def renew(self) -> None:
        """Nothing is picked any more."""
        self._next = 0.0


def numbers_of(geom: Geom) -> dict[str, str]:
    """The figures of a geom, and of its body if it has one."""
    shape = f"{geom.name} ({geom.shape})" if geom.name != geom.shape else geom.shape
    material = {"material": geom.material} if geom.material is not None else {}
    if geom.body is None:
        return {"geom": shape, "state": "static", **material, "touches": _touching(geom)}
    body = geom.body
    names = ", ".join(joint.name for joint in body.joints if not isinstance(joint, ContactJoint))
    return {
        "body": body.name,
        "geom": shape,
        "state": STATES[state_of(body)],
        **material,
        "mass": f"{body.mass:.4g} kg",
        "position": _triple(body.position, "m"),
        "velocity": _triple(body.linear_velocity, "m/s"),
        "speed": f"{float(np.linalg.norm(body.linear_velocity)):.3g} m/s",
        "spin": _triple(body.angular_velocity, "rad/s"),
        "kinetic energy": f"{body.kinetic_energy:.4g} J",
        "joints": names or "none",
        "touches": _touching(geom, body),
    }


def _triple(vector: Any, unit: str) -> str:
    return ", ".join(f"{round(float(x), 3) + 0.0:.3f}" for x in vector) + f" {unit}"  # no -0.000


def _touching(geom: Geom, body: Body | None = None) -> str:
    """Number of contact points in the last step, with the noun."""
    points, report, geoms = (reading.table_of(geom, table) for table in (POINTS, REPORTS, GEOMS))
    points = points[: int(report["contacts"][0])]
    owners = geoms["body"]
    a, b = points["geom_a"], points["geom_b"]
    if body is None:
        found = (a == reading.row_of(geom)) | (b == reading.row_of(geom))
    else:
        found = (owners[a] == reading.row_of(body)) | (owners[b] == reading.row_of(body))
    return count(int(found.sum()), "point")


def as_table(numbers: dict[str, str]) -> str:
    """As Markdown."""
    lines = [f"| {key} | {value.replace('|', '/')} |" for key, value in numbers.items()]
    return "\n".join([lines[0], "|---|---|", *lines[1:]])
