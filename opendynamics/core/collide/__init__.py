"""Collision pipeline: bounding boxes, candidate pairs, contact points, contact constraints."""
