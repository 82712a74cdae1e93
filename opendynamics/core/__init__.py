"""Kernels, and the arrays that they work on. Knows no Python objects and no files but those of the kernel cache."""
