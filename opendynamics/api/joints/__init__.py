"""Joints. One file of this family is one kind; its class has `kind` equal to the file's name, and gives worlds a method
`add_<kind>`.
"""
