"""State to contacts: boxes, pairs of geoms whose boxes overlap, contact points, contact constraints."""
