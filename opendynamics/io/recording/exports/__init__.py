"""Recordings as other files. One file of this family is one format.

A member has `SUFFIX`, the end of the names of such files, and `export(frames, path, **options)`. Files that are there are
replaced: an export can be repeated, a recording cannot.
"""
