"""Plays a scene and takes pictures of it: reads a Source and a Plan, writes files."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from opendynamics.api.progress import progress
from opendynamics.api.stepping import FaultWarning
from opendynamics.cli.errors import UserError
from opendynamics.cli.playing import prepare
from opendynamics.cli.sources import Source
from opendynamics.core import step as stages
from opendynamics.viewer.pictures.backends import renderer_class
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.files import save_picture
from opendynamics.viewer.pictures.video import Video

MOST_FRAMES = 1_000_000


@dataclass(frozen=True)
class Plan:
    """What is to be taken, and when.

    Attributes:
        stills: paths of pictures, and when each is taken, s of the scene.
        films: paths of films.
        seconds: of the scene that films show.
        fps: frames a second.
        speed: seconds of the scene in a second of the film.
        camera: where from; chosen by the renderer if None.
        settings: of the renderer.
        backend: which renderer.
    """

    stills: tuple[tuple[str, float], ...] = ()
    films: tuple[str, ...] = ()
    seconds: float = 0.0
    fps: float = 30.0
    speed: float = 1.0
    camera: Camera | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    backend: str = "rays"

    def frames(self, h: float) -> dict[int, int]:
        """How many frames of films are taken after each step of `h` s."""
        if not self.films:
            return {}
        count = max(1, round(self.seconds / self.speed * self.fps))
        if count > MOST_FRAMES:
            raise UserError(
                f"a film of {count} frames is too long, {MOST_FRAMES} are enough for hours: lower --fps or --seconds"
            )
        steps = np.round(np.arange(count) * self.speed / self.fps / h).astype(int)
        found, times = np.unique(steps, return_counts=True)
        return dict(zip(found.tolist(), times.tolist(), strict=True))

    def pictures(self, h: float) -> dict[int, list[str]]:
        """Which pictures are taken after each step."""
        found: dict[int, list[str]] = {}
        for path, time in self.stills:
            found.setdefault(round(time / h), []).append(path)
        return found


@dataclass(frozen=True)
class Taken:
    """What was written.

    Attributes:
        files: paths, in the order given.
        frames: of each film.
        size: width and height, pixels.
        simulated: s of the scene.
        faults: names of the bodies whose motion came out not finite.
        interrupted: whether Ctrl-C ended it.
    """

    scene: str
    files: tuple[str, ...]
    frames: int
    size: tuple[int, int]
    simulated: float
    faults: tuple[str, ...]
    interrupted: bool = False


def film(source: Source, plan: Plan) -> Taken:
    """Play the scene as long as there is something to take, or Ctrl-C allows. Ends films properly whatever happens.

    UserError if the scene ends before a picture is taken.
    """
    scene, world = source.scene, source.scene.world
    frames, pictures = plan.frames(scene.h), plan.pictures(scene.h)
    last = max([*frames, *pictures], default=0)
    renderer = renderer_class(plan.backend)(world, **plan.settings)
    prepare(world, stages.advance)
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", FaultWarning)  # the report names them
        update = stack.enter_context(progress(last + len(frames) + len(pictures), source.name))
        films = [stack.enter_context(Video(path, fps=plan.fps)) for path in plan.films]
        done, written, interrupted = 0, [], False

        def take(step: int) -> None:
            nonlocal done
            if step not in frames and step not in pictures:
                return
            picture = renderer.render(plan.camera)
            for path in pictures.get(step, ()):
                save_picture(path, picture)
                written.append(path)
            for _ in range(frames.get(step, 0)):
                for one in films:
                    one.add(picture)
            done += (step in frames) + (step in pictures)

        reached = 0
        try:
            take(0)
            for step in scene.play(last):
                take(step)
                update(step + done, "")
                reached = step
        except KeyboardInterrupt:
            if not done:
                raise
            interrupted = True
        # A scene that was recorded ends when it ends.
        late = [path for step, paths in pictures.items() if step > reached for path in paths]
        if late and not interrupted:
            raise UserError(f"{source.name} ends after {reached * scene.h:g} s: choose an earlier --at for {late[0]}")
    return Taken(
        scene=source.name,
        files=(*written, *(path for path, one in zip(plan.films, films, strict=True) if one.frames)),
        frames=max((one.frames for one in films), default=0),
        size=renderer.size,
        simulated=reached * scene.h,
        faults=tuple(body.name for body in world.faults),
        interrupted=interrupted,
    )
