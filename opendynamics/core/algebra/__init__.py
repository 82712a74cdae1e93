"""Vectors, quaternions and 3x3 matrices as tuples of floats: pure functions, the ground everything stands on."""
