"""Recordings as sources of the view.

A recording is any object with `times`, s, `world()`, which creates a World, and `put(world, frame)`, which shows a frame in
it; optionally `contacts(frame)` with `positions` and `forces`, if they were recorded. A scene that shows a recording has it
as its `recording`.
"""

from __future__ import annotations

from typing import Any

from opendynamics.scenes import Scene
from opendynamics.viewer.live.framing import framed
from opendynamics.viewer.live.replay import Replay


def replay_of(what: Any) -> Replay | None:
    """The replay of a recording, or of a scene that shows one; None for anything else."""
    if isinstance(what, Replay):
        return what
    if isinstance(what, Scene):
        recording = getattr(what, "recording", None)
        return None if recording is None else _replay(what, recording)
    if not all(hasattr(what, name) for name in ("times", "world", "put")):
        return None
    world = what.world()
    camera, target = framed(world)
    return _replay(Scene(world, camera=camera, target=target), what)


def _replay(scene: Scene, recording: Any) -> Replay:
    return Replay(
        scene,
        recording.times,
        lambda frame: recording.put(scene.world, frame),
        contacts=getattr(recording, "contacts", None),
    )
