"""Bodies: their shapes and mass properties."""
