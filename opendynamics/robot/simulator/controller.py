"""Controller: drives a robot in a simulator, by reading and writing its RobotIO once in each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opendynamics.api.member import Companion
from opendynamics.api.suggestions import explain_calls

if TYPE_CHECKING:
    from opendynamics.api.world import World
    from opendynamics.robot.simulator.io import RobotIO


@explain_calls
class Controller(Companion):
    """Base class of controllers: override `control`, and optionally `start`.

    Attributes that are numbers, text, arrays, lists and dictionaries are saved and restored with the world.
    """

    io: RobotIO

    def begin(self, io: RobotIO) -> None:
        """Attach to a robot; the simulator calls this once."""
        self.io = io
        self.start(io)

    def start(self, io: RobotIO) -> None:
        """Called before the first step: choose how joints are actuated. The state of the robot is already available."""

    def control(self, io: RobotIO) -> Any:
        """Compute the outputs for a step; return False to finish and not be called again."""
        raise NotImplementedError

    def _saved_with(self) -> World:
        return self.io.robot.world

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name used in messages."""
        io = vars(self).get("io")  # not by the attribute: the error for a missing one asks for the name
        return f"the {type(self).__name__}" + ("" if io is None else f" of {io.robot.name}")

    def __repr__(self) -> str:
        io = vars(self).get("io")
        return f"<{type(self).__name__} {'without a robot' if io is None else f'of {io.robot.name!r}'}>"


class FunctionController(Controller):
    """A function of a RobotIO as a controller."""

    def __init__(self, function: Callable[[RobotIO], Any]) -> None:
        self.function = function

    def control(self, io: RobotIO) -> Any:
        """Call the function."""
        return self.function(io)


def as_controller(given: Any) -> Controller:
    """A controller, or a function as one."""
    if isinstance(given, Controller):
        return given
    if isinstance(given, type) or not callable(given):
        raise TypeError(
            f"a controller must be a Controller, such as HoldPose(stiffness, damping), or a function of a RobotIO, not {given!r}"
        )
    return FunctionController(given)
