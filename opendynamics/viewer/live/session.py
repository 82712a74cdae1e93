"""What one live view consists of, and its frame: commands, steps, and what the browser is sent.

All of it belongs to one thread, that of the loop, but for `commands`. Callbacks of the web server, which come in threads
of their own, do nothing but put commands.
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
    """A source, shown.

    Attributes:
        playing: whether time is running.
        speed: seconds of the scene in a second.
        unit: a length of the order of the bodies, m; weight: that of a usual one, N.
        overlays, shown: all overlays by name, and the names of those that are drawn.
        picked: the geom that was clicked on.
        follow: the camera that goes with a body.
        tape: the recording that a browser asked for.
        choices: what else can be shown: functions that make a source, by name; `chosen` is the name of what is shown.
        error: what stopped the playing, if anything did.
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
        """Set the scene and the panel up for a source."""
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

    # -- what there is -----------------------------------------------------------------------------------------

    @property
    def world(self) -> World:
        """The world that is shown."""
        return self.source.world

    @property
    def time(self) -> float:
        """s of the scene."""
        return self.source.time

    @property
    def picked_body(self) -> Body | None:
        """The body of what is picked."""
        return self.picked.body if self.picked is not None and self.picked.alive else None

    def panel(self, name: str) -> Any:
        """A part of the panel, by the name of its file."""
        return next(panel for panel in self.panels if type(panel).__module__.endswith(f".{name}"))

    def _measure(self) -> None:
        """Lengths and weights that are usual in this world, by which overlays are scaled."""
        geoms = [geom for body in self.world.bodies for geom in body.geoms]
        spans = [np.ptp(geom.aabb.reshape(3, 2), axis=1).mean() for geom in geoms[:200] if geom.shape != "ray"]
        self.unit = usual_size(self.world, np.array(spans, np.float64))
        self.weight = self.batches.painter.weight = usual_weight(self.world)

    # -- a frame -----------------------------------------------------------------------------------------------

    def frame(self) -> None:
        """Run the requested actions, advance the time, show the frame."""
        self.commands.run()
        try:
            moved = self._go_on()
            if (moved or self._changed) and (self._changed or self.server.get_clients()):
                self._changed = False
                self.draw()
            for panel in self.panels:
                panel.refresh(perf_counter())
        except BaseException as error:  # SystemExit too: it would end the thread, and nobody would hear of it
            self.fail(error)

    def _go_on(self) -> bool:
        elapsed = self.pace.elapsed()
        if not self.playing:
            self.pace.count(0.0)
            return False
        if reading.is_being_stepped(self.world):  # by the user's own thread: it is watched
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
        """Show the world as it is, whole, so that no browser shows half of a frame."""
        with self.server.atomic():
            self.follow.go(self.picked_body)
            self.batches.draw(self.world)
            for name in self.shown:
                self.overlays[name].draw(self)
        self.server.flush()
        poses = reading.table_of(self.world, POSES)
        self._drawn = poses["position"].copy(), poses["quaternion"].copy()

    def touch(self) -> None:
        """Draw in the next frame, though time stands still."""
        self._changed = True

    def fail(self, error: BaseException) -> None:
        """Stop the playing, and say why: on stderr in full, in the browser in short."""
        self.playing = False
        self.error = error
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
        self.notify("Stopped by an error", f"{type(error).__name__}: {error}", "red")

    def notify(self, title: str, text: str, colour: str = "blue") -> None:
        """Show a message in every browser."""
        for client in self.server.get_clients().values():
            client.add_notification(title, text, color=colour, auto_close_seconds=None if colour == "red" else 6.0)

    # -- what can be asked, by commands ------------------------------------------------------------------------

    def ask(self, function: Callable[[], Any]) -> None:
        """Have something done between steps; what it raises is shown in the browser. For callbacks of the server."""

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
        """Let time run, or stop."""
        if playing and self.source.end is not None and self.time >= self.source.end:
            self.source.reset()
        self.playing = playing
        self.touch()

    def step(self) -> None:
        """One step, then stand still."""
        self.playing = False
        self.source.step()
        self.touch()

    def reset(self) -> None:
        """Go back to the beginning. ValueError if there is no way."""
        self.source.reset()
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
        """Show another of `choices`. ValueError, and what is shown stays, if it cannot be built."""
        source = self.choices[name]()
        self.tape.stop()
        self.server.scene.reset()
        self.server.gui.reset()
        self._open(source, (), name)
        self.look(source.scene.camera, source.scene.target)
        self.touch()

    def look(self, camera: Any, target: Any) -> None:
        """Put the cameras of all pages, and of those to come, to a place, looking at a target, m."""
        for view in (self.server.initial_camera, *(client.camera for client in self.server.get_clients().values())):
            view.position = tuple(camera)
            view.look_at = tuple(target)

    def seek(self, time: float) -> None:
        """Go to a time, s. ValueError if there is no way."""
        self.source.seek(time)
        self.touch()

    def pick(self, geom: Geom | None) -> None:
        """Pick a geom, or nothing."""
        self.picked = geom
        self.follow.begin(self.picked_body)
        self.batches.painter.picked = self.picked_body or geom
        self.touch()

    def show_overlay(self, name: str, shown: bool) -> None:
        """Draw an overlay from now on, or no more."""
        if shown:
            self.shown.add(name)
        else:
            self.shown.discard(name)
            self.overlays[name].clear()
        self.touch()

    # -- the mouse -----------------------------------------------------------------------------------------------

    def _bind(self, handle: Any, batch: Batch) -> None:
        """Let the mouse pick the geoms of a batch, and pull those that can move."""

        @handle.on_click  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            self.ask(lambda: self.pick(self.batches.geom_at(batch, event.instance_index)))

        if not batch.moves or not isinstance(self.source, Simulation):
            return

        @handle.on_drag("left")  # type: ignore[untyped-decorator]
        async def _(event: Any) -> None:
            self.ask(lambda: self.drag(batch, event))

    def drag(self, batch: Batch, event: Any) -> None:
        """Follow the mouse: grab, pull, let go."""
        if event.phase == "start":
            geom = self.batches.geom_at(batch, event.instance_index)
            if geom is not None and geom.body is not None:
                self.grab(event.client_id, geom, event.start_position - self.follow.offset)
        if event.phase == "end":
            self.pulls.let_go(event.client_id)
        else:
            self.pulls.move(event.client_id, event.end_position - self.follow.offset)

    def grab(self, who: Any, geom: Geom, at: Any) -> None:
        """Begin to pull the body of a geom at a point of the world, which the browser saw on it in the last frame."""
        body = geom.body
        if body is None:
            return
        self.pick(geom)
        row = reading.row_of(body)
        position, quaternion = (table[row] for table in self._drawn)
        if not self.pulls.grab(who, body, position, quaternion, at):
            raise ValueError(f"{body.name} is kinematic: nothing can pull it")
