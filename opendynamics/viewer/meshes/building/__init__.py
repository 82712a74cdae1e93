"""What the meshes of several shapes are built with."""
