"""Selection of the tests that should detect a mistake in a file: those of its folder, and those that mention it.

A test file counts for more the more it has in common with the mutated function: that it imports the module, the function's
name and its class's, words of these and of the module's, each the more the fewer tests have it, most of all in the test
file's name.
Files named by FOLDERS count as well, those of the innermost folder most: if it is in another one, they come first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "opendynamics"

# By folder of the package: test files, or folders of them. What is said of a folder holds for those in it, too.
FOLDERS: dict[str, tuple[str, ...]] = {
    "": (
        "tests/unit/test_advance.py",
        "tests/unit/test_cli.py",
        "tests/unit/test_names_on_demand.py",
        "tests/unit/test_packaging.py",
        "tests/kernel_cache/test_keys.py",
    ),
    "api": ("tests/unit/test_bad_input.py", "tests/unit/test_world.py"),
    "api/geoms": ("tests/unit/test_geoms.py", "tests/unit/test_convex_shapes.py", "tests/unit/test_meshes.py"),
    "api/joints": (
        "tests/unit/test_joints.py",
        "tests/unit/test_crossed_joints.py",
        "tests/unit/test_sliding_joints.py",
        "tests/families/test_joint_motion.py",
        "tests/families/test_motor_joints.py",
    ),
    "api/saving": ("tests/saving",),
    "api/spaces": ("tests/unit/test_spaces.py", "tests/unit/test_space_queries.py", "tests/unit/test_membership.py"),
    "c_api": ("tests/faces",),
    "c_api/collision": ("tests/faces/test_c_collision.py", "tests/faces/test_c_meshes.py"),
    "c_api/common": (
        "tests/faces/test_c_tools.py",
        "tests/faces/test_c_vectors.py",
        "tests/faces/test_c_outputs_by_hand.py",
    ),
    "c_api/objects": (
        "tests/faces/test_c_bodies.py",
        "tests/faces/test_c_joints.py",
        "tests/faces/test_c_more_joints.py",
        "tests/faces/test_c_world.py",
    ),
    "cli": (
        "tests/unit/test_cli.py",
        "tests/unit/test_cli_doctor.py",
        "tests/unit/test_cli_recording.py",
        "tests/viewer/test_viewing_commands.py",
    ),
    "_pyinstaller": ("tests/unit/test_packaging.py",),
    "core": ("tests/determinism/test_rerun.py",),
    "core/algebra": ("tests/unit/test_rotation.py", "tests/laws/test_tops.py", "tests/laws/test_turning.py"),
    "core/arrays": ("tests/unit/test_destroyed.py", "tests/unit/test_membership.py"),
    "core/bodies": ("tests/unit/test_mass.py", "tests/unit/test_geoms.py", "tests/families/test_large_hulls.py"),
    "core/bodies/shapes": ("tests/families/test_shapes.py", "tests/families/test_shape_pairs.py"),
    "core/bodies/triangles": (
        "tests/unit/test_meshes.py",
        "tests/families/test_rays_through_meshes.py",
        "tests/families/test_surface_pairs.py",
        "tests/laws/test_surfaces.py",
    ),
    "core/collide": ("tests/unit/test_space_queries.py", "tests/laws/test_sleeping.py"),
    "core/collide/broadphase": ("tests/families/test_broadphases.py", "tests/unit/test_spaces.py"),
    "core/collide/ccd": ("tests/laws/test_continuous.py",),
    "core/collide/narrowphase": (
        "tests/families/test_pairs.py",
        "tests/families/test_surface_pairs.py",
        "tests/parity/test_golden_contacts.py",
        "tests/families/test_supports.py",
    ),
    "core/collide/narrowphase/convex": (
        "tests/families/test_shape_pairs.py",
        "tests/families/test_touching_features.py",
        "tests/families/test_supports.py",
        "tests/families/test_large_hulls.py",
    ),
    "core/collide/narrowphase/cylinder": (
        "tests/families/test_shape_pairs.py",
        "tests/families/test_touching_features.py",
    ),
    "core/collide/narrowphase/mesh": (
        "tests/families/test_surface_pairs.py",
        "tests/laws/test_surfaces.py",
        "tests/parity/test_golden_surfaces.py",
        "tests/families/test_surface_directions.py",
    ),
    "core/collide/narrowphase/planes": ("tests/families/test_points_below_planes.py", "tests/families/test_pairs.py"),
    "core/collide/narrowphase/primitives": (
        "tests/families/test_pairs.py",
        "tests/families/test_rays.py",
        "tests/families/test_points_below_planes.py",
    ),
    "core/collide/narrowphase/rays": ("tests/families/test_rays.py", "tests/families/test_rays_through_meshes.py"),
    "core/collide/speculative": ("tests/unit/test_speculative.py", "tests/laws/test_speculative.py"),
    "core/compile": ("tests/kernel_cache",),
    "core/constrain": ("tests/unit/test_advance.py", "tests/laws/test_kinematic.py"),
    "core/constrain/joints": (
        "tests/families/test_joint_rows.py",
        "tests/families/test_joint_motion.py",
        "tests/families/test_motor_joints.py",
        "tests/families/test_rods_and_gears.py",
        "tests/parity/test_golden_trajectories.py",
    ),
    "core/constrain/parts": (
        "tests/laws/test_stops.py",
        "tests/laws/test_motors.py",
        "tests/laws/test_rolling.py",
        "tests/laws/test_bouncing.py",
        "tests/laws/test_sliding.py",
        "tests/families/test_joint_rows.py",
        "tests/families/test_rods_and_gears.py",
    ),
    "core/solve": (
        "tests/families/test_exact_solver.py",
        "tests/laws/test_cradle.py",
        "tests/families/test_quickstep.py",
        "tests/families/test_elliptic_cones.py",
        "tests/determinism/test_threads.py",
        "tests/laws/test_extreme_masses.py",
        "tests/parity/test_golden_trajectories.py",
    ),
    "core/solve/_body_space": ("tests/families/test_exact_solver.py",),
    "core/solve/_lcp": ("tests/unit/test_interior_point.py", "tests/families/test_exact_solver.py"),
    "core/arrays/team": ("tests/determinism/test_teams.py",),
    "core/solve/auto": ("tests/families/test_auto_solver.py",),
    "core/solve/exact": (
        "tests/families/test_exact_solver.py",
        "tests/laws/test_degenerate.py",
        "tests/laws/test_coulomb_friction.py",
    ),
    "core/solve/exact/cone": ("tests/families/test_elliptic_cones.py", "tests/unit/test_elliptic_rows.py"),
    "core/solve/pgs": ("tests/families/test_quickstep.py", "tests/faces/test_c_quick_step.py"),
    "core/solve/soft": ("tests/families/test_soft_solver.py", "tests/families/test_soft_lanes.py"),
    "core/update": (
        "tests/laws/test_damping.py",
        "tests/laws/test_sleeping.py",
        "tests/laws/test_free_flight.py",
        "tests/laws/test_turning.py",
        "tests/unit/test_faults.py",
    ),
    "core/update/sweeps": ("tests/laws/test_continuous.py",),
    "drawstuff": ("tests/faces/test_drawstuff.py",),
    "io": ("tests/laws/test_simbench.py", "tests/parity/test_golden_trajectories.py"),
    "io/dif": ("tests/faces/test_dif.py",),
    "io/recording": ("tests/recording", "tests/saving/test_recordings.py"),
    "io/recording/exports": ("tests/recording/test_exports.py",),
    "pyode": ("tests/faces/pyode/test_pyode_objects.py", "tests/faces/pyode/test_pyode_api.py"),
    "pyode/xode": ("tests/faces/pyode/test_xode.py",),
    "robot": ("tests/robot/test_building.py", "tests/robot/test_body_files.py", "tests/robot/test_bad_input.py"),
    "robot/dynamics": ("tests/robot/test_dynamics.py",),
    "robot/kinematics": ("tests/robot/test_kinematics.py", "tests/robot/test_inverse_kinematics.py"),
    "robot/loaders": ("tests/robot/test_files.py", "tests/robot/test_body_files.py", "tests/robot/test_sr1.py"),
    "robot/nodes": ("tests/robot/test_body_files.py", "tests/robot/test_geometries.py"),
    "robot/projects": ("tests/robot/test_projects.py",),
    "robot/sensors": ("tests/robot/test_sensors.py",),
    "robot/simulator": (
        "tests/robot/test_simulator.py",
        "tests/robot/test_plugin_defects.py",
        "tests/robot/test_simulator_saving.py",
    ),
    "scenes": ("tests/unit/test_scenes.py",),
    "viewer": ("tests/viewer/test_colours.py", "tests/viewer/test_meshes.py"),
    "viewer/live": (
        "tests/viewer/test_live_scene.py",
        "tests/viewer/test_live_time.py",
        "tests/viewer/test_live_panel.py",
        "tests/viewer/test_live_ends.py",
        "tests/viewer/test_live_choices.py",
        "tests/viewer/test_pulling.py",
    ),
    "viewer/pictures": ("tests/viewer/test_pictures.py", "tests/viewer/test_video.py"),
    "viewer/pictures/tracing": ("tests/viewer/test_patterns_of_surfaces.py", "tests/viewer/test_pictures.py"),
    "viewer/plots": ("tests/unit/test_plots.py",),
}

# Tests of the texts themselves; and those in which a browser or many steps would take most of the time.
LEFT_OUT = ("tests/architecture", "tests/mutation", "tests/robustness", "tests/viewer/test_live_in_browser.py")

# Tests that compile a lot: only for files of the folders that name them.
COSTLY = ("tests/kernel_cache",)

INNER_FOLDER, OWN_FOLDER, OUTER_FOLDER, IMPORT, WORD, WORD_OF_NAME, NAME = 30.0, 8.0, 1.0, 6.0, 1.0, 5.0, 2.0


def tests_for(file: str, inside: Iterable[str] = ()) -> list[str]:
    """Test files for a mistake in a file of the package, in these functions or classes, the most promising first."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    folders = [folder for folder in FOLDERS if not folder or file.startswith(f"{PACKAGE}/{folder}/")]
    innermost = max(folders, key=len)
    scores = dict.fromkeys(_texts(), 0.0)
    for folder in folders:
        for test in scores:
            if any(test == place or test.startswith(f"{place}/") for place in FOLDERS[folder]):
                own = INNER_FOLDER if "/" in folder or not folder else OWN_FOLDER
                scores[test] += own if folder == innermost else OUTER_FOLDER
    names = frozenset(inside)
    wanted = words_in(" ".join([module.rpartition(".")[2], *names]))
    for test, text in _texts().items():
        if test.startswith(COSTLY) and scores[test] < OWN_FOLDER:
            continue
        if re.search(rf"\b{re.escape(module)}\b", text) or _imports(text, module):
            scores[test] += IMPORT
        scores[test] += sum(NAME * _rarity(name, _names) for name in names & _names(test))
        scores[test] += sum(WORD * _rarity(word, _words) for word in wanted & _words(test))
        scores[test] += sum(WORD_OF_NAME * _rarity(word, _words) for word in wanted & words_in(test.rpartition("/")[2]))
    ranked = sorted(scores, key=lambda test: (-scores[test], test))
    return [test for test in ranked if scores[test] > 0.0]


def words_in(text: str) -> set[str]:
    """Words of names, as their parts: `set_DampingDefaults` is set, damping, defaults. Plurals count as singulars."""
    parts = re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}", text)
    return {re.sub("(?<=ss)es$", "", part.lower()).removesuffix("s") for part in parts}


def _imports(text: str, module: str) -> bool:
    parent, _, name = module.rpartition(".")
    return re.search(rf"from {re.escape(parent)} import [^\n]*\b{name}\b", text) is not None


@cache
def _texts() -> dict[str, str]:
    found = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(LEFT_OUT):
            found[name] = path.read_text()
    return found


@cache
def _words(test: str) -> frozenset[str]:
    return frozenset(words_in(f"{test} {_texts()[test]}"))


@cache
def _names(test: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", _texts()[test]))


@cache
def _rarity(word: str, those_of: Callable[[str], frozenset[str]]) -> float:
    having = sum(word in those_of(test) for test in _texts())
    return math.log(len(_texts()) / having) if having else 0.0
