"""Joints. One file of this family is one kind; the class in it has `kind` equal to the file's name, and gives worlds a
method `add_<kind>`.
"""
