"""Reads worlds from XODE documents, as PyODE's `xode` does.

    from opendynamics.pyode.xode import parser

    root = parser.Parser().parseString(text)
    body = root.namedChild("wheel").getODEObject()

A document becomes a tree of nodes with their ODE objects. Objects without other references are destroyed with the tree.
Malformed documents raise an InvalidError with the line.
"""
