"""What several overlays draw with."""
