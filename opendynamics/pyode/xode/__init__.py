"""Reads worlds from XODE documents, as PyODE's `xode` does.

    from opendynamics.pyode.xode import parser

    root = parser.Parser().parseString(text)
    body = root.namedChild("wheel").getODEObject()

A document becomes a tree of nodes, each with the ODE object it stands for. Whoever drops the tree drops the objects that
nothing else refers to. Documents that are malformed raise an InvalidError with the line.
"""
