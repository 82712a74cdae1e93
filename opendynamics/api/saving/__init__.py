"""Saving worlds: snapshots in memory and in files, copies, pickles.

A world is its tables (`core/arrays`, by their roles) and one manifest: the attributes of its members (`api/member.py`).
`manifest` lists and reinstates them, `snapshot` is both together, `portable` turns a snapshot into bytes and back,
`saving` is the part of World that its users call.
"""
