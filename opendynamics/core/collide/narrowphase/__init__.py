"""From a pair of geoms to the points in which they touch."""
