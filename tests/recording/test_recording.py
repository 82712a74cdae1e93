"""A Recording returns what a Recorder wrote, to the requested precision."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes


def box_world(count=3):
    """Boxes that fall onto the ground and tumble."""
    world = od.World(gravity=(0, 0, -9.81), name="boxes")
    world.add_plane(name="ground")
    for k in range(count):
        world.add_body(
            od.Box((0.3, 0.2, 0.1)),
            position=(k, 0, 0.3 + 0.1 * k),
            angular_velocity=(3, 7 * k, 1),
            name=f"box {k}",
        )
    return world


def angles(recorded, true):
    """Angles, rad, between orientations."""
    apart = np.minimum(np.linalg.norm(recorded - true, axis=-1), np.linalg.norm(recorded + true, axis=-1))
    return 4 * np.arcsin(apart / 2)


@pytest.fixture
def car(tmp_path):
    """A recording of the car, and what the world said at every step."""
    scene = scenes.build("car")
    world, path = scene.world, tmp_path / "car.odr"
    truth = []

    def note():
        energies = world.kinetic_energy, world.potential_energy
        truth.append(
            (
                *(world.positions, world.quaternions, world.linear_velocities, world.angular_velocities),
                *(energies, [joint.feedback for joint in world.joints], world.contacts),
            )
        )

    with od.Recorder(
        world,
        path,
        velocities=True,
        contacts=True,
        joint_forces=True,
        channels={"speed": lambda: np.linalg.norm(world.bodies[0].linear_velocity), "at": lambda: world.positions[0]},
    ):
        note()
        for _ in scene.play(300):
            note()
    return od.Recording(path), truth, scene


def test_poses_velocities_and_times(car):
    recording, truth, scene = car
    positions, quaternions, linear, angular = (np.array([moment[k] for moment in truth]) for k in range(4))
    assert len(recording) == 301
    assert recording.bodies == tuple(body.name for body in scene.world.bodies)
    assert np.abs(recording.times - scene.h * np.arange(301)).max() < 1e-12
    assert np.abs(recording.positions - positions).max() <= 1.000001e-5
    assert angles(recording.quaternions, quaternions).max() <= 1e-4
    assert np.abs(np.linalg.norm(recording.quaternions, axis=2) - 1).max() < 1e-12
    assert np.abs(recording.linear_velocities - linear).max() <= 5.0001e-5
    assert np.abs(recording.angular_velocities - angular).max() <= 5.0001e-5


def test_numbers_of_the_whole_world(car):
    recording, truth, _ = car
    series, energies = recording.series, np.array([moment[4] for moment in truth])
    assert series["kinetic"] == pytest.approx(energies[:, 0], rel=1e-12)
    assert series["potential"] == pytest.approx(energies[:, 1], rel=1e-12)
    assert series["contacts"].tolist() == [len(moment[6]) for moment in truth]
    speeds = np.linalg.norm([moment[2][0] for moment in truth], axis=1)
    assert recording.channels["speed"] == pytest.approx(speeds, rel=1e-15)
    assert np.array_equal(recording.channels["at"], [moment[0][0] for moment in truth])


def test_contacts_and_joint_forces(car):
    recording, truth, scene = car
    for frame in (1, 150, 300):
        reported, true = recording.contacts(frame), truth[frame][6]
        assert np.array(reported.positions) == pytest.approx(np.array([c.position for c in true]), abs=1e-5)
        assert reported.depths == pytest.approx([c.depth for c in true], abs=1e-7)
        names = [[None if g.body is None else g.body.name for g in (c.geom1, c.geom2)] for c in true]
        assert [[None if b < 0 else recording.bodies[b] for b in pair] for pair in reported.bodies] == names
        forces = [[*f.force1, *f.torque1, *f.force2, *f.torque2] for f in truth[frame][5]]
        assert recording[frame].joint_forces == pytest.approx(np.array(forces), rel=1e-6, abs=1e-3)
    # At the end everything that falls is carried: the normals' part of the forces is the weight, over a second.
    weight = 9.81 * sum(body.mass for body in scene.world.bodies)
    carried = []
    for frame in range(200, 301):
        reported = recording.contacts(frame)
        ground = (reported.bodies < 0).any(axis=1)
        signs = np.where(reported.bodies[:, 0] < 0, -1.0, 1.0)
        carried.append((reported.forces[ground] * signs[ground, None])[:, 2].sum())
    assert np.mean(carried) == pytest.approx(weight, rel=0.05)


@pytest.mark.parametrize("ground_first", [True, False])
def test_forces_of_contacts_are_those_on_the_first_body(tmp_path, ground_first):
    world = od.World(gravity=(0, 0, -9.81))
    if ground_first:
        world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.1), mass=2.0)
    if not ground_first:
        world.add_plane()
    with od.Recorder(world, tmp_path / "run.odr", contacts=True):
        world.advance(0.01, steps=10)
    touch = od.Recording(tmp_path / "run.odr").contacts(10)
    assert touch.bodies.tolist() == [[0, -1] if ground_first else [-1, 0]]
    sign = 1.0 if ground_first else -1.0
    assert touch.forces[0] == pytest.approx((0, 0, sign * ball.mass * 9.81), abs=1e-3)
    assert touch.normals[0] == pytest.approx((0, 0, sign), abs=1e-4)


@pytest.mark.parametrize("make", ["advance", "chunks", "step", "quick_step", "time_stages"])
def test_every_step_is_a_frame(tmp_path, make):
    world, places = box_world(), []
    with od.Recorder(world, tmp_path / "run.odr") as recorder:
        if make == "advance":
            world.advance(0.01, steps=12)
        elif make == "chunks":
            world.advance(0.01, steps=5)
            world.advance(0.01, steps=7)
        elif make == "time_stages":
            world.time_stages(0.01, 12)
        else:
            for _ in range(12):
                getattr(world, make)(0.01)
        assert recorder.frames == 13
    other = box_world()
    places = [other.positions]
    for _ in range(12):
        getattr(other, make if "step" in make else "advance")(0.01)
        places.append(other.positions)
    recording = od.Recording(tmp_path / "run.odr")
    assert np.abs(recording.positions - places).max() <= 1.000001e-5
    assert recording.times[-1] == pytest.approx(0.12)


def test_recording_changes_no_bit(tmp_path):
    plain, recorded = box_world(), box_world()
    plain.advance(0.01, steps=50)
    with od.Recorder(recorded, tmp_path / "run.odr", every=3, contacts=True, joint_forces=True):
        recorded.advance(0.01, steps=50)
    assert np.array_equal(plain.positions, recorded.positions)
    assert np.array_equal(plain.angular_velocities, recorded.angular_velocities)


def test_every_third_step_and_by_hand(tmp_path):
    world = box_world()
    with od.Recorder(world, tmp_path / "third.odr", every=3), od.Recorder(world, tmp_path / "own.odr", every=0) as own:
        world.advance(0.01, steps=10)
        own.capture()
        world.advance(0.01, steps=2)
    assert od.Recording(tmp_path / "third.odr").times == pytest.approx([0, 0.03, 0.06, 0.09, 0.12])
    assert od.Recording(tmp_path / "own.odr").times == pytest.approx([0, 0.10])


def test_frames_slices_and_iteration(tmp_path):
    world = box_world()
    with od.Recorder(world, tmp_path / "run.odr") as recorder:
        for _ in range(4):  # so that there are several chunks
            world.advance(0.01, steps=10)
            recorder.flush()
    recording = od.Recording(tmp_path / "run.odr")
    everything = recording.positions
    assert everything.shape == (41, 3, 3)
    assert np.array_equal(recording[17].positions, everything[17])
    assert np.array_equal(recording[-1].quaternions, recording.quaternions[-1])
    assert np.array_equal(recording[35:5:-7].positions, everything[35:5:-7])
    assert np.array_equal(recording[5:30][3:10:2].times, recording.times[5:30][3:10:2])
    assert [frame.time for frame in recording[::10]] == recording.times[::10].tolist()
    assert recording.frame_at(0.1049) == 10 and recording.frame_at(-1) == 0 and recording.frame_at(99) == 40
    with pytest.raises(IndexError, match="no frame 41; there are 41"):
        recording[41]


@pytest.mark.parametrize("h", [0.01, 1 / 60, 1e-3, 0.1])
def test_the_frame_at_its_own_time_is_the_frame(tmp_path, h):
    """However time adds up: at the frame's time, a hair before and a hair after it."""
    world = box_world(1)
    with od.Recorder(world, tmp_path / "run.odr") as recorder:
        for _ in range(3):
            world.advance(h, steps=40)
            recorder.flush()
    recording = od.Recording(tmp_path / "run.odr")
    for frames in (recording, recording[10:100:7]):
        times = frames.times
        assert [frames.frame_at(time) for time in times] == list(range(len(times)))
        assert [frames.frame_at(frame.time) for frame in frames] == list(range(len(times)))
        assert [frames.frame_at(np.nextafter(time, np.inf)) for time in times] == list(range(len(times)))
        assert [frames.frame_at(np.nextafter(time, -np.inf)) for time in times[1:]] == list(range(len(times) - 1))


def test_empty_worlds_and_no_frames(tmp_path):
    with od.Recorder(od.World(), tmp_path / "empty.odr") as recorder:
        recorder.world.advance(0.01, steps=3)
    recording = od.Recording(tmp_path / "empty.odr")
    assert recording.positions.shape == (4, 0, 3)
    assert recording.world(2).bodies == ()
    assert recording.channels == {} and len(recording[1:1].times) == 0


def test_sleep_is_recorded(tmp_path):
    world = box_world(1)
    for body in world.bodies:
        body.auto_disable = True
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.01, steps=300)
    assert not world.bodies[0].enabled
    recording = od.Recording(tmp_path / "run.odr")
    enabled = np.array([frame.enabled[0] for frame in recording])
    assert enabled[0] and not enabled[-1] and np.abs(np.diff(enabled.astype(int))).sum() == 1
    assert not recording.show(300).bodies[0].enabled and recording.show(0).bodies[0].enabled


def test_precision_is_chosen(tmp_path):
    world = box_world()
    about = {"friction": 0.5, "by": ["me", "you"]}
    with od.Recorder(world, tmp_path / "fine.odr", position_tolerance=1e-9, orientation_tolerance=1e-7, about=about):
        world.advance(0.01, steps=40)
    recording = od.Recording(tmp_path / "fine.odr")
    assert np.abs(recording.positions[-1] - world.positions).max() <= 1.0001e-9
    assert angles(recording.quaternions[-1], world.quaternions).max() <= 1e-7
    assert recording.header["about"] == about


def test_what_was_not_recorded_is_told(tmp_path):
    world = box_world()
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.01)
    recording = od.Recording(tmp_path / "run.odr")
    with pytest.raises(ValueError, match="has no velocities; record with"):
        recording.linear_velocities  # noqa: B018
    with pytest.raises(ValueError, match="has no contacts; record with"):
        recording.contacts(1)
    with pytest.raises(ValueError, match="has no joint_forces; record with"):
        recording.joint_forces  # noqa: B018


def test_recordings_are_small(tmp_path):
    """Sixty bodies that fall, collide and roll: less than eight bytes for each in each frame, shapes and all included."""
    scene = scenes.build("pit")
    with od.Recorder(scene.world, tmp_path / "pit.odr"):
        scene.run(250)
    size = (tmp_path / "pit.odr").stat().st_size
    assert size < 8 * 60 * 251
    # Bodies at rest cost only numbers of the whole world and shapes.
    for body in scene.world.bodies:
        body.enabled = False
    with od.Recorder(scene.world, tmp_path / "still.odr"):
        scene.world.advance(0.01, steps=250)
    assert (tmp_path / "still.odr").stat().st_size < 1.5 * 60 * 251


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("find", r"recording.bodies.index\("),
        ("render", r"recording.show\(frame\)"),
        ("replay", r"od.view\(recording\)"),
        ("export", r"to_gltf\(path\)"),
        ("energy", "recording.series"),
    ],
)
def test_words_that_lead_to_what_recordings_have(tmp_path, name, answer):
    world, path = box_world(2), tmp_path / "boxes.odr"
    with od.Recorder(world, path):
        world.advance(0.01, steps=5)
    with od.Recording(path) as recording:
        with pytest.raises(AttributeError, match=f"Recording has no attribute '{name}'; .*{answer}"):
            getattr(recording, name)
        path_of_one = recording.positions[:, recording.bodies.index("box 1")]
        assert path_of_one.shape == (6, 3) and abs(path_of_one[-1] - world.find("box 1").position).max() < 1e-3
        assert recording.show(3).render(size=(8, 6)).shape == (6, 8, 3)
