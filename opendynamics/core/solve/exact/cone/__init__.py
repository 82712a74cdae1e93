"""Islands with elliptic friction cones."""
