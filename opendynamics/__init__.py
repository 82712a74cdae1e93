"""opendynamics: the Open Dynamics Engine, rebuilt in Python.

    import opendynamics as od

    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
    world.advance(1 / 60, steps=300)
    print(ball.position)

Units are SI; quaternions are (w, x, y, z). Array arguments may be anything array-like; results are NumPy arrays.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opendynamics import robot
    from opendynamics.api import rotation
    from opendynamics.api.batch import Batch
    from opendynamics.api.belts import Track
    from opendynamics.api.body import Body
    from opendynamics.api.categories import Categories
    from opendynamics.api.checks import DestroyedError
    from opendynamics.api.colliders import set_collider
    from opendynamics.api.configuration import Configuration, configuration
    from opendynamics.api.conflicts import ConflictWarning
    from opendynamics.api.contact import Contact, collide
    from opendynamics.api.contact_events import ContactEvents, TouchingPair
    from opendynamics.api.contact_points import ContactPoints
    from opendynamics.api.files import FileError
    from opendynamics.api.geoms.box import Box
    from opendynamics.api.geoms.capsule import Capsule
    from opendynamics.api.geoms.cone import Cone
    from opendynamics.api.geoms.convex import Convex
    from opendynamics.api.geoms.custom import CustomGeom, GeomClass
    from opendynamics.api.geoms.cylinder import Cylinder
    from opendynamics.api.geoms.ellipsoid import Ellipsoid
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.geoms.heightfield import Heightfield
    from opendynamics.api.geoms.heightfield_data import HeightfieldData
    from opendynamics.api.geoms.mesh_data import MeshData
    from opendynamics.api.geoms.plane import Plane
    from opendynamics.api.geoms.ray import Ray
    from opendynamics.api.geoms.rounded_box import RoundedBox
    from opendynamics.api.geoms.sphere import Sphere
    from opendynamics.api.geoms.support import SupportClass, SupportGeom
    from opendynamics.api.geoms.transform import GeomTransform
    from opendynamics.api.geoms.trimesh import Trimesh
    from opendynamics.api.joint_array import JointArray
    from opendynamics.api.joint_group import JointGroup
    from opendynamics.api.joints.amotor import AMotor
    from opendynamics.api.joints.ball import Ball
    from opendynamics.api.joints.contact import ContactJoint
    from opendynamics.api.joints.dball import DBall
    from opendynamics.api.joints.dhinge import DHinge
    from opendynamics.api.joints.fixed import Fixed
    from opendynamics.api.joints.hinge import Hinge
    from opendynamics.api.joints.hinge2 import Hinge2
    from opendynamics.api.joints.joint import Feedback, Joint
    from opendynamics.api.joints.limit_motor import LimitMotor
    from opendynamics.api.joints.lmotor import LMotor
    from opendynamics.api.joints.null import Null
    from opendynamics.api.joints.piston import Piston
    from opendynamics.api.joints.plane2d import Plane2D
    from opendynamics.api.joints.pr import PR
    from opendynamics.api.joints.pu import PU
    from opendynamics.api.joints.servo import Servo
    from opendynamics.api.joints.slider import Slider
    from opendynamics.api.joints.transmission import Transmission
    from opendynamics.api.joints.universal import Universal
    from opendynamics.api.mass import Mass
    from opendynamics.api.mesh_bodies import convex_parts
    from opendynamics.api.missing_contacts import MissingContactsWarning
    from opendynamics.api.queries import boxes_touch, closest_points_of_segments, distance
    from opendynamics.api.quickstep_settings import QuickstepCounts
    from opendynamics.api.saving.snapshot import Snapshot, SnapshotError
    from opendynamics.api.softness import Softness, softness
    from opendynamics.api.spaces.collide2 import collide2
    from opendynamics.api.spaces.hash import HashSpace
    from opendynamics.api.spaces.quad_tree import QuadTreeSpace
    from opendynamics.api.spaces.queries import RayHits
    from opendynamics.api.spaces.simple import SimpleSpace
    from opendynamics.api.spaces.space import Space
    from opendynamics.api.spaces.sweep_and_prune import SweepAndPruneSpace
    from opendynamics.api.spaces.tree import TreeSpace
    from opendynamics.api.springs import Spring
    from opendynamics.api.statistics import Statistics
    from opendynamics.api.step_contacts import StepContacts
    from opendynamics.api.stepping import FaultWarning
    from opendynamics.api.surface import Surface
    from opendynamics.api.surfaces import Surfaces
    from opendynamics.api.units import UnitsWarning
    from opendynamics.api.warning import SetupWarning
    from opendynamics.api.world import World
    from opendynamics.io.recording.recorder import Recorder, RecordingWarning
    from opendynamics.io.recording.recording import Recording
    from opendynamics.robot.loaders import load_robot
    from opendynamics.robot.robot import Robot
    from opendynamics.viewer import view
    from opendynamics.viewer.pictures.camera import Camera
    from opendynamics.viewer.pictures.light import Light
    from opendynamics.viewer.pictures.renderer import Renderer
    from opendynamics.viewer.pictures.video import Video
    from opendynamics.viewer.plotting import plot, plot_words

__version__ = "0.1.0"

# Tables have their positions, which machine code depends on, in the order of their declaration: it must not depend on what of the
# package is imported first.
for _solver in ("pgs", "auto", "soft"):
    importlib.import_module(f"{__name__}.core.solve.{_solver}.parameters")

# The module of each name, imported when the name is first asked for.
_PLACES = {
    "AMotor": "api.joints.amotor",
    "Ball": "api.joints.ball",
    "Batch": "api.batch",
    "Body": "api.body",
    "Box": "api.geoms.box",
    "boxes_touch": "api.queries",
    "Camera": "viewer.pictures.camera",
    "Capsule": "api.geoms.capsule",
    "Categories": "api.categories",
    "closest_points_of_segments": "api.queries",
    "collide": "api.contact",
    "collide2": "api.spaces.collide2",
    "Cone": "api.geoms.cone",
    "Configuration": "api.configuration",
    "configuration": "api.configuration",
    "ConflictWarning": "api.conflicts",
    "Contact": "api.contact",
    "ContactEvents": "api.contact_events",
    "ContactJoint": "api.joints.contact",
    "ContactPoints": "api.contact_points",
    "Convex": "api.geoms.convex",
    "convex_parts": "api.mesh_bodies",
    "CustomGeom": "api.geoms.custom",
    "Cylinder": "api.geoms.cylinder",
    "DBall": "api.joints.dball",
    "DestroyedError": "api.checks",
    "DHinge": "api.joints.dhinge",
    "distance": "api.queries",
    "Ellipsoid": "api.geoms.ellipsoid",
    "FaultWarning": "api.stepping",
    "Feedback": "api.joints.joint",
    "FileError": "api.files",
    "Fixed": "api.joints.fixed",
    "Geom": "api.geoms.geom",
    "GeomClass": "api.geoms.custom",
    "GeomTransform": "api.geoms.transform",
    "HashSpace": "api.spaces.hash",
    "Heightfield": "api.geoms.heightfield",
    "HeightfieldData": "api.geoms.heightfield_data",
    "Hinge": "api.joints.hinge",
    "Hinge2": "api.joints.hinge2",
    "Joint": "api.joints.joint",
    "JointArray": "api.joint_array",
    "JointGroup": "api.joint_group",
    "Light": "viewer.pictures.light",
    "LimitMotor": "api.joints.limit_motor",
    "LMotor": "api.joints.lmotor",
    "load_robot": "robot.loaders",
    "Mass": "api.mass",
    "MeshData": "api.geoms.mesh_data",
    "MissingContactsWarning": "api.missing_contacts",
    "Null": "api.joints.null",
    "Piston": "api.joints.piston",
    "Plane": "api.geoms.plane",
    "Plane2D": "api.joints.plane2d",
    "plot": "viewer.plotting",
    "plot_words": "viewer.plotting",
    "PR": "api.joints.pr",
    "PU": "api.joints.pu",
    "QuadTreeSpace": "api.spaces.quad_tree",
    "QuickstepCounts": "api.quickstep_settings",
    "Ray": "api.geoms.ray",
    "RayHits": "api.spaces.queries",
    "Recorder": "io.recording.recorder",
    "Recording": "io.recording.recording",
    "RecordingWarning": "io.recording.recorder",
    "Renderer": "viewer.pictures.renderer",
    "Robot": "robot.robot",
    "RoundedBox": "api.geoms.rounded_box",
    "Servo": "api.joints.servo",
    "SetupWarning": "api.warning",
    "set_collider": "api.colliders",
    "SimpleSpace": "api.spaces.simple",
    "Slider": "api.joints.slider",
    "Snapshot": "api.saving.snapshot",
    "SnapshotError": "api.saving.snapshot",
    "Softness": "api.softness",
    "softness": "api.softness",
    "Space": "api.spaces.space",
    "Sphere": "api.geoms.sphere",
    "Spring": "api.springs",
    "Statistics": "api.statistics",
    "StepContacts": "api.step_contacts",
    "SupportClass": "api.geoms.support",
    "SupportGeom": "api.geoms.support",
    "Surface": "api.surface",
    "Surfaces": "api.surfaces",
    "SweepAndPruneSpace": "api.spaces.sweep_and_prune",
    "TouchingPair": "api.contact_events",
    "Track": "api.belts",
    "Transmission": "api.joints.transmission",
    "TreeSpace": "api.spaces.tree",
    "Trimesh": "api.geoms.trimesh",
    "UnitsWarning": "api.units",
    "Universal": "api.joints.universal",
    "Video": "viewer.pictures.video",
    "view": "viewer",
    "World": "api.world",
}

# Modules that are asked for like names.
_MODULES = {name: name for name in ("api", "core", "robot", "viewer")} | {"rotation": "api.rotation"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        found = importlib.import_module(f"{__name__}.{_MODULES[name]}")
    elif name in _PLACES:
        found = getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
    else:
        from opendynamics.api.other_engines import remedy
        from opendynamics.api.suggestions import nearest

        end = "" if name.startswith("_") else remedy([__name__], name) or nearest(name, __dir__())
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{end}", obj=sys.modules[__name__])
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*filter(_is_dunder, globals()), *_PLACES, *_MODULES})


def _is_dunder(name: str) -> bool:
    return name.startswith("__")


__all__ = [
    "AMotor",
    "Ball",
    "Batch",
    "Body",
    "Box",
    "Camera",
    "Capsule",
    "Configuration",
    "Contact",
    "ContactEvents",
    "ContactJoint",
    "ContactPoints",
    "Ellipsoid",
    "Cone",
    "RoundedBox",
    "Convex",
    "CustomGeom",
    "Cylinder",
    "DBall",
    "DHinge",
    "DestroyedError",
    "ConflictWarning",
    "FaultWarning",
    "Feedback",
    "FileError",
    "Fixed",
    "Geom",
    "GeomClass",
    "GeomTransform",
    "HashSpace",
    "Heightfield",
    "HeightfieldData",
    "Hinge",
    "Hinge2",
    "Joint",
    "JointArray",
    "JointGroup",
    "LMotor",
    "Light",
    "LimitMotor",
    "Mass",
    "MeshData",
    "MissingContactsWarning",
    "Null",
    "PR",
    "PU",
    "Piston",
    "Plane",
    "Plane2D",
    "QuadTreeSpace",
    "Ray",
    "RayHits",
    "Recorder",
    "Recording",
    "RecordingWarning",
    "Renderer",
    "Robot",
    "Servo",
    "SetupWarning",
    "SimpleSpace",
    "Snapshot",
    "SnapshotError",
    "Slider",
    "Space",
    "Sphere",
    "Spring",
    "QuickstepCounts",
    "Statistics",
    "StepContacts",
    "SupportClass",
    "SupportGeom",
    "Surface",
    "Surfaces",
    "Track",
    "SweepAndPruneSpace",
    "TouchingPair",
    "Transmission",
    "TreeSpace",
    "Trimesh",
    "UnitsWarning",
    "Universal",
    "Video",
    "World",
    "boxes_touch",
    "closest_points_of_segments",
    "convex_parts",
    "softness",
    "Categories",
    "Softness",
    "collide",
    "collide2",
    "configuration",
    "distance",
    "load_robot",
    "plot",
    "plot_words",
    "robot",
    "rotation",
    "set_collider",
    "view",
]
