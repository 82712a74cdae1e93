"""Forces to new velocities and poses, damping, sleeping and waking; forces and joint coordinates for users to read."""
