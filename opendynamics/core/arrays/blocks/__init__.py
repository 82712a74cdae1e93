"""Memory outside tables that kernels reach by an address: the data of shapes, and the scratch memory of colliders."""
