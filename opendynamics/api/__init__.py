"""The Pythonic face: worlds, bodies, geoms, joints, spaces as objects with properties."""
