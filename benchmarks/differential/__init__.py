"""Differential fuzzing: random programs of ODE's functions, run by this engine and by the installed libode.

    python -m benchmarks.differential --seconds 60

A disagreement is repeated by its seed and shrunk to a small program.
"""
