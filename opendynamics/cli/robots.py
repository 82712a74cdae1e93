"""Robot projects and models as scenes: a project runs with its settings; a model is shown alone, with joint sliders."""

from __future__ import annotations

import inspect
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import reading
from opendynamics.api.describing import count
from opendynamics.api.world import World
from opendynamics.cli.errors import UserError
from opendynamics.scenes import Scene, Slider

if TYPE_CHECKING:
    from opendynamics.robot.link import Joint
    from opendynamics.robot.model import Model
    from opendynamics.robot.robot import Robot
    from opendynamics.robot.simulator.simulator import Simulator

# Duration, s, of a project whose settings have no end, and step size, s, of the world in which a model is shown.
PROJECT_SECONDS, LOOKING_STEP = 10.0, 0.02

# Camera position for a model, in multiples of its size.
VIEWPOINT = np.array((0.9, -1.3, 0.55))


def project_builder(path: Path) -> Callable[..., Scene]:
    """A function that builds the scene of a project; its keyword arguments are those of `--set`."""
    from opendynamics.robot.simulator.settings import SimulatorSettings

    def build(simulator: str | None = None, share: str | None = None, **values: Any) -> Scene:
        from opendynamics.robot.projects.project import load_project

        with _remarked():
            project = load_project(path, variables={} if share is None else {"SHARE": share})
            return scene_of(project.build(simulator, **values))

    own = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in ("simulator", "share")]
    own += [
        inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default) for f in fields(SimulatorSettings)
    ]
    build.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
    return build


def scene_of(sim: Simulator) -> Scene:
    """A simulator as a scene."""
    camera, target = viewpoint(sim.world)
    return Scene(
        sim.world,
        h=sim.h,
        seconds=_end(sim),
        camera=camera,
        target=target,
        note=", ".join(sim.robots),
        control=lambda time: sim.prepare(),
        finished=lambda: sim.finished,
        channels=sim.channels,
    )


def _end(sim: Simulator) -> float:
    """Maximum duration of a run, s."""
    if math.isfinite(sim.seconds):
        return sim.seconds
    return sim.settings.time_length if sim.settings.is_active_control_time_range_mode else PROJECT_SECONDS


def model_scene(path: Path) -> Scene:
    """A model alone in a world without gravity, in the pose of its sliders."""
    from opendynamics.robot.loaders import load_robot
    from opendynamics.robot.robot import Robot

    with _remarked():
        model = load_robot(path, roots=_roots(path))
        world = World(name=model.name)
        try:
            robot = Robot(world, _shown(model, visual=True))
        except ValueError:  # a visual mesh that cannot be a geom
            robot = Robot(world, _shown(model, visual=False))
    camera, target = viewpoint(world)
    hold, sliders = (None, ()) if robot.model.is_static else _sliders(robot)
    mass = f"{model.mass:.4g} kg, {count(len(model.links), 'link')}, {count(len(model.joints), 'joint')}"
    return Scene(world, LOOKING_STEP, camera=camera, target=target, note=mass, control=hold, sliders=sliders)


def _roots(path: Path) -> list[Path]:
    """Folders that may contain a model's files: its own, and the `model` folder that contains it."""
    return [above for above in path.resolve().parents if above.name == "model"][:1]


def _shown(model: Model, visual: bool) -> Model:
    """The model for viewing: with its visual shapes, unit masses, and no loops."""
    from opendynamics.robot.model import Model as Kind

    links = [
        replace(link, collision=link.visual if visual else link.collision, mass=1.0, inertia=np.eye(3))
        for link in model.links
    ]
    return Kind(model.name, links, source=model.source)


def _sliders(robot: Robot) -> tuple[Callable[[float], None], tuple[Slider, ...]]:
    """The controller that holds a robot in a pose, and the sliders that change it."""
    state = robot.read()

    def hold(time: float) -> None:
        robot.place(state)

    def changer(joint: Joint) -> Callable[[float], None]:
        def change(value: float) -> None:
            state.q[joint.index] = value

        return change

    sliders = []
    for joint in robot.model.joints:
        unit, usual = ("rad", math.pi) if joint.type == "revolute" else ("m", 1.0)
        low = joint.lower if math.isfinite(joint.lower) else -usual
        high = joint.upper if math.isfinite(joint.upper) else usual
        value = min(max(float(state.q[joint.index]), low), high)
        if low < high:
            sliders.append(Slider(f"{joint.name}, {unit}", low, high, value, changer(joint)))
    return hold, tuple(sliders)


def viewpoint(world: World) -> tuple[Any, Any]:
    """Camera and target, m, that show all bodies of a world, or all geoms if nothing moves."""
    boxes = reading.boxes_of(world)
    moving = np.array([geom.body is not None for geom in world.space.geoms()], bool)
    if moving.any():
        boxes = boxes[moving]
    boxes = boxes[np.isfinite(boxes).all(axis=1)]
    if not len(boxes):
        return (6.0, -8.0, 4.0), (0.0, 0.0, 0.5)
    low, high = boxes[:, 0::2].min(axis=0), boxes[:, 1::2].max(axis=0)
    middle, size = 0.5 * (low + high), max(float(np.linalg.norm(high - low)), 1e-3)
    return tuple((middle + size * VIEWPOINT).tolist()), tuple(middle.tolist())


@contextmanager
def _remarked() -> Iterator[None]:
    """Print findings about files as notes; files that cannot be read are a UserError."""
    from opendynamics.robot.reading.findings import ModelWarning

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", ModelWarning)
        try:
            yield
        except (ValueError, OSError, KeyError, ImportError) as error:
            raise UserError(str(error.args[0]) if isinstance(error, KeyError) else str(error)) from error
    for warning in found:
        print(f"note: {warning.message}", file=sys.stderr)
