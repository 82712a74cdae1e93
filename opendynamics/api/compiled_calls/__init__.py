"""Python functions whose most frequent case is machine code that Python calls without a frame.

`vectorcall.py` makes the callables. `protocol.py` and `python_api.py` are what kernels have in common, `known.py` is what they
know of Python's objects. `loop.py` has the kernels of ODE's loop, loaded when the first collision with a callback begins, and
`forces.py` those of forces, loaded after some calls.
"""
