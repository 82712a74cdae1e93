"""A live view: its parts, and its frame: commands, steps, and messages to the browser.

All of it belongs to the thread of the loop, except `commands`. Callbacks of the web server, which run in its own threads,
only queue commands.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from opendynamics.api import following, reading
from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import POSES
from opendynamics.viewer.live.batch import Batch
from opendynamics.viewer.live.batches import Batches
from opendynamics.viewer.live.commands import Commands
from opendynamics.viewer.live.following import Follow
from opendynamics.viewer.live.keys import Keys
from opendynamics.viewer.live.measures import usual_size, usual_weight
from opendynamics.viewer.live.overlays import OVERLAYS
from opendynamics.viewer.live.pace import Pace
from opendynamics.viewer.live.panels import PANELS
from opendynamics.viewer.live.pulling import Pulls
from opendynamics.viewer.live.simulation import Simulation
from opendynamics.viewer.live.source import Source
from opendynamics.viewer.live.stage import detail_for, set_stage
from opendynamics.viewer.live.taping import Tape

FRAMES_PER_SECOND = 30.0


class Session:
    """A source that is being shown.

    Attributes:
        playing: whether time is running.
        speed: scene time relative to wall-clock time.
        unit: typical length of the bodies, m; weight: that of a typical one, N.
        overlays, shown: all overlays by name, and the names of the visible ones.
        picked: the picked geom.
        follow: the camera that follows a body.
        tape: the recording that a browser requested.
        choices: functions that create other sources, by name; `chosen` is the name of the shown one.
        error: the error that stopped playing, if any.
    """

    def __init__(
        self,
        server: Any,
        source: Source,
        *,
        spaces: Iterable[Space] = (),
        playing: bool = True,
        choices: Mapping[str, Callable[[], Source]] | None = None,
        chosen: str = "",
    ) -> None:
        self.server = server
        self.commands = Commands()
        self.pace = Pace(1.0 / FRAMES_PER_SECOND)
        self.playing = playing
        self.speed = 1.0
        self.choices = dict(choices or {})
        self._open(source, spaces, chosen)
        server.on_client_connect(lambda client: self.commands.put(self.touch))
        server.on_client_disconnect(lambda client: self.commands.put(lambda: self.pulls.let_go(client.client_id)))

    def _open(self, source: Source, spaces: Iterable[Space], chosen: str) -> None:
        """Set up the scene and the panel for a source."""
        server = self.server
        self.source, self.chosen = source, chosen
        self.error: BaseException | None = None
        self.picked: Geom | None = None
        self.pulls = Pulls()
        if isinstance(source, Simulation):
            source.before_step.append(self.pulls.apply)
        set_stage(server, source.scene)
        following.take_turns(source.world)
        self.batches = Batches(server.scene, detail_for(source.scene), spaces, self._bind)
        self.follow = Follow(server.scene, self.batches)
        self.tape = Tape()
        self._measure()
        self.overlays = {name: OVERLAYS[name].Overlay(server.scene) for name in OVERLAYS.names}
        self.shown = {name for name in OVERLAYS.names if OVERLAYS[name].ON}
        self.panels = [PANELS[name].Panel(self) for name in sorted(PANELS.names, key=lambda name: PANELS[name].ORDER)]
        self.keys: Keys = Keys(self)
        self._changed = True
        self._drawn: tuple[Any, Any] = (np.zeros((0, 3)), np.zeros((0, 4)))

    # -- contents --------------------------------------------------------------------------------------------------

    @property
    def world(self) -> World:
        """The shown world."""
        return self.source.world

    @property
    def time(self) -> float:
        """Scene time, s."""
        return self.source.time

    @property
    def picked_body(self) -> Body | None:
        """The body of the picked geom."""
        return self.picked.body if self.picked is not None and self.picked.alive else None

    def panel(self, name: str) -> Any:
        """A part of the panel, by its file name."""
        return next(panel for panel in self.panels if type(panel).__module__.endswith(f".{name}"))

    def _measure(self) -> None:
        """Typical lengths and weights in this world, by which overlays are scaled."""
        geoms = [geom for body in self.world.bodies for geom in body.geoms]
        spans = [np.ptp(geom.aabb.reshape(3, 2), axis=1).mean() for geom in geoms[:200] if geom.shape != "ray"]
        self.unit = usual_size(np.array(spans, np.float64))
        self.weight = self.batches.painter.weight = usual_weight(self.world)

    # -- a frame -----------------------------------------------------------------------------------------------

    def frame(self) -> None:
        """Execute commands, advance the time, show the frame."""
        self.commands.run()
        try:
            moved = self._go_on()
            if (moved or self._changed) and (self._changed or self.server.get_clients()):
                self._changed = False
                self.draw()
            for panel in self.panels:
                panel.refresh(perf_counter())
        except BaseException as error:  # SystemExit too: it would end the thread silently
            self.fail(error)

    def _go_on(self) -> bool:
        elapsed = self.pace.elapsed()
        if not self.playing:
            self.pace.count(0.0)
            return False
        if reading.is_being_stepped(self.world):  # in the user's own thread: the user sees it
            self.pace.count(0.0)
            return True
        following.take_turns(self.world)
        before = self.time
        done = self.source.advance(elapsed * self.speed, self.pace.deadline)
        self.pace.count(self.time - before)
        if not done and self.source.end is not None and self.time >= self.source.end:
            self.playing = False
        return bool(done)

    def draw(self) -> None:
        """Show the current world as one update, so that no browser shows half a frame."""
        with self.server.atomic():
            self.follow.go(self.picked_body)
            self.batches.draw(self.world)
            for name in self.shown:
                self.overlays[name].draw(self)
        self.server.flush()
        poses = reading.table_of(self.world, POSES)
        self._drawn = poses["position"].copy(), poses["quaternion"].copy()

    def touch(self) -> None:
        """Redraw in the next frame, even if time is paused."""
        self._changed = True

    def fail(self, error: BaseException) -> None:
        """Stop playing and report the error: in full on stderr, briefly in the browser."""
        self.playing = False
        self.error = error
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
        self.notify("Stopped by an error", f"{type(error).__name__}: {error}", "red")

    def notify(self, title: str, text: str, colour: str = "blue") -> None:
        """Show a message in every browser."""
        for client in self.server.get_clients().values():
            client.add_notification(title, text, color=colour, auto_close_seconds=None if colour == "red" else 6.0)

    # -- commands --------------------------------------------------------------------------------------------------

    def ask(self, function: Callable[[], Any]) -> None:
        """Queue a function to be called between steps; its exceptions are shown in the browser. For callbacks of the server."""

        def act() -> None:
            try:
                function()
            except ValueError as error:
                self.notify("That cannot be done", str(error), "orange")
            except Exception as error:
                self.fail(error)
            self.touch()

        self.commands.put(act)

    def play(self, playing: bool) -> None:
        """Start or pause time."""
        if playing and self.source.end is not None and self.time >= self.source.end:
            self.source.reset()
        self.playing = playing
        self.touch()

    def step(self) -> None:
        """Take one step, then pause."""
        self.playing = False
        self.source.step()
        self.touch()

    def reset(self) -> None:
        """Reset to the start. ValueError if that is not possible."""
        before = self.world
        self.source.reset()
        if self.world is not before:  # the scene was rebuilt
            following.take_turns(before, False)
            following.take_turns(self.world)
        self.error = None
        self.pick(None)
        self.pulls.let_all_go()
        self.follow.back()
        self._measure()
        for overlay in self.overlays.values():
            overlay.clear()
        for panel in self.panels:
            panel.renew()
        self.touch()

    def choose(self, name: str) -> None:
        """Show another of `choices`. ValueError, without a change, if it cannot be built."""
        source = self.choices[name]()
        self.tape.stop()
        following.take_turns(self.world, False)
        self.server.scene.reset()
        self.server.gui.reset()
        self._open(source, (), name)
        self.look(source.scene.camera, source.scene.target)
        self.touch()

    def look(self, camera: Any, target: Any) -> None:
        """Set the cameras of all pages, and of later ones, to a position and a target, m."""
        for view in (self.server.initial_camera, *(client.camera for client in self.server.get_clients().values())):
            view.position = tuple(camera)
            view.look_at = tuple(target)

    def seek(self, time: float) -> None:
        """Go to a time, s. ValueError if that is not possible."""
        self.source.seek(time)
        self.touch()

    def pick(self, geom: Geom | None) -> None:
        """Pick a geom, or None."""
        self.picked = geom
        self.follow.begin(self.picked_body)
        self.batches.painter.picked = self.picked_body or geom
        self.touch()

    def show_overlay(self, name: str, shown: bool) -> None:
        """Show or hide an overlay."""
        if shown:
            self.shown.add(name)
        else:
            self.shown.discard(name)
            self.overlays[name].clear()
        self.touch()

    # -- mouse -----------------------------------------------------------------------------------------------------

    def _bind(self, handle: Any, batch: Batch) -> None:
        """Let the mouse pick the geoms of a batch, and pull those of dynamic bodies."""

        @handle.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            self.ask(lambda: self.pick(self.batches.geom_at(batch, event.instance_index)))

        if not batch.moves or not isinstance(self.source, Simulation):
            return

        @handle.on_drag("left")  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            self.ask(lambda: self.drag(batch, event))

    def drag(self, batch: Batch, event: Any) -> None:
        """Follow the mouse: grab, pull, release."""
        if event.phase == "start":
            geom = self.batches.geom_at(batch, event.instance_index)
            if geom is not None and geom.body is not None:
                self.grab(event.client_id, geom, event.start_position - self.follow.offset)
        if event.phase == "end":
            self.pulls.let_go(event.client_id)
        else:
            self.pulls.move(event.client_id, event.end_position - self.follow.offset)

    def grab(self, who: Any, geom: Geom, at: Any) -> None:
        """Start to pull the body of a geom at a world point, as the browser showed it in the last frame."""
        body = geom.body
        if body is None:
            return
        self.pick(geom)
        row = reading.row_of(body)
        position, quaternion = (table[row] for table in self._drawn)
        if not self.pulls.grab(who, body, position, quaternion, at):
            raise ValueError(f"{body.name} is kinematic: nothing can pull it")
