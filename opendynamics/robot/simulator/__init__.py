"""Simulator: robots and their environment in a World, with controllers, actuation, materials, and settings from one list of
fields.
"""
