"""Numbers that a scene allows to change while it runs: `Scene.sliders`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.scenes import Slider

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 2


class Panel:
    """A slider for each."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._handles: dict[str, Any] = {}
        sliders = session.source.scene.sliders
        if not sliders:
            return
        with session.server.gui.add_folder("Scene"):
            for slider in sliders:
                self._add(slider)

    def _add(self, slider: Slider) -> None:
        handle = self._session.server.gui.add_slider(
            slider.name,
            min=slider.low,
            max=slider.high,
            step=(slider.high - slider.low) / 200.0,
            initial_value=slider.value,
            hint=slider.hint or None,
        )
        self._handles[slider.name] = handle

        @handle.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            if event.client_id is not None:
                value = float(handle.value)
                self._session.ask(lambda: self.set(slider.name, value))

    def set(self, name: str, value: float) -> None:
        """Set a value in the shown scene, which is a different object after a reset."""
        for slider in self._session.source.scene.sliders:
            if slider.name == name:
                slider.change(value)

    def refresh(self, now: float) -> None:
        """Nothing to update."""

    def renew(self) -> None:
        """A rebuilt scene starts with its own values."""
        for slider in self._session.source.scene.sliders:
            if slider.name in self._handles:
                self._handles[slider.name].value = slider.value
                slider.change(slider.value)
