"""Dynamics of a model in a state: mass matrix, inverse and forward dynamics, energies."""
