"""The user's handle of the live view."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from opendynamics.api import checks, following
from opendynamics.api.aliases import also
from opendynamics.api.files import replacing
from opendynamics.api.spaces.space import Space, checked_spaces
from opendynamics.api.suggestions import Closed, explain_calls
from opendynamics.api.world import World
from opendynamics.scenes import Scene
from opendynamics.viewer.live.address import LOOPBACK, proxied_url, start_message, url_of
from opendynamics.viewer.live.browser import has_display, in_notebook, is_interactive, is_reachable, open_page
from opendynamics.viewer.live.framing import framed
from opendynamics.viewer.live.loop import Loop
from opendynamics.viewer.live.page import recorded_page
from opendynamics.viewer.live.recorded import replay_of
from opendynamics.viewer.live.replay import Replay
from opendynamics.viewer.live.server import close_server, open_server
from opendynamics.viewer.live.session import Session
from opendynamics.viewer.live.simulation import Simulation
from opendynamics.viewer.pictures.files import checked_path

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

HEIGHT = 560  # pixels, of the view in a notebook
EMBEDDED_SECONDS, EMBEDDED_RATE = 3.0, 20.0  # of the view where the browser cannot reach the machine


class FramesPerSecond(TypedDict, total=False):
    """The alias of an argument `fps`."""

    frames_per_second: float


@explain_calls
class Viewer(Closed):
    """A live view of a world in the browser, until it is closed.

    Until the viewer is closed, the world belongs to one of its threads. Read and change it with `call`, or pause the viewer
    first; your own steps wait for those of the viewer. With `threaded=False` there is no such thread, and every `sync()` shows
    the current world.

    Args:
        what: a World, a Scene, a recording, or a Replay.
        host: the address to listen on: only this machine by default ("0.0.0.0": all addresses of it).
        port: a free port by default; see `url`.
        h: step size, s; that of the scene, or 0.01.
        play: whether to start immediately.
        speed: scene time relative to wall-clock time.
        advance: takes a step of the given size, for worlds that are stepped in ODE's loop.
        rebuild: rebuilds the World or Scene for a reset; by default the world is restored to its current state.
        spaces: further spaces whose floors and walls are shown.
        threaded: False to step the world yourself, and call `sync()`.
        open_browser: whether to open a browser; by default, if there is a display and Python is not interactive.
        quiet: whether to print nothing; by default in a notebook.
        origins: origins of other pages that may connect, such as a proxy's: "https://hub.example.org".
        choices: other scenes to choose from in the browser: functions that build a World or a Scene, by name.
        name: title of the view; by default the name of the world.

    ImportError without viser; OSError for a port that is in use; TypeError and ValueError for wrong arguments, all before
    anything has started.
    """

    name: str
    host: str
    port: int
    url: str

    def __init__(
        self,
        what: Any,
        *,
        host: str = LOOPBACK,
        port: int | None = None,
        h: float | None = None,
        play: bool = True,
        speed: float = 1.0,
        advance: Callable[[float], Any] | None = None,
        rebuild: Callable[[], Any] | None = None,
        spaces: Iterable[Space] = (),
        threaded: bool = True,
        open_browser: bool | None = None,
        quiet: bool | None = None,
        origins: Iterable[str] = (),
        choices: Mapping[str, Callable[[], Any]] | None = None,
        name: str | None = None,
    ) -> None:
        speed = checks.positive("the speed of the live view", speed)
        spaces = checked_spaces("the spaces of a live view", spaces)
        others = _sources_of(choices)
        source = _source_of(what, h, advance, rebuild, spaces)
        self.name = name or source.world.name
        self.host = host
        self._server, token = open_server(host, port, f"opendynamics · {self.name}", origins)
        self.port = self._server.get_port()
        self.url = url_of(host, self.port, token)
        self._proxied = proxied_url(self.port, token)
        self._closed = False
        self._origins = tuple(origins)
        try:
            self._session = Session(
                self._server, source, spaces=spaces, playing=play and threaded, choices=others, chosen=self.name
            )
            self._session.speed = speed
            self._session.draw()
            self._loop = Loop(self._session) if threaded else None
        except BaseException:
            close_server(self._server)
            raise
        if not (in_notebook() if quiet is None else quiet):
            print(start_message(self.name, host, self.url), flush=True)
        if self._loop is not None:
            self._loop.start()
        if (has_display() and not is_interactive()) if open_browser is None else open_browser:
            open_page(self.url)

    # -- time ------------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether the simulation is running."""
        return self._session.playing

    @property
    def time(self) -> float:
        """Scene time, s."""
        return self._session.time

    @property
    def world(self) -> World:
        """The shown world; it may be another one after a reset."""
        return self._session.world

    @property
    def error(self) -> BaseException | None:
        """The exception that stopped the simulation; None if there is none."""
        return self._session.error

    @property
    def speed(self) -> float:
        """Target of the scene time relative to wall-clock time."""
        return self._session.speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._session.speed = checks.positive("the speed of the live view", value)

    def play(self) -> None:
        """Start, or continue, the simulation."""
        self.call(lambda: self._session.play(True))

    def pause(self) -> None:
        """Pause the simulation; from then on, only the caller accesses the world until `play`."""
        self.call(lambda: self._session.play(False))

    def step(self, steps: int = 1) -> None:
        """Take steps, and pause."""
        for _ in range(checks.count("the number of steps", steps, 1)):
            self.call(self._session.step)

    def reset(self) -> None:
        """Reset: with `rebuild` to a new scene, else to the state in which the world was first shown."""
        self.call(self._session.reset)

    def seek(self, time: float) -> None:
        """Go to a time of a recording, s."""
        self.call(lambda: self._session.seek(checks.finite("the time", time)))

    def look(self, camera: Any, target: Any) -> None:
        """Set the camera of every page to a position, m, looking at a target, m. Users can then move it with the mouse."""
        at = checks.vector("the camera's position", camera)
        towards = checks.vector("the camera's target", target)
        if at == towards:
            raise ValueError(f"the camera's target must differ from its position, {at}")
        self.call(lambda: self._session.look(at, towards))

    def call(self, function: Callable[[], T]) -> T:
        """Call a function between steps, in the thread that owns the world; returns its result, or raises its exception."""
        self._require_open()
        if self._loop is None or self._loop.is_own:
            self._session.touch()
            return function()

        def act() -> T:
            try:
                return function()
            finally:
                self._session.touch()

        try:
            result: T = self._session.commands.put(act).result()
        except CancelledError:
            raise RuntimeError(f"the live view of {self.name} was closed in the meantime") from None
        return result

    def sync(self) -> None:
        """Execute the commands of the browser, and show the current world; for viewers with `threaded=False`."""
        self._require_open()
        if self._loop is not None:
            raise RuntimeError(
                "this viewer shows the world by itself; make it with threaded=False to step the world yourself"
            )
        self._session.touch()
        self._session.frame()

    def wait(self, seconds: float | None = None) -> None:
        """Return after this time, s, or when the user presses Ctrl-C."""
        end = None if seconds is None else time.monotonic() + checks.not_negative("the seconds to wait", seconds)
        try:
            while not self._closed and (end is None or time.monotonic() < end):
                time.sleep(0.2 if end is None else max(min(0.2, end - time.monotonic()), 0.0))
        except KeyboardInterrupt:
            return

    # -- saving ----------------------------------------------------------------------------------------------------

    @also(frames_per_second="fps")
    def save_html(
        self, path: str | Path, seconds: float = 5.0, *, fps: float = 20.0, **aliases: Unpack[FramesPerSecond]
    ) -> Path:
        """Advance by this scene time, s, and save it as a page that needs no server and no network.

        The page plays the scene in a loop, with `fps` frames per second, and the mouse rotates it; it can be sent and
        published like a picture. OSError, before anything is done, if it cannot be written.
        """
        duration = checks.positive("the seconds of the page", seconds)
        rate = checks.positive("the frames per second of the page", fps)
        target = checked_path(path, (), "a page")
        page = self.call(lambda: recorded_page(self._session, duration, rate))
        with replacing(target) as aside:
            aside.write_text(page, encoding="utf-8")
        return target

    def close(self) -> None:
        """Close the view. The world is the caller's again."""
        if self._closed:
            return
        self._closed = True
        if self._loop is not None:
            self._loop.end()
        self._session.commands.close()
        self._session.tape.stop()
        following.take_turns(self._session.world, False)
        close_server(self._server)

    @property
    def closed(self) -> bool:
        """Whether the view is closed."""
        return self._closed

    def _require_open(self) -> None:
        if self._closed:
            raise RuntimeError(f"the live view of {self.name} is closed; make a new one")

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _repr_html_(self) -> str:
        """The view itself, for notebooks; if their browser cannot reach this machine, a recording of some seconds as a page."""
        if self._closed:
            return f"<p>The live view of {html.escape(self.name)} is closed.</p>"
        if not is_reachable() and not self._origins:
            return self._embedded(EMBEDDED_SECONDS)
        url = html.escape(self._proxied or self.url, quote=True)
        return (
            f'<iframe src="{url}" width="100%" height="{HEIGHT}" style="border:1px solid #ddd" '
            f'title="live view of {html.escape(self.name, quote=True)}"></iframe><p><a href="{url}">{url}</a></p>'
        )

    def _embedded(self, seconds: float) -> str:
        """Advance by this scene time, s, shown on a page inside the notebook's; see `save_html`."""
        page = self.call(lambda: recorded_page(self._session, seconds, EMBEDDED_RATE))
        return (
            f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="{HEIGHT}" '
            f'style="border:1px solid #ddd" title="recorded view of {html.escape(self.name, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"at {self.url}"
        return f"<Viewer of {self.name!r}, {state}>"


def _source_of(what: Any, h: Any, advance: Any, rebuild: Any, spaces: tuple[Space, ...]) -> Simulation | Replay:
    """The source to show."""
    for function, label in ((advance, "advance"), (rebuild, "rebuild")):
        if function is not None and not callable(function):
            raise TypeError(f"{label} of a live view must be a function, not {function!r}")
    replay = replay_of(what)
    if replay is not None:
        if not h is advance is rebuild is None:
            raise ValueError("a recording is played as it is: leave out h, advance and rebuild")
        return replay
    scene = as_scene(what, h, spaces)
    again = None if rebuild is None else lambda: as_scene(rebuild(), h, spaces)
    return Simulation(scene, advance=advance, rebuild=again)


def _sources_of(choices: Mapping[str, Callable[[], Any]] | None) -> dict[str, Callable[[], Simulation]]:
    """Functions that create a source, from functions that build a World or a Scene."""

    def maker(build: Callable[[], Any]) -> Callable[[], Simulation]:
        return lambda: Simulation(as_scene(build(), None, ()), rebuild=lambda: as_scene(build(), None, ()))

    for name, build in (choices or {}).items():
        if not callable(build):
            raise TypeError(f"choices of a live view are functions by name, but {name} is {build!r}")
    return {name: maker(build) for name, build in (choices or {}).items()}


def as_scene(what: Any, h: float | None, spaces: tuple[Space, ...]) -> Scene:
    """A scene of a World or a Scene."""
    if isinstance(what, World):
        what.bodies  # noqa: B018  (raises if destroyed)
        camera, target = framed(what, spaces)
        return Scene(what, h=0.01 if h is None else checks.step_size(h), camera=camera, target=target)
    if not isinstance(what, Scene):
        raise TypeError(f"view shows a World, a Scene or a recording, not {what!r}")
    if h is None:
        return what
    raise ValueError("a scene has its own step size: leave out h")
