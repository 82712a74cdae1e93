"""Simulator: robots and their environment in a World, stepped with controllers, customizers, pushes and hooks.

A step: hooks before; robots read; controllers; outputs of controllers without delay; hooks in the middle; customizers, actuation
and pushes; the world's step with its collision; sensors and planes; hooks after; outputs of controllers with delay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from opendynamics.api import checks
from opendynamics.api.following import accompany, companions_of, watch
from opendynamics.api.joints.joint import Joint as EngineJoint
from opendynamics.api.member import Companion
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.world import World
from opendynamics.robot.link import Link
from opendynamics.robot.materials import MaterialTable
from opendynamics.robot.model import Model
from opendynamics.robot.named import ByName
from opendynamics.robot.robot import Robot
from opendynamics.robot.simulator.channels import channels_of
from opendynamics.robot.simulator.connecting import End, connect
from opendynamics.robot.simulator.controller import as_controller
from opendynamics.robot.simulator.customizers import customizers_of
from opendynamics.robot.simulator.io import RobotIO
from opendynamics.robot.simulator.planes import PlaneOfRoot, hold_in_planes
from opendynamics.robot.simulator.pushes import Push
from opendynamics.robot.simulator.settings import SimulatorSettings
from opendynamics.robot.state import State

Hook = Callable[["Simulator"], Any]
HOOKS = ("before", "middle", "after")

# Contacts bounce above this speed at least, and above this multiple of what gravity adds in a step.
SLOWEST_BOUNCE, BOUNCE_STEPS = 1e-4, 2.0


@explain_calls
class Simulator(Companion):
    """Robots and their environment, simulated together.

        sim = od.robot.Simulator(time_step=0.002, step_mode="exact")
        sim.add_robot(od.load_robot("floor.body"))
        robot = sim.add_robot(od.load_robot("SR1.body"), controller=control)
        sim.run(2.0)

    Args:
        settings: settings of the steps; `SimulatorSettings.help()` describes the fields.
        materials: table of materials; by default all pairs have the friction of the settings.
        world: the world; a new one by default. The settings are applied to it.
        values: single settings, instead of those of `settings`.

    Attributes:
        world: the world, with `surfaces`, `contacts`, `save()` and so on. Simulator, robots, controllers and sensors are part
            of its snapshots.
        robots: by name, in the order in which they were added.
        steps: number of steps so far.
    """

    _transient: ClassVar[dict[str, Any]] = {"_prepared": bool}
    _further_arguments = None  # settings, which `changed` checks
    _shared = frozenset({"settings", "materials"})
    _changing = Companion._changing | {ByName}

    def __init__(
        self,
        settings: SimulatorSettings | None = None,
        *,
        materials: MaterialTable | None = None,
        world: World | None = None,
        **values: Any,
    ) -> None:
        if settings is not None and not isinstance(settings, SimulatorSettings):
            raise TypeError(f"the settings of a simulator go by name, Simulator(time_step=0.002), not {settings!r}")
        self.settings = (settings or SimulatorSettings()).changed(**values)
        self.materials = materials
        self.world = World() if world is None else world
        self.robots: ByName[Robot] = ByName("robot")
        self.ios: dict[str, RobotIO] = {}
        self.controllers: list[Any] = []
        self.steps = 0
        self._customizers: list[Any] = []
        self._active: list[Any] = []
        self._hooks: dict[str, list[Hook]] = {}
        self._pushes: list[Push] = []
        self._planes: list[PlaneOfRoot] = []
        self._prepared = False
        self.settings.apply(self.world)
        self._meet()
        accompany(self.world, self)
        watch(self.world, self)

    @staticmethod
    def of(world: World) -> Simulator:
        """The simulator of a world, such as one loaded from a snapshot; ValueError if it has none."""
        for one in companions_of(world):
            if isinstance(one, Simulator):
                return one
        raise ValueError(f"{world.name} belongs to no simulator")

    def _saved_with(self) -> World:
        return self.world

    def _reinstated(self) -> None:
        self._prepared = False
        watch(self.world, self)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name used in messages."""
        return f"the simulator of {self.world.name}"

    @property
    def h(self) -> float:
        """Duration of a step, s."""
        return self.settings.time_step

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self.steps * self.h

    # -- contents --------------------------------------------------------------------------------------------------

    def add_robot(
        self,
        model: Model,
        state: State | None = None,
        *,
        name: str | None = None,
        controller: Any = None,
        options: Iterable[str] = (),
        delayed: bool = False,
        self_collision: bool = False,
    ) -> Robot:
        """Add a robot, or a part of its environment.

        Args:
            model: from `load_robot`.
            state: initial state; by default that of the file.
            name: by default the model's; a number is appended if that name exists.
            controller: a Controller, a function of a RobotIO, or several of these.
            options: strings for its controllers.
            delayed: whether outputs of its controllers act one step later.
            self_collision: whether its own links collide.

        If a controller cannot start, or anything else is wrong, the robot is removed completely.
        """
        if not isinstance(model, Model):
            raise TypeError(f"a Simulator adds a Model, such as od.load_robot(file) returns, not {model!r}")
        several = controller if isinstance(controller, (list, tuple)) else [] if controller is None else [controller]
        controllers = [as_controller(one) for one in several]
        settings = self.settings
        robot = Robot(
            self.world,
            model,
            state,
            name=self._free_name(name or model.name),
            self_collision=self_collision,
            joint_limits=settings.enable_joint_limit,
            rotors=settings.add_joint_axis_inertia_to_link_inertia,
        )
        self.robots[robot.name] = robot
        try:
            self._meet()
            if settings.use_2d_mode:
                self._planes = [*self._planes, *hold_in_planes(robot)]
            depth = settings.surface_drive_culling_depth or math.inf
            words = (*settings.controller_options.split(), *options)
            self.ios[robot.name] = RobotIO(robot, self.h, words, delayed=delayed, track_depth=depth)
            self._customizers = [*self._customizers, *customizers_of(robot)]
            for one in controllers:
                self.control(robot, one)
        except BaseException:
            self.remove_robot(robot)
            raise
        return robot

    def remove_robot(self, robot: Robot | str) -> None:
        """Remove a robot, with its controllers, customizers and pushes, and destroy it."""
        own = self._own(robot)
        del self.robots[own.name]
        self.ios.pop(own.name, None)
        self.controllers = [one for one in self.controllers if one.io.robot is not own]
        self._active = [one for one in self._active if one.io.robot is not own]
        self._customizers = [(other, one) for other, one in self._customizers if other is not own]
        self._pushes = [push for push in self._pushes if push.robot is not own]
        bodies = set(own.bodies.values())
        for plane in (plane for plane in self._planes if plane.body in bodies):
            plane.end()
        self._planes = [plane for plane in self._planes if plane.body not in bodies]
        own.destroy()

    def _free_name(self, name: str) -> str:
        number, found = 1, name
        while found in self.robots:
            number += 1
            found = f"{name}-{number}"
        return found

    def _meet(self) -> None:
        """Set the table of materials for all robots."""
        world = self.world
        if self.materials is None:
            world.surfaces.default = replace(world.surfaces.default, mu=self.settings.friction)
            return
        names = {link.material for robot in self.robots.values() for link in robot.model.links}
        gravity = float(np.linalg.norm(self.settings.gravity))
        self.materials.apply(world, names, max(BOUNCE_STEPS * gravity * self.h, SLOWEST_BOUNCE))

    def control(self, robot: Robot | str, controller: Any) -> None:
        """Add a controller, or a function of a RobotIO, to a robot."""
        one = as_controller(controller)
        one.begin(self.io(robot))
        self.controllers = [*self.controllers, one]
        self._active = [*self._active, one]

    def io(self, robot: Robot | str) -> RobotIO:
        """Input and output of a robot's controllers."""
        return self.ios[self._own(robot).name]

    def customize(self, robot: Robot | str, customizer: Callable[[Robot, State, float], Any]) -> None:
        """Add a function that returns passive efforts of a robot's joints, such as springs.

        Args:
            robot: the robot.
            customizer: called in each step with the robot, its state and the step, s; returns efforts, shape (n,), which act
                in every actuation mode.
        """
        require_function("a customizer", customizer)
        self._customizers = [*self._customizers, (self._own(robot), customizer)]

    def connect(self, type: str, one: End, two: End, *, axis: Any = (0.0, 0.0, 1.0), name: str = "") -> EngineJoint:
        """Create an extra joint between links of two robots, or of one, at their current poses.

        Args:
            type: "fixed", "ball", "hinge" or "piston".
            one, two: robot, link, and the point of the joint on the link, m: `(robot, "HAND", (0, 0, 0.1))`. A link that
                cannot move represents the world. The second point may be omitted.
            axis: of a hinge or piston, in the frame of the first link.
            name: the name used in messages.
        """
        return connect(self.world, type, self._own_end(one), self._own_end(two), axis=axis, name=name)

    def _own_end(self, end: End) -> End:
        return (self._own(end[0]), *end[1:])

    def push(
        self,
        robot: Robot | str,
        link: str | Link,
        force: Any,
        *,
        point: Any = (0.0, 0.0, 0.0),
        torque: Any = (0.0, 0.0, 0.0),
        seconds: float = math.inf,
    ) -> Push:
        """Apply an external force to a link from now on.

        Args:
            robot, link: the link.
            force: N, in the world frame.
            point: point of application, in the link's frame, m.
            torque: N m, in the world frame.
            seconds: duration; by default until `Push.end()`.
        """
        own = self._own(robot)
        duration = checks.not_negative("the seconds of a push", seconds, infinite=True)
        push = Push(own, own.model.link(link), force, point, torque, self.steps + self._steps_in(duration))
        self._pushes = [*self._pushes, push]
        return push

    def _own(self, robot: Any) -> Robot:
        if isinstance(robot, str):
            return self.robots[robot]
        if not isinstance(robot, Robot) or self.robots.get(robot.name) is not robot:
            raise ValueError(f"{robot!r} is not a robot of this simulator")
        return robot

    # -- hooks -----------------------------------------------------------------------------------------------------

    def hook(self, function: Hook, when: str = "before") -> Hook:
        """Call a function with the simulator in every step: "before" controllers, in the "middle", or "after" the step."""
        require_function("a hook", function)
        if when not in HOOKS:
            raise ValueError(f"a hook is called {', '.join(HOOKS)}, not {when!r}")
        self._hooks = {**self._hooks, when: [*self._hooks.get(when, ()), function]}
        return function

    def unhook(self, function: Hook) -> None:
        """Remove a hook."""
        self._hooks = {when: [one for one in hooks if one is not function] for when, hooks in self._hooks.items()}

    def _call(self, when: str) -> None:
        for function in self._hooks.get(when, ()):
            function(self)

    # -- stepping --------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Take one step."""
        self.prepare()
        self.world.advance(self.h)

    def run(self, seconds: float | None = None) -> float:
        """Step for this time, s, or as the settings define; returns the simulated time, s.

        Without `seconds` it ends after `time_length` if `time_range_mode` is "specified" or "timebar", and when no controller
        is active any more if `is_active_control_time_range_mode` is set; ValueError if neither can happen.
        """
        left = self._steps_in(self.seconds if seconds is None else checks.not_negative("the seconds of a run", seconds))
        if left == math.inf and not (self._ends_with_control and self.controllers):
            raise ValueError(
                f"{self.name} would run for ever: give seconds, settings with time_range_mode='specified', or controllers "
                "that end and is_active_control_time_range_mode"
            )
        while left > 0 and not (seconds is None and self.finished):
            self.step()
            left -= 1
        return self.time

    def _steps_in(self, seconds: float) -> float:
        return math.inf if seconds == math.inf else round(seconds / self.h)

    @property
    def _ends_with_control(self) -> bool:
        return self.settings.is_active_control_time_range_mode

    @property
    def seconds(self) -> float:
        """Duration of a run by the settings; infinite if they define no end."""
        return math.inf if self.settings.time_range_mode == "unlimited" else self.settings.time_length

    @property
    def finished(self) -> bool:
        """Whether a run has ended because no controller is active any more."""
        return self._ends_with_control and bool(self.controllers) and not self._active

    def prepare(self) -> None:
        """The part of a step before the world's own: controllers, customizers, actuation, pushes.

        `step` calls it. Code that steps the world directly, such as a viewer, calls it before each `world.advance(sim.h)`.
        """
        self._call("before")
        time = self.time
        for io in self.ios.values():
            io.begin_step(time)
        done = [one for one in self._active if one.control(one.io) is False]
        if done:
            self._active = [one for one in self._active if one not in done]
        for io in self.ios.values():
            if not io.delayed:
                io.output()
        self._call("middle")
        for robot, customizer in self._customizers:
            robot.drive_passively(customizer(robot, self.ios[robot.name].state, self.h))
        for io in self.ios.values():
            io.apply()
        self._pushes = [push for push in self._pushes if self.steps < push.last]
        for push in self._pushes:
            push.apply()
        self._prepared = True

    @property
    def steps_until_frame(self) -> int:
        """Number of steps until the world calls `stepped`."""
        return 1

    def stepped(self, h: float, steps: int) -> None:
        """Called after each step of the world: planes, sensors, hooks, delayed outputs."""
        for plane in self._planes:
            plane.project()
        for robot in self.robots.values():
            robot.sense(h)
        self.steps += 1
        self._call("after")
        if self._prepared:
            self._prepared = False
            for io in self.ios.values():
                if io.delayed:
                    io.output()

    # -- recording -------------------------------------------------------------------------------------------------

    @property
    def channels(self) -> Mapping[str, Callable[[], Any]]:
        """Channels of the robots for a recorder: displacements, velocities and efforts of joints, readings of sensors."""
        return {"time": lambda: self.time} | channels_of(self.ios.values())

    def record(self, path: str | Path, **options: Any) -> Any:
        """A Recorder of the world with the joints and sensors of all robots as channels; `options` are a Recorder's."""
        from opendynamics.io.recording.recorder import Recorder

        channels = {**self.channels, **options.pop("channels", {})}
        return Recorder(self.world, path, channels=channels, **options)

    def __repr__(self) -> str:
        return f"<Simulator of {', '.join(self.robots) or 'nothing'} at {self.time:g} s>"


def require_function(what: str, given: Any) -> None:
    """Raise TypeError unless it is callable."""
    if not callable(given):
        raise TypeError(f"{what} must be a function, not {given!r}")
