"""Sparse linear systems and the box LCP of an island in the space of bodies, six numbers each."""
