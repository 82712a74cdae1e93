"""Models in a World: bodies, joints and geoms match the model, and the engine moves them as the dynamics functions predict."""

import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from opendynamics.robot.building.geoms import geoms_of
from opendynamics.robot.inertia import of_shapes
from tests.robot.models import load_text, planar_arm, random_model, random_state

MODELS = Path(__file__).parents[1] / "data" / "models"
G = (0.0, 0.0, -9.80665)


def load(file, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        return od.load_robot(MODELS / file, **options)


@pytest.mark.parametrize("seed", range(6))
def test_a_state_put_into_the_world_is_read_back(seed):
    model = random_model(seed, free=seed % 2 == 0, free_inside=seed > 3)
    state = random_state(model, seed)
    state.q *= 2.0  # beyond half a turn
    machine = od.Robot(od.World(), model, state)
    found = machine.read()
    assert np.allclose(found.q, state.q, atol=1e-13) and np.allclose(found.velocity, state.velocity, atol=1e-13)
    assert np.allclose(found.base_positions, state.base_positions, atol=1e-14)
    kinematics = robot.forward_kinematics(state)
    links = machine.links()
    assert np.allclose(links.positions, kinematics.positions, atol=1e-13)
    assert np.allclose(links.rotations, kinematics.rotations, atol=1e-13)
    assert np.allclose(links.velocities, kinematics.linear_velocities, atol=1e-12)
    assert np.array_equal(machine.read(links).q, machine.read().q)
    for link in model.links:
        if link.joint.type != "fixed":
            body = machine.bodies[link.name]
            assert np.allclose(body.rotation, kinematics.rotations[link.index])


@pytest.mark.parametrize("seed", range(4))
def test_the_engine_accelerates_as_the_dynamics_say(seed):
    model = random_model(seed, free=seed % 2 == 0)
    state = random_state(model, seed)
    state.u = np.random.default_rng(seed).normal(size=len(model.joints))
    world = od.World(gravity=G, cfm=1e-12)
    machine = od.Robot(world, model, state)
    h = 1e-6
    # The engine's constraints hold at the velocities: the first steps take up what turns with the links.
    for _ in range(30):
        machine.drive(state.u)
        world.step(h)
    before = machine.read()
    machine.drive(state.u)
    world.step(h)
    found = (machine.read().velocity - before.velocity) / h
    expected = robot.forward_dynamics(state, rotors=False)
    assert abs(expected).max() > 5.0 and np.allclose(found, expected, atol=1e-3 * abs(expected).max())


def test_signs_of_hinges_and_sliders(tmp_path):
    model = load_text(
        tmp_path,
        """
links:
  - { name: Base, joint_type: fixed }
  - { name: Turn, parent: Base, mass: 1, joint_type: revolute, joint_axis: [0, -1, 0], joint_id: 0 }
  - { name: Slide, parent: Base, mass: 1, joint_type: prismatic, joint_axis: [0, 0, -1], joint_id: 1, translation: [1, 0, 0] }
""",
    )
    world = od.World()
    machine = od.Robot(world, model)
    for _ in range(100):
        machine.drive((2.0, 3.0))
        world.step(0.001)
    state = machine.read()
    assert state.dq == pytest.approx((0.2, 0.3)) and state.q == pytest.approx((0.0101, 0.01515), rel=1e-3)
    assert machine.joints["Turn"].angle == pytest.approx(state.q[0]) and machine.joints["Turn"].axis[1] == -1
    assert machine.joints["Slide"].position == pytest.approx(state.q[1])


def test_wheels_count_their_turns():
    model = planar_arm((0.2,), (1,), (1,))
    state = model.state()
    state.dq = (20.0,)
    world = od.World()
    machine = od.Robot(world, model, state)
    for _ in range(1000):
        world.step(0.001)
        machine.read()
    assert machine.read().q == pytest.approx((20.0,), rel=2e-3)


def test_a_pendulum_keeps_time_and_energy():
    model = planar_arm((1.0,), (2.0,), (1e-3,))
    state = model.state()
    state.q = (0.05,)
    world = od.World(gravity=G)
    machine = od.Robot(world, model, state)
    inertia = 1e-3 + 2.0 * 0.25
    period = 2 * math.pi * math.sqrt(inertia / (2.0 * 9.80665 * 0.5)) * (1 + 0.05**2 / 16)
    steps, h = 2000, period / 2000
    before = robot.potential_energy(state) + robot.kinetic_energy(state)
    for _ in range(steps):
        world.step(h)
    after = machine.read()
    assert after.q == pytest.approx((0.05,), rel=5e-3)
    assert robot.potential_energy(after) + robot.kinetic_energy(after) == pytest.approx(before, rel=1e-4)


def test_static_models_are_geoms_where_they_should_be(tmp_path):
    """Turned, with a centre of mass away from the origin, which has nothing to do with where the shapes are."""
    text = """
links:
  - name: Ramp
    joint_type: fixed
    mass: 1
    center_of_mass: [5, 0, 0]
    translation: [1, 0, 0]
    rotation: [0, 0, 1, 90]
    elements: { Shape: { translation: [0, 2, 0], geometry: { type: Box, size: [1, 2, 3] } } }
  - name: Post
    parent: Ramp
    translation: [0, 0, 1]
    elements: { Shape: { geometry: { type: Cylinder, radius: 1, height: 2 } } }
"""
    world = od.World()
    machine = od.Robot(world, load_text(tmp_path, text))
    assert not world.bodies and not machine.bodies
    (box,), (post,) = machine.geoms["Ramp"], machine.geoms["Post"]
    assert np.allclose(box.position, (-1, 0, 0)) and np.allclose(post.position, (1, 0, 1))
    # The cylinder stands along y of a frame that is turned about z.
    assert np.allclose(abs(post.rotation[:, 2]), (1, 0, 0), atol=1e-15)
    with pytest.raises(ValueError, match="static"):
        machine.place(machine.read())
    machine.destroy()
    assert not world.geoms


def test_a_ball_falls_on_the_floor():
    world = od.World(gravity=G)
    od.Robot(world, load("misc/floor.body"))
    ball = od.Robot(world, load("misc/ball.body"))
    start = ball.read()
    start.position = (0.3, 0, 0.5)
    ball.place(start)
    world.advance(0.002, steps=1000)
    assert ball.read().position == pytest.approx((0.3, 0, 0.1), abs=1e-3)


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ("misc/box1.body", {"box": 1}),
        ("misc/ellipsoid1.body", {"convex": 1}),
        ("misc/Torus.body", {"trimesh": 1}),
        ("misc/ragdoll.body", {"capsule": 12, "box": 4}),
        ("misc/suctioncup.body", {"cylinder": 1, "box": 1, "convex": 1}),
        ("misc/crawler.body", {"box": 1, "trimesh": 3}),
        ("legacy/ellipsoid1.wrl", {"convex": 1}),
    ],
)
def test_kinds_of_geoms(file, kinds):
    machine = od.Robot(od.World(), load(file))
    found = [geom.shape for geoms in machine.geoms.values() for geom in geoms]
    assert {kind: found.count(kind) for kind in set(found)} == kinds


def test_scaled_shapes(tmp_path):
    text = """
links:
  - name: A
    joint_type: free
    mass: 1
    elements:
      Transform:
        scale: [2, 3, 2]
        translation: [0, 0, 1]
        elements:
          - { type: Shape, geometry: { type: Box, size: [1, 1, 1] }, translation: [1, 0, 0] }
          - { type: Shape, geometry: { type: Cylinder, radius: 1, height: 1 } }
          - { type: Shape, geometry: { type: Sphere, radius: 1 } }
          - { type: Shape, geometry: { type: Capsule, radius: 1, height: 1 } }
          - { type: Shape, geometry: { type: Box, size: [1, 1, 1] }, rotation: [0, 0, 1, 45] }
"""
    box, cylinder, *others = od.Robot(od.World(), load_text(tmp_path, text)).geoms["A"]
    assert np.allclose(box.lengths, (2, 3, 2)) and np.allclose(box.offset_position, (2, 0, 1))
    assert (cylinder.radius, cylinder.length) == pytest.approx((2, 3))
    assert [geom.shape for geom in others] == ["convex"] * 3


def test_links_that_are_fixed_to_each_other_are_one_body(tmp_path):
    text = """
links:
  - { name: A, joint_type: free, mass: 1, inertia: [1, 0, 0, 1, 0, 1] }
  - { name: B, parent: A, translation: [2, 0, 0], rotation: [0, 0, 1, 90], mass: 1, inertia: [1, 0, 0, 2, 0, 2] }
  - { name: Foot, parent: B, translation: [1, 0, 0], mass: 1, elements: { ForceSensor: { name: F } } }
"""
    machine = od.Robot(od.World(), load_text(tmp_path, text))
    body = machine.bodies["A"]
    assert body is machine.bodies["B"] and body is not machine.bodies["Foot"]
    assert body.mass == 2 and np.allclose(body.position, (1, 0, 0))
    assert np.allclose(body.inertia, np.diag([1 + 2, 1 + 1 + 2, 1 + 2 + 2]))
    assert isinstance(machine.joints["Foot"], od.Fixed)


def test_links_without_mass_need_one_that_they_are_fixed_to(tmp_path):
    frame = "  - { name: Frame, parent: A, mass: 0 }\n"
    head = "links:\n  - { name: A, joint_type: free, mass: 1 }\n"
    world = od.World()
    assert od.Robot(world, load_text(tmp_path, head + frame)).bodies["Frame"].mass == 1
    hinge = frame.replace("mass: 0", "joint_type: revolute, mass: 0")
    with pytest.warns(robot.ModelWarning, match="the mass is 0 kg"):
        model = load_text(tmp_path, head + hinge)
    bodies, geoms = len(world.bodies), len(world.geoms)
    with pytest.raises(ValueError, match=r"Frame of Test moves, but the mass is 0 kg \(.*model.body:6\)"):
        od.Robot(world, model)
    assert (len(world.bodies), len(world.geoms), len(world.joints)) == (bodies, geoms, 0)


def test_nothing_half_built_is_left(monkeypatch):
    world = od.World()
    monkeypatch.setattr(od.World, "add_slider", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        od.Robot(world, load("misc/SpringModel.body"))
    assert not world.bodies and not world.joints and not world.geoms


def test_a_model_of_another_state_is_refused():
    model, other = planar_arm((1,), (1,), (1,)), planar_arm((1,), (1,), (1,))
    with pytest.raises(ValueError, match="one of its model"):
        od.Robot(od.World(), model, other.state())
    with pytest.raises(TypeError, match="a World and a Model"):
        od.Robot(model, od.World())
    machine = od.Robot(od.World(), model)
    with pytest.raises(ValueError, match=r"the efforts of arm must have the shape \(1,\), not \(2,\)"):
        machine.drive((1.0, 2.0))


def test_own_links_meet_only_if_asked():
    def contacts(**options):
        world = od.World(gravity=G)
        model = load("misc/ragdoll.body")
        machine = od.Robot(world, model, **options)
        state = machine.read()
        state.q = 1.2 * np.array([joint.upper if math.isfinite(joint.upper) else 0.5 for joint in model.joints])
        machine.place(state)
        world.advance(1e-4)
        return world.statistics.contacts

    assert contacts() == 0 and contacts(self_collision=True) > 0


def test_two_robots_meet():
    world = od.World(gravity=G)
    model = load("misc/box1.body")
    for height in (0.0, 0.2):
        machine = od.Robot(world, model)
        state = machine.read()
        state.position = (0, 0, height)
        machine.place(state)
    world.advance(1e-3)
    assert world.statistics.contacts > 0


@pytest.mark.filterwarnings("ignore::opendynamics.MissingContactsWarning")
def test_joint_limits():
    model = load("misc/SpringModel.body", fixed_root=True)
    model = robot.Model("spring", [*model.links])
    world = od.World(gravity=G)
    state = model.state()
    free, held = (od.Robot(world, model, state, joint_limits=on) for on in (False, True))
    world.step(0.001)
    assert held.joints["UPPER"].stops == (-4.0, 4.0) and free.joints["UPPER"].stops == (-math.inf, math.inf)
    arm = load("SR1/SR1.body")
    machine = od.Robot(od.World(), arm, joint_limits=True)
    assert machine.joints["LLEG_KNEE"].stops == pytest.approx(
        (arm.joints["LLEG_KNEE"].lower, arm.joints["LLEG_KNEE"].upper)
    )


@pytest.mark.parametrize("limits", ["-200, 200", "-200, 10", "-10, 200"])
def test_worlds_like_ode_have_no_stops_beyond_half_a_turn(tmp_path, limits):
    text = (
        "links:\n  - { name: A }\n"
        f"  - {{ name: B, parent: A, mass: 1, joint_type: revolute, joint_range: [{limits}], joint_id: 0 }}\n"
    )
    model = load_text(tmp_path, text)
    with pytest.warns(robot.ModelWarning, match="B of Test has no stops: a world like ODE ignores"):
        machine = od.Robot(od.World(like="ode"), model, joint_limits=True)
    assert machine.joints["B"].stops == (-math.inf, math.inf)
    machine = od.Robot(od.World(), model, joint_limits=True)
    assert machine.joints["B"].stops == pytest.approx([math.radians(float(limit)) for limit in limits.split(",")])


@pytest.mark.parametrize(
    ("limit", "stops", "note"),
    [
        ('lower="-0.5" upper="1"', (-0.5, 1.0), None),
        ('upper="1"', (0.0, 1.0), None),
        ("", (-math.inf, math.inf), "the <limit> of elbow has no range: it moves without limits"),
        ('lower="0" upper="0"', (0.0, 0.0), "both limits of the joint elbow are 0: it cannot move"),
    ],
)
def test_urdf_joints_stop_at_their_limits_by_default(tmp_path, limit, stops, note):
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="arm"><link name="base"/><link name="hand"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="elbow" type="revolute"><parent link="base"/><child link="hand"/>'
        f'<limit effort="1" velocity="1" {limit}/></joint></robot>'
    )
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        model = od.load_robot(path)
    assert [str(warning.message).split(": ", 1)[1] for warning in given] == ([note] if note else [])
    assert od.Robot(od.World(), model).joints["elbow"].stops == stops
    assert od.Robot(od.World(), model, joint_limits=False).joints["elbow"].stops == (-math.inf, math.inf)


@pytest.mark.parametrize("limits", [(-math.inf, 0.5), (-0.5, math.inf)])
def test_a_joint_with_one_limit_stops_there(limits):
    links = list(planar_arm((1.0,), (1.0,), (0.1,)).links)
    links[1] = replace(links[1], joint=replace(links[1].joint, lower=limits[0], upper=limits[1]))
    machine = od.Robot(od.World(), robot.Model("bounded", links), joint_limits=True)
    end = 0.5 if limits[1] == 0.5 else -0.5
    for _ in range(300):
        machine.drive((end,))
        machine.world.step(0.01)
    assert machine.joints["J0"].stops == limits
    assert machine.joints["J0"].angle == pytest.approx(end, abs=1e-3)


def test_rotors_make_links_slower():
    model = planar_arm((1.0,), (1.0,), (0.1,), rotors=(2.0,))
    for rotors, inertia in ((False, 0.35), (True, 2.35)):
        world = od.World()
        machine = od.Robot(world, model, rotors=rotors)
        machine.drive((1.0,))
        world.step(1e-3)
        assert machine.read().dq[0] == pytest.approx(1e-3 / inertia, rel=1e-6)


def test_rotors_of_sliders_turn_nothing():
    """Their reflected inertia is a mass along the axis, kg, that no rigid body has."""
    links = list(planar_arm((1.0,), (1.0,), (0.1,), rotors=(2.0,)).links)
    links[1] = replace(links[1], joint=replace(links[1].joint, type="prismatic"))
    machine = od.Robot(od.World(), robot.Model("slider", links), rotors=True)
    assert machine.bodies["L0"].inertia == pytest.approx(np.diag((0.1, 0.1, 1e-6)))


URDF = """<robot name="one"><link name="base"/><link name="arm"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="{kind}"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<dynamics damping="{damping}" friction="{friction}"/></joint></robot>"""


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize(("kind", "inertia"), [("continuous", 0.5), ("prismatic", 2.0)])
@pytest.mark.filterwarnings("ignore::opendynamics.robot.ModelWarning")
def test_damping_and_friction_of_a_urdf_slow_a_joint_and_hold_it(tmp_path, solver, kind, inertia):
    damping, friction, h, start = 0.5, 0.3, 0.001, 3.0
    (tmp_path / "one.urdf").write_text(URDF.format(kind=kind, damping=damping, friction=friction))
    world = od.World(gravity=(0, 0, 0))
    world.solver = solver
    arm = od.Robot(world, od.load_robot(tmp_path / "one.urdf"))
    assert [servo.name for servo in arm.resistances["j"]] == ["damping of j", "friction of j"]
    state = arm.model.state()
    state.dq = {"j": start}
    arm.place(state)
    for _ in range(300):
        world.advance(h)
    slip = friction / damping
    assert arm.read().dq[0] == pytest.approx((start + slip) * np.exp(-damping / inertia * 0.3) - slip, rel=1e-3)
    # At rest, friction holds against less than itself, and no more.
    arm.place(arm.model.state())
    for effort, slides in ((0.9 * friction, False), (1.2 * friction, True)):
        for _ in range(200):
            arm.drive({"j": effort})
            world.advance(h)
        assert (abs(arm.read().dq[0]) > 1e-3) == slides
    arm.destroy()
    assert not world.joints and not world.bodies


@pytest.mark.filterwarnings("ignore::opendynamics.robot.ModelWarning")
def test_joints_with_friction_are_driven_as_others(tmp_path):
    (tmp_path / "one.urdf").write_text(URDF.format(kind="continuous", damping=0.5, friction=0.3))
    sim = od.robot.Simulator(step_mode="exact")
    arm = sim.add_robot(od.load_robot(tmp_path / "one.urdf"))
    io = sim.io(arm)
    io.actuate("j", "velocity")
    io.dq_target[0] = 2.0
    sim.run(0.1)
    assert arm.read().dq[0] == pytest.approx(2.0, abs=1e-5) and not sim.world.conflicts


def test_force_sensors_feel_friction(tmp_path):
    """A hand whose joint is held by nothing but friction puts its moment on the parent through it."""
    import dataclasses

    model = planar_arm((1.0,), (1.0,), (0.1,))
    arm = dataclasses.replace(model.links[1], joint=dataclasses.replace(model.links[1].joint, friction=100.0))
    device = od.robot.Device("ForceSensor", "F", 0, 1, np.zeros(3), np.eye(3))
    model = od.robot.Model("arm", [model.links[0], arm], [device])
    world = od.World(gravity=(0, 0, -10))
    held = od.Robot(world, model, model.state(q=[-math.pi / 2]))
    for _ in range(50):
        world.advance(0.001)
        held.sense(0.001)
    assert abs(held.read().dq[0]) < 1e-4
    assert np.linalg.norm(held.sensors["F"].force) == pytest.approx(10.0, rel=1e-6)
    assert np.linalg.norm(held.sensors["F"].torque) == pytest.approx(5.0, rel=1e-4)


def test_efforts_are_cut_to_their_limits(tmp_path):
    text = (
        "links:\n  - { name: A }\n"
        "  - { name: B, parent: A, mass: 1, joint_type: prismatic, max_joint_effort: 2, joint_id: 0 }\n"
    )
    world = od.World()
    machine = od.Robot(world, load_text(tmp_path, text))
    machine.drive((100.0,))
    world.step(0.01)
    assert machine.read().dq == pytest.approx((0.02,))


@pytest.mark.parametrize("file", ["misc/ClosedLinkSample.body", "legacy/ClosedLinkSample.wrl"])
def test_closed_loops_stay_closed(file):
    model = load(file)
    world = od.World(gravity=G)
    machine = od.Robot(world, model)
    (extra,) = model.extra_joints
    assert len(machine.extra_joints) == 1
    turned = 0.0
    for _ in range(1000):
        machine.drive(model.vector({"J0": 0.02}))
        world.step(0.001)
    state = machine.read()
    turned = abs(state.q[0])
    kinematics = robot.forward_kinematics(state)
    ends = [kinematics.point(extra.link1, extra.point1), kinematics.point(extra.link2, extra.point2)]
    axis = kinematics.rotations[extra.link1] @ extra.axis
    assert turned > 0.1 and np.linalg.norm(np.cross(ends[0] - ends[1], axis)) < 1e-4


LOOP = """links:
  - {{ name: BASE, joint_type: fixed }}
  - {{ name: LEFT, parent: BASE, joint_type: revolute, joint_id: 0, joint_axis: [0, 1, 0], translation: [-0.5, 0, 0], mass: 1,
      center_of_mass: [0.25, 0, 0], inertia: [0.01, 0, 0, 0.03, 0, 0.03] }}
  - {{ name: RIGHT, parent: BASE, joint_type: revolute, joint_id: 1, joint_axis: [0, 1, 0], translation: [0.5, 0, 0], mass: 1,
      center_of_mass: [-0.25, 0, 0], inertia: [0.01, 0, 0, 0.03, 0, 0.03] }}
extra_joints:
  - {{ link1_name: LEFT, link2_name: RIGHT, joint_type: {kind}, axis: [{axis}], translation_in_link1: [0.5, 0, 0],
      translation_in_link2: [-0.5, 0, 0] }}
"""


@pytest.mark.parametrize(
    ("kind", "axis", "opens"),
    [("fixed", "0, 1, 0", False), ("ball", "0, 1, 0", False), ("hinge", "0, 1, 0", False), ("piston", "1, 0, 0", True)],
)
def test_extra_joints_within_a_model(tmp_path, kind, axis, opens):
    """Two arms that meet in the middle fall, unless what joins them there keeps them up: a piston only slides and turns."""
    world = od.World(gravity=(0, 0, -10))
    arms = od.Robot(world, load_text(tmp_path, LOOP.format(kind=kind, axis=axis)))
    for _ in range(300):
        world.advance(0.001)
    links = arms.links()
    ends = [links.positions[k] + links.rotations[k] @ (x, 0, 0) for k, x in ((1, 0.5), (2, -0.5))]
    along = links.rotations[1] @ (1, 0, 0)
    gap = ends[0] - ends[1]
    assert np.linalg.norm(gap - (gap @ along) * along if opens else gap) < 1e-4
    arms.extra_joints[0].destroy()
    for _ in range(300):
        world.advance(0.001)
    assert abs(arms.read().q).max() > 0.2


def test_sr1_stands_by_pd():
    """A humanoid holds its standard pose on the ground for a second, and its soles carry its weight."""
    model = load("SR1/SR1.body")
    world = od.World(gravity=G)
    world.add_plane()
    pose = np.radians(
        [0, -30, 0, 60, -30, 0, 20, -10, 0, -40, 0, 0, 0, 0, -30, 0, 60, -30, 0, 20, 10, 0, -40, *[0] * 6]
    )
    state = model.state()
    state.q = pose
    machine = od.Robot(world, model, state)
    for _ in range(500):
        now = machine.read()
        machine.drive(8000.0 * (pose - now.q) - 100.0 * now.dq)
        world.advance(0.002)
    end = machine.read()
    sole = robot.forward_kinematics(state).point("LLEG_ANKLE_R", (0.05, 0, -0.055))
    assert end.position == pytest.approx(state.position - (0, 0, sole[2]), abs=0.02) and abs(end.dq).max() < 0.05
    assert abs(end.q - pose).max() < 0.02 and od.rotation.matrix_from_quaternion(end.quaternion)[2, 2] > 0.999


def test_sixty_four_robots_and_one():
    world = od.World()
    model = planar_arm((1,), (1,), (1,))
    machines = [od.Robot(world, model) for _ in range(64)]
    with pytest.raises(ValueError, match="self_collision=True"):
        od.Robot(world, model)
    od.Robot(world, model, self_collision=True)
    machines.pop().destroy()
    od.Robot(world, model)


def test_meshes_of_a_link_are_one_geom():
    """The triangles of the second mesh use its own vertices."""
    mesh = robot.triangles_of(robot.Box((1.0, 2.0, 3.0)))
    apart = np.eye(4)
    apart[0, 3] = 5.0
    (geom,) = geoms_of([robot.Shape(mesh), robot.Shape(mesh, apart)], np.eye(4), "link", None)
    data = geom.mesh
    assert data.volume == pytest.approx(12.0)
    assert np.allclose(data.vertices[data.triangles[12:]].reshape(-1, 3).min(axis=0), (4.5, -1.0, -1.5))


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_mirrored_meshes_keep_their_outside(mirror):
    """Of a floor, which is open, nothing but the order of the corners says where it is hit from."""
    corners = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
    floor = robot.Mesh(corners, np.array([(0, 1, 2), (0, 2, 3)]))
    (geom,) = geoms_of([robot.Shape(floor, np.diag((mirror, 1.0, 1.0, 1.0)))], np.eye(4), "floor", None)
    world = od.World(gravity=(0, 0, -10))
    world.add_geom(geom)
    ball = world.add_body(od.Sphere(0.2), position=(0.1, 0.3, 0.25))
    world.advance(0.01, steps=50)
    assert ball.position[2] == pytest.approx(0.2, abs=0.01)


SOLIDS = {
    "box": robot.Box((1.0, 2.0, 3.0)),
    "sphere": robot.Sphere(1.0),
    "cylinder": robot.Cylinder(1.0, 3.0),
    "capsule": robot.Capsule(1.0, 3.0),
    "cone": robot.Cone(1.0, 3.0),
}


@pytest.mark.parametrize("scale", [(1, 1, 1), (2, 2, 2), (1, 1, 2), (1, 2, 1), (-1, 1, 1), (1, 1, -2), (-1, -2, -1)])
@pytest.mark.parametrize("kind", SOLIDS)
def test_scaled_and_mirrored_shapes_are_where_their_points_are(kind, scale):
    solid, transform = SOLIDS[kind], np.eye(4)
    transform[:3, :3] = od.rotation.from_axis_angle((1, 2, 3), 1.0) @ np.diag(scale)
    transform[:3, 3] = (3, 4, 5)
    shape = robot.Shape(solid, transform)
    mesh = robot.triangles_of(solid, 96)
    points = mesh.vertices @ transform[:3, :3].T + transform[:3, 3]
    (geom,) = geoms_of([shape], np.eye(4), "link", None)
    assert np.allclose(geom.aabb.reshape(3, 2).T, (points.min(axis=0), points.max(axis=0)), atol=0.05)
    one, all_ = of_shapes([robot.Shape(solid)], 1000.0), of_shapes([shape], 1000.0)
    assert all_.mass == pytest.approx(one.mass * abs(np.prod(scale)))
    assert np.allclose(all_.center, transform[:3, :3] @ one.center + transform[:3, 3])
    # Second moments about the centre: C = (trace I)/2 - I, which go with the transform twice, and with the volume.
    one, all_ = (0.5 * np.trace(part.tensor) * np.eye(3) - part.tensor for part in (one, all_))
    assert np.allclose(all_, abs(np.prod(scale)) * transform[:3, :3] @ one @ transform[:3, :3].T)
