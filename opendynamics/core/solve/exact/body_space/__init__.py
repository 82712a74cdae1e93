"""Islands solved in the space of bodies: large ones, and those whose envelope is wide."""
