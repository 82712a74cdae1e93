"""Live plots of the last seconds: energy, contacts, and the time of each stage of a step."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.viewer.live.measures import energies
from opendynamics.viewer.live.simulation import Simulation

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 5

EVERY, LENGTH = 0.1, 150  # s of wall-clock time between two points, and points
SHOWN_EVERY = 0.4  # s of wall-clock time between two updates in the browser

STAGES = ("collide", "constrain", "solve", "move")

# Title, and names and colours of the curves.
PLOTS = {
    "Energy, J": (("kinetic", "#e8743b"), ("potential", "#3b7de8"), ("total", "#333333")),
    "Contacts": (("contacts", "#145cd6"),),
    "Time of a step, ms": tuple(zip(STAGES, ("#3b7de8", "#8e6cd2", "#e8743b", "#33a06f"), strict=True)),
}


class Panel:
    """Three plots, and a checkbox that enables them: measuring takes time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._measured = self._shown = 0.0
        gui = session.server.gui
        with gui.add_folder("Plots"):
            self._box = gui.add_checkbox("Live plots", initial_value=False, hint="Of the last seconds of the scene")
            self._plots = {title: self._add(title, lines) for title, lines in PLOTS.items()}
        self._forget()

        @self._box.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            wanted = bool(self._box.value)
            session.ask(lambda: self.switch(wanted))

    def _add(self, title: str, lines: tuple[tuple[str, str], ...]) -> Any:
        series = ({"label": "s"}, *({"label": name, "stroke": colour, "width": 2} for name, colour in lines))
        empty = tuple(np.zeros(1) for _ in series)
        return self._session.server.gui.add_uplot(
            empty, series, title=title, scales={"x": {"time": False}}, aspect=1.8, visible=False
        )

    def switch(self, on: bool) -> None:
        """Start or stop measuring and showing."""
        source = self._session.source
        if isinstance(source, Simulation):
            source.timed = on
        for plot in self._plots.values():
            plot.visible = on
        self._forget()

    def refresh(self, now: float) -> None:
        """Measure, and show at intervals."""
        if not self._box.value or now < self._measured + EVERY:
            return
        self._measured = now
        time = self._session.time
        if self._times and time <= self._times[-1]:
            return
        self._times.append(time)
        for title, values in self._values().items():
            self._rows[title].append(values)
        if now >= self._shown + SHOWN_EVERY and len(self._times) > 1:
            self._shown = now
            times = np.array(self._times)
            for title, rows in self._rows.items():
                self._plots[title].data = (times, *np.array(rows).T)

    def _values(self) -> dict[str, tuple[float, ...]]:
        session = self._session
        kinetic, potential = energies(session.world)
        seconds = session.source.stage_seconds if isinstance(session.source, Simulation) else {}
        stages = tuple(1000.0 * seconds.get(stage, 0.0) for stage in STAGES)
        contacts = (float(session.world.statistics.contacts),)
        return dict(zip(PLOTS, ((kinetic, potential, kinetic + potential), contacts, stages), strict=True))

    def _forget(self) -> None:
        self._times: deque[float] = deque(maxlen=LENGTH)
        self._rows: dict[str, deque[tuple[float, ...]]] = {title: deque(maxlen=LENGTH) for title in PLOTS}

    def renew(self) -> None:
        """Clear the plots."""
        self._forget()
