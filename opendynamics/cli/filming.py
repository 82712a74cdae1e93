"""Plays a scene and renders pictures of it: reads a Source and a Plan, writes files."""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from opendynamics.api.progress import progress
from opendynamics.api.stepping import FaultWarning
from opendynamics.cli.arguments import step_at
from opendynamics.cli.errors import UserError
from opendynamics.cli.playing import prepare
from opendynamics.cli.sources import Source
from opendynamics.core import step as stages
from opendynamics.viewer.pictures.backends import renderer_class
from opendynamics.viewer.pictures.camera import Camera
from opendynamics.viewer.pictures.files import save_picture
from opendynamics.viewer.pictures.video import Video

MAX_FRAMES = 1_000_000


@dataclass(frozen=True)
class Plan:
    """The pictures and films to render, and their times.

    Attributes:
        stills: paths of pictures, and the scene time of each, s.
        films: paths of films.
        seconds: scene time that films show.
        fps: frames a second.
        speed: scene time relative to film time.
        camera: position of the camera; chosen by the renderer if None.
        settings: of the renderer.
        backend: the renderer's backend.
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
        """Number of film frames after each step of `h` s."""
        if not self.films:
            return {}
        wanted = self.seconds / self.speed * self.fps
        if wanted > MAX_FRAMES:
            raise UserError(
                f"a film of {wanted:.7g} frames is too long, {MAX_FRAMES} are enough for hours: lower --fps or --seconds"
            )
        step_at(self.seconds, h, "--seconds")
        steps = np.round(np.arange(max(1, round(wanted))) * self.speed / self.fps / h).astype(int)
        found, times = np.unique(steps, return_counts=True)
        return dict(zip(found.tolist(), times.tolist(), strict=True))

    def pictures(self, h: float) -> dict[int, list[str]]:
        """Pictures rendered after each step."""
        found: dict[int, list[str]] = {}
        for path, time in self.stills:
            found.setdefault(step_at(time, h, "--at"), []).append(path)
        return found


@dataclass(frozen=True)
class Taken:
    """The written files.

    Attributes:
        files: paths, in the order given.
        frames: of each film.
        size: width and height, pixels.
        simulated: scene time, s.
        faults: names of the bodies whose motion became non-finite.
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
    """Play the scene until all pictures are rendered, or Ctrl-C. Films are closed properly in any case.

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
        # A recorded scene ends with its recording.
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
