"""The simulator: settings, controllers and actuation, tracks, materials, planes, pushes, extra joints and hooks."""

import math
import warnings
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.yaml_tree import parse_yaml
from opendynamics.robot.simulator.fields import declarations
from tests.robot.models import load_text, planar_arm

MODELS = Path(__file__).parents[1] / "data" / "models"
MODES = ("iterative", "exact")


def load(file, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        return od.load_robot(MODELS / file, **options)


def at(model, *position, **state):
    return model.state(position=position, **state)


def with_floor(**settings):
    sim = robot.Simulator(**settings)
    floor = load("misc/floor.body")
    sim.add_robot(floor, at(floor, 0, 0, -0.1))
    return sim


def node_of(text):
    return parse_yaml(text, Path("project.cnoid"), robot.Limits())


# -- settings ----------------------------------------------------------------------------------------------------------

OTHER = {
    "time_step": 0.002,
    "time_range_mode": "specified",
    "time_length": 12.5,
    "is_active_control_time_range_mode": True,
    "controller_options": "position fast",
    "step_mode": "exact",
    "gravity": (0.1, 0.0, -3.7),
    "friction": 0.25,
    "enable_joint_limit": True,
    "add_joint_axis_inertia_to_link_inertia": True,
    "global_erp": 0.3,
    "global_cfm": 1e-7,
    "num_iterations": 77,
    "over_relaxation": 1.1,
    "limit_correcting_velocity": False,
    "max_correcting_velocity": 0.125,
    "surface_drive_culling_depth": 0.01,
    "use_2d_mode": True,
}


def test_every_setting_is_stored_and_restored():
    settings = robot.SimulatorSettings(**OTHER)
    assert set(OTHER) == {one.name for one in fields(settings)} == set(declarations(settings))
    for name, value in OTHER.items():
        assert getattr(robot.SimulatorSettings(), name) != value
    for one in (settings, robot.SimulatorSettings()):
        node = Node("", Path("a"), 1)
        one.store(node)
        assert robot.SimulatorSettings.restored(node) == one
    # Values that are defaults and optional are not written.
    assert "use_2d_mode" not in node and "friction" in node


def test_older_keys_are_read_and_replaced():
    node = node_of(
        "timestep: 0.004\ntimeLength: 60\nstepMode: Big matrix\nglobalERP: 0.25\nglobalCFM: 1.0e-9\nnumIterations: 20\n"
        "overRelaxation: 1.2\nlimitCorrectingVel: false\nmaxCorrectingVel: 1.0e-3\n2Dmode: true\njointLimitMode: true\n"
        "timeRangeMode: Active control period\nUseWorldItem'sCollisionDetector: false\ngravity: [ 0, 0, -9.8 ]\n"
    )
    settings = robot.SimulatorSettings.restored(node)
    assert settings == robot.SimulatorSettings(
        time_step=0.004, time_length=60.0, step_mode="exact", global_erp=0.25, global_cfm=1e-9, num_iterations=20,
        over_relaxation=1.2, limit_correcting_velocity=False, max_correcting_velocity=1e-3, use_2d_mode=True,
        enable_joint_limit=True, is_active_control_time_range_mode=True, gravity=(0, 0, -9.8),
    )  # fmt: skip
    settings.store(node)
    keys = {node.spelling(key) for key in node.fields}
    assert {"time_step", "step_mode", "use_2d_mode", "UseWorldItem'sCollisionDetector"} <= keys
    assert not {"timestep", "stepMode", "2Dmode", "globalERP"} & keys
    assert robot.SimulatorSettings.restored(node) == settings


def test_numbers_keep_their_notation():
    node = node_of("global_cfm: 1.0e-7\nfriction: 0.50\n")
    robot.SimulatorSettings.restored(node).changed(friction=0.5).store(node)
    assert node.text("global_cfm") == "1.0e-7" and node.text("friction") == "0.50"


def test_time_step_frame_rate_and_time_bar():
    for text, step in (
        ("frame_rate: 500\n", 0.002),
        ("friction: 1\n", 0.004),
        ("time_step: 0.01\nframe_rate: 5\n", 0.01),
    ):
        assert robot.SimulatorSettings.restored(node_of(text), 0.004).time_step == step


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"time_step": 0}, r"time_step of the simulator settings must be above 0, not 0"),
        ({"global_erp": 1.5}, r"global_erp of the simulator settings must be between 0 and 1, not 1.5"),
        ({"num_iterations": 1000}, "num_iterations of the simulator settings"),
        (
            {"step_mode": "quick"},
            r"step_mode of the simulator settings must be one of 'iterative', 'exact', not 'quick'",
        ),
        ({"gravity": (0, 1)}, "gravity of the simulator settings"),
        ({"use_2d_mode": "yes"}, "use_2d_mode of the simulator settings must be True or False"),
    ],
)
def test_wrong_settings_are_refused(values, message):
    with pytest.raises((ValueError, TypeError), match=message):
        robot.SimulatorSettings(**values)


def test_wrong_settings_in_files_are_located():
    for line in ("globalERP: 3", "time_step: quick", "step_mode: Slow", "gravity: [ 1, 2 ]", "use_2d_mode: perhaps"):
        with pytest.raises(robot.ModelError, match=r"project.cnoid:2: "):
            robot.SimulatorSettings.restored(node_of(f"friction: 1\n{line}\n"))


def test_help_names_every_setting():
    help = robot.SimulatorSettings.help()
    assert all(f"{one.name}: " in help for one in fields(robot.SimulatorSettings))
    assert "time_step: duration of a step (0.001 s; above 0)" in help


def test_the_world_is_set():
    world = robot.Simulator(**{**OTHER, "use_2d_mode": False}).world
    assert world.gravity.tolist() == [0.1, 0.0, -3.7] and world.solver == "exact" and world.erp == 0.3
    assert world.cfm == 1e-7 and world.quickstep_iterations == 77 and world.contact_max_correcting_velocity == math.inf
    assert world.surfaces.default.mu == 0.25
    assert robot.Simulator(max_correcting_velocity=0.5).world.contact_max_correcting_velocity == 0.5


# -- controllers and actuation -----------------------------------------------------------------------------------------


def arm_with(controller, **options):
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact")
    arm = sim.add_robot(planar_arm((1.0,), (1.0,), (0.5,)), controller=controller, **options)
    return sim, arm


def test_efforts_act_without_further_ado():
    sim, arm = arm_with(lambda io: io.u.__setitem__(0, 3.0))
    sim.step()
    assert arm.read().dq[0] == pytest.approx(0.001 * 3.0 / 0.75)


def test_delayed_outputs_act_one_step_later():
    for delayed, steps in ((False, 3), (True, 2)):
        sim, arm = arm_with(lambda io: io.u.__setitem__(0, 3.0), delayed=delayed)
        sim.run(0.003)
        assert arm.read().dq[0] == pytest.approx(steps * 0.001 * 3.0 / 0.75)


def test_velocities_and_displacements_within_effort_limits(tmp_path):
    text = (
        "links:\n  - { name: A }\n  - { name: B, parent: A, mass: 1, joint_type: prismatic, joint_id: 0, "
        "max_joint_effort: 2, max_joint_velocity: 0.5 }\n"
    )

    def go(mode, text=text, **targets):
        model = load_text(tmp_path, text)
        sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact")
        slider = sim.add_robot(model)
        io = sim.io(slider)
        io.actuate("B", mode)
        for name, value in targets.items():
            getattr(io, name)[0] = value
        return sim, slider

    sim, slider = go("velocity", dq_target=0.1)
    sim.run(0.02)
    assert slider.read().dq[0] == pytest.approx(0.04)  # 2 N on 1 kg
    sim.run(0.1)
    assert slider.read().dq[0] == pytest.approx(0.1)
    sim, slider = go("velocity", dq_target=9.0)
    sim.run(1.0)
    assert slider.read().dq[0] == pytest.approx(0.5)
    sim, slider = go("displacement", text.replace("max_joint_effort: 2, ", ""), q_target=0.05)
    sim.run(1.0)
    assert slider.read().q[0] == pytest.approx(0.05, abs=1e-4)


def test_what_a_joint_cannot_do_is_refused():
    sim, arm = arm_with(None)
    io = sim.io(arm)
    io.actuate(None, "velocity")
    io.u[0] = 1.0
    with pytest.raises(ValueError, match=r"u asks L0 of arm for an effort, but its actuation is velocity|J0"):
        sim.step()
    io.u[0] = 0.0
    io.actuate("J0", "effort")
    io.dq_target[0] = 1.0
    with pytest.raises(ValueError, match="dq_target asks J0 of arm for a velocity"):
        sim.step()
    with pytest.raises(ValueError, match="none, effort, velocity, displacement, not by 'torque'"):
        io.actuate(None, "torque")
    with pytest.raises(KeyError, match="no joint is called 'J7'"):
        io.actuate("J7", "effort")
    io.dq_target = np.zeros(3)
    with pytest.raises(ValueError, match=r"dq_target of arm must have the shape \(1,\)"):
        sim.step()
    crawler = sim.add_robot(load("misc/crawler.body"))
    with pytest.raises(ValueError, match="is a track: set its surface_velocities"):
        sim.io(crawler).actuate("CRAWLER_TRACK_L", "effort")
    with pytest.raises(TypeError, match="a controller must be a Controller, such as HoldPose"):
        sim.control(arm, 3)


def test_runs_end_with_their_controllers():
    sim, _ = arm_with(lambda io: io.time < 0.0095)
    with pytest.raises(ValueError, match="would run for ever"):
        sim.run()
    sim = robot.Simulator(is_active_control_time_range_mode=True)
    sim.add_robot(planar_arm((1.0,), (1.0,), (0.5,)), controller=lambda io: io.time < 0.0095)
    assert sim.run() == pytest.approx(0.011)
    sim = robot.Simulator(time_range_mode="specified", time_length=0.02)
    assert sim.run() == pytest.approx(0.02) and sim.run(0.01) == pytest.approx(0.03)


def test_customizers_act_however_joints_are_driven():
    for mode in ("none", "effort"):
        sim, arm = arm_with(None)
        sim.io(arm).actuate(None, mode)
        sim.customize(arm, lambda robot, state, h: np.array([2.0]))
        sim.step()
        assert arm.read().dq[0] == pytest.approx(0.001 * 2.0 / 0.75)


def test_a_pose_is_held_whatever_the_gains(tmp_path):
    model = planar_arm((1.0, 1.0), (1.0, 1.0), (0.1, 0.1))
    for stiffness, damping, pose in ((500, 20, None), ({"J0": 1e5, "J1": 1e4}, 3e3, {"J1": 0.5})):
        sim = robot.Simulator(step_mode="exact")
        arm = sim.add_robot(model, model.state(q=(0.3, 0.2)), controller=robot.HoldPose(stiffness, damping, pose))
        sim.run(0.5)
        snapshot = sim.world.save()
        sim.run(0.5)
        assert arm.read().q == pytest.approx((0.3, 0.2 if pose is None else 0.5), abs=0.02)
        other = robot.Simulator.of(od.World.load(snapshot))
        other.run(0.5)
        assert np.array_equal(other.robots["arm"].read().q, arm.read().q)


class Fails(robot.Controller):
    """A controller that cannot start."""

    def start(self, io):
        io.actuate("nothing", "effort")


@pytest.mark.parametrize("controller", [3, Fails(), [lambda io: None, Fails()]])
def test_nothing_stays_of_a_robot_whose_controllers_cannot_start(controller):
    sim = robot.Simulator(use_2d_mode=True)
    box = load("misc/box1.body")
    sim.add_robot(box)
    parts = [len(part) for part in (sim.world.bodies, sim.world.geoms, sim.world.joints, sim.controllers, sim.channels)]
    with pytest.raises((TypeError, KeyError)):
        sim.add_robot(box, controller=controller)
    assert list(sim.robots) == ["box1"] and list(sim.ios) == ["box1"]
    assert parts == [
        len(part) for part in (sim.world.bodies, sim.world.geoms, sim.world.joints, sim.controllers, sim.channels)
    ]
    sim.step()


def test_robots_are_taken_out_and_come_back_with_a_snapshot():
    calls = []
    sim = robot.Simulator(use_2d_mode=True)
    box = load("misc/box1.body")
    one, other = (
        sim.add_robot(box, at(box, k, 0, 1), controller=lambda io: calls.append(io.robot.name)) for k in (0, 1)
    )
    sim.push(other, 0, (0, 0, 1e5))
    sim.customize(other, lambda robot, state, h: np.zeros(0))
    snapshot = sim.world.save()
    sim.remove_robot("box1-2")
    assert list(sim.robots) == ["box1"] and not other.bodies["box"].alive and len(sim.world.joints) == 2
    sim.step()
    assert calls == ["box1"]
    with pytest.raises(ValueError, match="is not a robot of this simulator"):
        sim.remove_robot(other)
    sim.world.restore(snapshot)
    sim.step()
    assert calls == ["box1", "box1", "box1-2"]
    assert other.read().linear_velocity[2] > 0.0 > one.read().linear_velocity[2]


def test_hooks_are_called_in_order():
    sim, _ = arm_with(lambda io: calls.append("control"))
    calls = []
    for when in ("after", "middle", "before"):
        sim.hook(lambda sim, when=when: calls.append((when, sim.steps)), when)
    sim.step()
    assert calls == [("before", 0), "control", ("middle", 0), ("after", 1)]
    with pytest.raises(ValueError, match="a hook is called before, middle, after"):
        sim.hook(print, "later")
    last = sim.hook(lambda sim: 1 / 0)
    sim.unhook(last)
    sim.step()


# -- tracks ------------------------------------------------------------------------------------------------------------


def running(speeds):
    def control(io):
        io.surface_velocities = np.array(speeds, float)

    return control


@pytest.mark.parametrize("mode", MODES)
def test_a_crawler_drives_forward_on_the_floor(mode):
    sim = with_floor(step_mode=mode)
    model = load("misc/crawler.body")
    crawler = sim.add_robot(model, at(model, 0, 0, 0.1), controller=running((0.5, 0.5)))
    sim.run(0.6)
    state = crawler.read()
    assert state.linear_velocity == pytest.approx((0.5, 0, 0), abs=1e-3) and state.position[0] > 0.25


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("speed", [0.5, -0.5])
def test_a_crawler_climbs_a_slope_and_goes_down_it(mode, speed):
    slope = 0.2
    sim = robot.Simulator(step_mode=mode, time_step=0.002)
    sim.world.add_plane(normal=(-math.sin(slope), 0, math.cos(slope)))
    model = load("misc/crawler.body")
    start = model.state(position=(0, 0, 0.125), quaternion=(math.cos(slope / 2), 0, -math.sin(slope / 2), 0))
    crawler = sim.add_robot(model, start, controller=running((speed, speed)))
    sim.run(0.6)
    along = np.array((math.cos(slope), 0, math.sin(slope)))
    assert crawler.read().linear_velocity == pytest.approx(speed * along, abs=2e-3)


@pytest.mark.parametrize("across, turns", [(1.0, False), (0.4, True)])
def test_a_vehicle_turns_on_the_spot_if_friction_across_its_tracks_allows(across, turns):
    """Tracks of the length l at the distance b: the drive turns it with mu N b / 2, friction across holds with up to
    across mu N l / 2, since the ends of the tracks bear the weight."""
    world = od.World(gravity=(0, 0, -9.81), solver="exact")
    world.add_plane()
    hull = world.add_body(od.Box((0.2, 0.2, 0.1)), position=(0, 0, 0.2), mass=10)
    for y, speed in ((0.25, 0.5), (-0.25, -0.5)):
        geom = world.add_geom(od.Box((1.0, 0.1, 0.2)))
        geom.body, geom.offset_position = hull, (0, y, -0.1)
        geom.track = od.Track(axis=(0, 1, 0), speed=speed, across=across)
    world.advance(0.002, steps=250)
    assert (hull.angular_velocity[2] < -0.3) == turns
    assert turns or abs(hull.angular_velocity[2]) < 1e-6


SLAB = """
links:
  - name: Slab
    joint_type: free
    mass: 1000
    inertia: [ 100, 0, 0, 100, 0, 100 ]
    elements: { Shape: { geometry: { type: Box, size: [ 6, 6, 0.2 ] } } }
"""


@pytest.mark.parametrize("first", ["slab", "crawler"])
def test_a_crawler_drives_forward_on_what_moves(tmp_path, first):
    """Whichever geom of the contacts is the first: the direction is defined from the track's side."""
    sim = robot.Simulator(step_mode="exact", friction=0.8)
    slab, model = load_text(tmp_path, SLAB), load("misc/crawler.body")
    made = {}
    for name in ("slab", "crawler") if first == "slab" else ("crawler", "slab"):
        if name == "slab":
            made[name] = sim.add_robot(slab, at(slab, 0, 0, -0.1))
        else:
            made[name] = sim.add_robot(model, at(model, 0, 0, 0.1), controller=running((0.5, 0.5)))
    sim.hook(lambda sim: sim.push("Test", "Slab", (0, 0, 1012 * 9.80665), seconds=sim.h))
    track = {geom for name in ("CRAWLER_TRACK_L", "CRAWLER_TRACK_R") for geom in made["crawler"].geoms[name]}
    orders = set()
    for _ in range(300):
        sim.step()
        orders |= {contact.geom1 in track for contact in sim.world.contacts if {contact.geom1, contact.geom2} & track}
    against = made["crawler"].read().linear_velocity - made["slab"].read().linear_velocity
    assert orders == {first == "slab"} and against[0] == pytest.approx(0.5, abs=5e-3)


@pytest.mark.parametrize("track_first", [False, True])
def test_tracks_in_both_orders_of_a_contact(track_first):
    """The same belt as first and as second geom of its contacts."""
    world = od.World(gravity=(0, 0, -9.81))
    made = {}
    for name in ("belt", "box") if track_first else ("box", "belt"):
        if name == "belt":
            made[name] = world.add_body(od.Box((4, 1, 0.2)), position=(0, 0, -0.1), kinematic=True)
        else:
            made[name] = world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1), mass=1)
    (belt,) = made["belt"].geoms
    belt.track = od.Track(axis=(0, 1, 0), speed=0.5)
    world.advance(0.005, steps=100)
    assert made["box"].linear_velocity == pytest.approx((0.5, 0, 0), abs=1e-3)
    assert {contact.geom1 is belt for contact in world.contacts} == {not track_first}


@pytest.mark.parametrize(("file", "speed", "way"), [("misc/conveyor.body", 1.0, -1), ("legacy/conveyor.wrl", 1.0, 1)])
@pytest.mark.parametrize("sign", [1, -1])
def test_conveyors_in_both_directions(file, speed, way, sign):
    """The axis is -Y in the current file and +Y in the older one."""
    sim = robot.Simulator(step_mode="exact")
    model = load(file)
    sim.add_robot(model, at(model, 0, 0, 0.0), controller=running((sign * speed,)))
    box = load("misc/box1.body")
    goods = sim.add_robot(box, at(box, 0, 0, 0.5))
    sim.run(0.8)
    assert goods.read().linear_velocity[0] == pytest.approx(sign * way * speed, abs=0.02)


def test_side_faces_and_sunken_tracks_only_rub():
    for axis, depth, speed in (((0, 0, 1), math.inf, 0.0), ((0, 1, 0), 1e-5, 0.0), ((0, 1, 0), 0.1, 0.5)):
        world = od.World(gravity=(0, 0, -9.81), erp=0.0)
        belt = od.Box((4, 1, 0.2), position=(0, 0, -0.1))
        world.add_geom(belt)
        belt.track = od.Track(axis, 0.5, depth)
        box = world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.0999), mass=1)
        world.advance(0.005, steps=60)
        assert box.linear_velocity[0] == pytest.approx(speed, abs=1e-3)
    with pytest.raises(TypeError, match="the track of"):
        belt.track = 0.5
    with pytest.raises(ValueError, match="the axis of the track of"):
        belt.track = od.Track((0, 0, 0), 1.0)


# -- materials ---------------------------------------------------------------------------------------------------------


def test_material_tables(tmp_path):
    path = tmp_path / "materials.yaml"
    path.write_text(
        "materials:\n  - { name: Default, roughness: 1.0 }\n  - { name: Ice, roughness: 0.04, viscosity: 0.36 }\n"
        "  - { name: Rubber, roughness: 0.25, viscosity: 0.0 }\n"
        "contact_materials:\n  - { materials: [ Default, Default ], friction: 0.5 }\n"
        "  - { materials: [ Ice, Default ], friction: 0.01, restitution: 0.2 }\n"
    )
    table = robot.load_materials(path)
    assert table.between("Default", "Ice") == (0.01, 0.2) == table.between("Ice", "unheard of")
    assert table.between("Ice", "Rubber") == pytest.approx((0.1, 0.8)) and table.between("x", "y") == (0.5, 0.0)
    for text, message in (
        ("a: 1\n", "materials.yaml:1: this is no table of materials"),
        ("materials:\n  - roughness: 1\n", "materials.yaml:2: a material must have a name"),
        ("contact_materials:\n  - materials: [ A ]\n", "materials.yaml:2: materials of a pair must be two names"),
        ("contact_materials:\n  - { materials: [ A, B ], restitution: 2 }\n", "between 0 and 1, not 2"),
    ):
        path.write_text(text)
        with pytest.raises(robot.ModelError, match=message):
            robot.load_materials(path)


# -- planes, pushes, extra joints --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_two_dimensions(mode):
    """The floor's top is where it is in 3D, and a push across the plane moves nothing."""
    sim = with_floor(step_mode=mode, use_2d_mode=True)
    model = load("misc/box1.body")
    start = at(model, 0, 0.3, 0.15)
    start.linear_velocity = (0.3, 0, 0)
    box = sim.add_robot(model, start)
    sim.push(box, 0, (0, 50, 0), point=(0, 0, 0.1), torque=(5, 0, 5))
    heights = []
    for _ in range(300):
        sim.step()
        heights.append(box.read().position[2])
    state = box.read()
    assert state.position[1] == 0.3 and state.position[0] > 0.01
    assert state.quaternion[[1, 3]].tolist() == [0, 0] and heights[-1] == pytest.approx(0.1, abs=1e-3)


def test_planes_keep_the_orientation_that_they_began_with(tmp_path):
    sim = robot.Simulator(use_2d_mode=True, gravity=(0, 0, 0), step_mode="exact")
    model = load("misc/box1.body")
    half = math.sqrt(0.5)
    start = at(model, 0, 0, 0, quaternion=(half, half, 0, 0))
    start.angular_velocity = (0, 1.0, 0)
    box = sim.add_robot(model, start)
    sim.run(0.5)
    turned = od.robot.forward_kinematics(box.read()).rotations[0]
    assert np.allclose(turned @ (0, 0, 1), (0, -1, 0), atol=1e-9)
    assert math.acos(turned[0, 0]) == pytest.approx(0.5, rel=1e-2)


def test_pushes():
    sim = robot.Simulator(gravity=(0, 0, 0), step_mode="exact")
    model = load("misc/box1.body")
    box = sim.add_robot(model)
    push = sim.push(box, box.model.root, (model.mass, 0, 0), point=(0, 0.1, 0), seconds=0.1)
    sim.run(0.2)
    state = box.read()
    assert state.linear_velocity[0] == pytest.approx(0.1) and state.angular_velocity[2] < 0
    push = sim.push(box, 0, (model.mass, 0, 0))
    sim.run(0.1)
    push.end()
    sim.run(0.1)
    assert box.read().linear_velocity[0] == pytest.approx(0.2)
    floor = sim.add_robot(load("misc/floor.body"))
    with pytest.raises(ValueError, match="cannot be pushed"):
        sim.push(floor, 0, (1, 0, 0))
    with pytest.raises(KeyError, match="no robot is called 'Cup'"):
        sim.push("Cup", 0, (1, 0, 0))
    for seconds in (-1.0, math.nan, "long"):
        with pytest.raises((ValueError, TypeError), match="the seconds of a push must be"):
            sim.push(box, 0, (1, 0, 0), seconds=seconds)


def test_a_motion_to_follow_is_a_motion():
    with pytest.raises(TypeError, match=r"follows a Motion, such as load_motion\(path\) returns, not 'walk.seq'"):
        robot.FollowMotion("walk.seq")


@pytest.mark.parametrize("type", ["fixed", "ball", "hinge", "piston"])
@pytest.mark.parametrize("mode", MODES)
def test_extra_joints_between_robots(type, mode):
    """A box that hangs from another, which hangs from the floor, keeps its distance, and turns as the joint lets it."""
    sim = with_floor(step_mode=mode)
    model = load("misc/box1.body")
    upper, lower = (sim.add_robot(model, at(model, 0, 0, height)) for height in (2.0, 1.5))
    sim.connect("fixed", (upper, 0), ("floor" if "floor" in sim.robots else "Floor", 0))
    sim.connect(type, (upper, 0, (0, 0, -0.25)), (lower, 0, (0, 0, 0.25)), axis=(1, 0, 0))
    sim.push(lower, 0, (5, 5, 0))
    sim.run(0.3)
    one, two = upper.read(), lower.read()
    ends = [
        np.array(s.position) + robot.forward_kinematics(s).rotations[0] @ p
        for s, p in ((one, (0, 0, -0.25)), (two, (0, 0, 0.25)))
    ]
    gap = ends[1] - ends[0]
    assert abs(gap[1:]).max() < 2e-3 and one.position == pytest.approx((0, 0, 2.0), abs=2e-3)
    assert (gap[0] > 0.01) == (type == "piston")
    spin = abs(two.angular_velocity)
    assert (spin[0] > 0.05) == (type != "fixed") and (spin[1] > 0.05) == (type == "ball")


def test_wrong_extra_joints_are_refused():
    sim = with_floor()
    model = load("misc/box1.body")
    one, two = sim.add_robot(model), sim.add_robot(model, at(model, 1, 0, 0))
    floor = next(iter(sim.robots.values()))
    for arguments, message in (
        (("screw", (one, 0), (two, 0)), "must be one of 'fixed', 'ball', 'hinge', 'piston', not 'screw'"),
        (("ball", (one, 0), (one, 0)), "must be between two bodies"),
        (("ball", (floor, 0), (floor, 0)), "something that can move"),
        (("ball", (one, 0, (0, 0, 0)), (two, 0, (0, 0, 0))), "are 1 m apart"),
        (("ball", (od.Robot(sim.world, model), 0), (two, 0)), "is not a robot of this simulator"),
    ):
        with pytest.raises(ValueError, match=message):
            sim.connect(*arguments)
    assert not sim.world.joints
