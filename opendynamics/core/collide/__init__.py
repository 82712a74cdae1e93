"""Collision: bounding boxes, candidate pairs, contact points and contact constraints; ray casts and other queries of spaces."""
