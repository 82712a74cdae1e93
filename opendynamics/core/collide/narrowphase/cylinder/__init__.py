"""Penetration depth of cylinders by their edge circles: circle-circle, circle-segment, circle-arc."""
