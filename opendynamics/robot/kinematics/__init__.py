"""Kinematics of a model in a state: poses, velocities, accelerations, Jacobians, inverse kinematics."""
