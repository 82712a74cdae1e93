"""The Python API: worlds, bodies, geoms, joints and spaces as objects with properties."""
