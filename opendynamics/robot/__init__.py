"""Robots: models of links, joints and devices from files, their kinematics and dynamics, and robots in a World.

    import opendynamics as od

    model = od.load_robot("SR1.body")
    state = model.state()
    state.q[model.joints["LLEG_KNEE"].index] = 0.5
    print(od.robot.center_of_mass(state))

A Model is immutable; a State is arrays: joint vectors in the order of joint ids, in radians and SI units.
"""

from __future__ import annotations

from opendynamics.robot.dynamics.inverse import (
    bias_forces,
    forward_dynamics,
    gravity_forces,
    inverse_dynamics,
    kinetic_energy,
    potential_energy,
)
from opendynamics.robot.dynamics.mass_matrix import mass_matrix
from opendynamics.robot.geometry import Appearance, Box, Capsule, Cone, Cylinder, Mesh, Shape, Sphere, triangles_of
from opendynamics.robot.kinematics.forward import Kinematics, center_of_mass, forward_kinematics
from opendynamics.robot.kinematics.inverse import Solution, Target, inverse_kinematics
from opendynamics.robot.kinematics.jacobians import center_of_mass_jacobian, jacobian
from opendynamics.robot.link import Device, ExtraJoint, Joint, Link
from opendynamics.robot.loaders import load_robot
from opendynamics.robot.materials import MaterialTable, load_materials
from opendynamics.robot.model import Model
from opendynamics.robot.motion import Motion, load_motion
from opendynamics.robot.pd import PDControl
from opendynamics.robot.projects.project import Project, load_project
from opendynamics.robot.reading.files import Limits
from opendynamics.robot.reading.findings import ModelError, ModelWarning
from opendynamics.robot.robot import Robot
from opendynamics.robot.robot_array import RobotArray, RobotStates
from opendynamics.robot.simulator.controller import Controller
from opendynamics.robot.simulator.following import FollowMotion, HoldPose
from opendynamics.robot.simulator.io import RobotIO
from opendynamics.robot.simulator.settings import SimulatorSettings
from opendynamics.robot.simulator.simulator import Simulator
from opendynamics.robot.state import State

__all__ = [
    "Appearance",
    "Box",
    "Capsule",
    "Cone",
    "Controller",
    "Cylinder",
    "Device",
    "ExtraJoint",
    "FollowMotion",
    "HoldPose",
    "Joint",
    "Kinematics",
    "Limits",
    "Link",
    "MaterialTable",
    "Mesh",
    "Model",
    "ModelError",
    "ModelWarning",
    "Motion",
    "PDControl",
    "Project",
    "Robot",
    "RobotArray",
    "RobotIO",
    "RobotStates",
    "Shape",
    "Simulator",
    "SimulatorSettings",
    "Solution",
    "Sphere",
    "State",
    "Target",
    "bias_forces",
    "center_of_mass",
    "center_of_mass_jacobian",
    "forward_dynamics",
    "forward_kinematics",
    "gravity_forces",
    "inverse_dynamics",
    "inverse_kinematics",
    "jacobian",
    "kinetic_energy",
    "load_materials",
    "load_motion",
    "load_project",
    "load_robot",
    "mass_matrix",
    "potential_energy",
    "triangles_of",
]
