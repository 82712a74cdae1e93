"""Narrowphase: contact points of a pair of geoms."""
