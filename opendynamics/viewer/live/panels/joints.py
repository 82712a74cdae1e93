"""Joints: a slider for each hinge and slider, which shows its coordinate; when moved, it is the target of a servo."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from opendynamics.viewer.live.holding import Held, coordinate, held_joints, hold, servos
from opendynamics.viewer.live.simulation import Simulation

if TYPE_CHECKING:
    from opendynamics.viewer.live.session import Session

ORDER = 2.5
EVERY = 0.2  # s between two updates
MOST = 40  # number of joints with a slider, the first ones
FREE = "Move a slider: a servo holds the joint there."


class Panel:
    """Sliders, and a release button. Joints with a slider of the scene named after them are left out."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = 0.0
        self.sliders: list[Any] = []
        self._held: set[Held] = set()
        self.joints = joints = self._joints()[:MOST]
        if not joints:
            return
        with session.server.gui.add_folder("Joints", expand_by_default=len(joints) <= 8):
            session.server.gui.add_markdown(FREE)
            self.release = session.server.gui.add_button("Let go", visible=False, hint="Take the servos away")
            for number in range(len(joints)):
                self._add(number)

        @self.release.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            session.ask(self.let_go)

    def _joints(self) -> list[Held]:
        session = self._session
        if not isinstance(session.source, Simulation):
            return []
        taken = {slider.name.rpartition(",")[0] for slider in session.source.scene.sliders}
        return [joint for joint in held_joints(session.world) if joint.name not in taken]

    def _add(self, number: int) -> None:
        joint = self.joints[number]
        turns = joint.kind == "hinge"
        reach = math.pi if turns else 2.0 * self._session.unit
        now = coordinate(joint)
        low, high = (
            stop if math.isfinite(stop) else usual
            for stop, usual in zip(joint.stops, (-reach, reach) if turns else (now - reach, now + reach), strict=True)
        )
        low, high = round(low, 3), max(round(high, 3), round(low, 3) + 1e-3)
        unit = "rad" if turns else "m"
        slider = self._session.server.gui.add_slider(
            joint.name, min=low, max=high, step=(high - low) / 500.0, initial_value=min(max(now, low), high), hint=unit
        )
        self.sliders.append(slider)

        @slider.on_update  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            if event.client_id is not None:
                target = float(slider.value)
                self._session.ask(lambda: self.move(self.joints[number], target))

    def move(self, joint: Held, target: float) -> None:
        """Hold a joint at a target; an existing servo keeps its gains."""
        if not joint.alive:
            raise ValueError("this joint is gone: reset to have it back")
        for body in joint.bodies:
            if body is not None and not body.kinematic:
                body.enabled = True
        servo = servos(self._session.world).get(joint)
        if servo is None:
            hold(joint, target)
            self._held.add(joint)
        else:
            servo.target = target
        self.release.visible = bool(self._held)

    def let_go(self) -> None:
        """Remove the servos created here."""
        found = servos(self._session.world)
        for joint in self._held & found.keys():
            found[joint].destroy()
        self._held.clear()
        self.release.visible = False
        self._next = 0.0

    def refresh(self, now: float) -> None:
        """Update the sliders of joints without a servo."""
        if not self.sliders or now < self._next:
            return
        self._next = now + EVERY
        found = servos(self._session.world)
        for joint, slider in zip(self.joints, self.sliders, strict=True):
            slider.disabled = not joint.alive
            if joint.alive:
                value = found[joint].target if joint in found else coordinate(joint)
                value = min(max(value, slider.min), slider.max)
                if abs(value - slider.value) > 0.5 * slider.step:
                    slider.value = value

    def renew(self) -> None:
        """Objects created here are gone, or gone with the world; a rebuilt world has its own joints."""
        self._held.clear()
        if self.sliders:
            self.release.visible = False
            again = {joint.name: joint for joint in self._joints()}
            self.joints = [again.get(joint.name, joint) for joint in self.joints]
        self._next = 0.0
