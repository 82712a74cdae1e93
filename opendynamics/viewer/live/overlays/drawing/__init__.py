"""Drawing primitives shared by overlays."""
