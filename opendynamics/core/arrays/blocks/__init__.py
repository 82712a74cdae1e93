"""Memory that kernels reach by an address and that is no table: the data of shapes, and the scratch of colliders."""
