"""What moves: the shapes and their mass properties."""
