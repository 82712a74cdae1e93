"""Joints that drive others or bodies along axes, and hold nothing by themselves."""
