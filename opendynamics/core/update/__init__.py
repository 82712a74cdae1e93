"""Forces to new velocities and poses, and bodies that go to rest."""
