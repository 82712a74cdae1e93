"""Settings of a simulator: those of Choreonoid's ODESimulatorItem and of its base SimulatorItem, with the same defaults.

A field is one line here; `fields.py` checks, describes, stores and restores it. Names are the keys of current projects;
`older` are those of earlier projects.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from opendynamics.api.suggestions import explain_calls, nearest
from opendynamics.api.world import World
from opendynamics.robot.reading.node import Node
from opendynamics.robot.simulator import fields
from opendynamics.robot.simulator.fields import FLAG, TEXT, VECTOR, choice, declared, number, whole

STEP_MODES = choice(
    {"iterative": "Iterative (quick step)", "exact": "Big matrix"},
    {"Iterative": "iterative", "Quick step": "iterative"},
)
RANGES = choice(
    {"unlimited": "unlimited", "specified": "specified", "timebar": "timebar"},
    {
        "Unlimited": "unlimited",
        "Specified time": "specified",
        "TimeBar range": "timebar",
        "Active control period": "unlimited",
        # In the recordingMode of v1.5, which combined both.
        **dict.fromkeys(("Direct", "Full", "Tail", "Off", "full", "tail", "off"), "unlimited"),
    },
)


@explain_calls
@dataclass(frozen=True, kw_only=True)
class SimulatorSettings:
    """Settings of a simulator's steps. `SimulatorSettings.help()` describes the fields; change with `dataclasses.replace`."""

    time_step: float = declared(0.001, number(0.0, open_low=True), "duration of a step", unit="s", older="timestep")
    time_range_mode: str = declared("unlimited", RANGES, "what ends a run", older="recording_mode")
    time_length: float = declared(300.0, number(0.0), "duration of a run if time_range_mode is specified", unit="s")
    is_active_control_time_range_mode: bool = declared(
        False, FLAG, "end when no controller is active any more", older="only_active_control_period", optional=True
    )
    controller_options: str = declared("", TEXT, "words for all controllers", optional=True)
    step_mode: str = declared("iterative", STEP_MODES, "solver")
    gravity: tuple[float, float, float] = declared(
        (0.0, 0.0, -9.80665), VECTOR, "acceleration of free fall", unit="m/s²"
    )
    friction: float = declared(1.0, number(0.0), "friction coefficient where there is no table of materials")
    enable_joint_limit: bool = declared(
        False, FLAG, "stop joints at their limits", older="joint_limit_mode", optional=True
    )
    add_joint_axis_inertia_to_link_inertia: bool = declared(
        False, FLAG, "add the reflected inertia of rotors to the links that they turn", optional=True
    )
    global_erp: float = declared(
        0.4, number(0.0, 1.0), "fraction of the error of a joint or contact corrected in a step"
    )
    global_cfm: float = declared(1e-10, number(0.0), "constraint force mixing")
    num_iterations: int = declared(50, whole(1, 999), "iterations of the iterative solver")
    over_relaxation: float = declared(1.3, number(0.1, 1.9), "over-relaxation of the iterative solver in ODE's order")
    limit_correcting_velocity: bool = declared(
        True, FLAG, "limit the velocity that corrects penetration", older="limit_correcting_vel"
    )
    max_correcting_velocity: float = declared(
        0.01, number(0.0), "that limit, for contacts", unit="m/s", older="max_correcting_vel"
    )
    surface_drive_culling_depth: float = declared(
        0.005, number(0.0), "penetration depth above which contacts of tracks have friction only; 0: none", unit="m"
    )
    use_2d_mode: bool = declared(
        False, FLAG, "keep free roots in their planes y = constant", older="2_dmode", optional=True
    )

    def __post_init__(self) -> None:
        fields.checked(self, "the simulator settings")

    @staticmethod
    def help() -> str:
        """The fields: defaults, ranges, units, meaning."""
        return fields.described(SimulatorSettings)

    @staticmethod
    def restored(node: Node, time_step: float | None = None) -> SimulatorSettings:
        """Settings from the data of a project's simulator, with old or new keys.

        Args:
            node: the data.
            time_step: of the project's time bar, s, which is used if the data has neither a time step nor a frame rate.
        """
        found = fields.restored(SimulatorSettings, node, "a simulator")
        if "time_step" not in found and "frame_rate" in node:
            found["time_step"] = 1.0 / node.positive("frame_rate")
        if "time_step" not in found and time_step is not None:
            found["time_step"] = time_step
        # Projects of 2017 have no separate flag for it.
        if node.text("time_range_mode") == "Active control period":
            found["is_active_control_time_range_mode"] = True
        node.ignore("frame_rate")
        return SimulatorSettings(**found)

    def store(self, node: Node) -> None:
        """Write the settings to the data of a project's simulator, with current keys; its other contents are kept."""
        fields.store(self, node)

    def changed(self, **values: Any) -> SimulatorSettings:
        """The same settings with some values changed."""
        for name in values:
            if name not in fields.declarations(self):
                remedy = nearest(name, fields.declarations(self)) or ";"
                raise TypeError(f"a simulator has no setting {name!r}{remedy} SimulatorSettings.help() lists them")
        return replace(self, **values)

    @property
    def solver(self) -> str:
        """The engine's name of the step mode."""
        return "exact" if self.step_mode == "exact" else "pgs"

    def apply(self, world: World) -> None:
        """Apply the settings that a world has."""
        world.gravity, world.solver = self.gravity, self.solver
        world.erp, world.cfm = self.global_erp, self.global_cfm
        world.quickstep_iterations, world.quickstep_relaxation = self.num_iterations, self.over_relaxation
        limit = self.max_correcting_velocity if self.limit_correcting_velocity else float("inf")
        world.contact_max_correcting_velocity = limit
