"""Pictures of worlds without a display: rays cast from a camera through the engine's own collision tree."""
