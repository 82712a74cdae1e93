"""Pure functions of vectors, quaternions, 3x3 matrices and boxes; vector instructions in registers and in eight lanes."""
