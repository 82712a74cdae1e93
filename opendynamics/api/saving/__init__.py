"""Saving worlds: snapshots in memory and in files, copies, pickles.

A world is its tables (`core/arrays`, by their roles) and one manifest: the attributes of its members (`api/member.py`).
`manifest` lists and restores them, `snapshot` combines both, `portable` converts a snapshot to bytes and back, `saving` is
the mixin of World with the public methods.
"""
