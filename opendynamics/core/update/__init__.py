"""Forces to new velocities and poses, damping, sleeping."""
