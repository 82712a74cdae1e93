"""Python functions whose most frequent case is machine code that Python calls without a frame: those of ODE's loop.

`vectorcall.py` makes the callables, `loop.py` contains their kernels, `python_api.py` what these call of Python's C API, and
`loading.py` loads them when the first collision of a space with a callback begins.
"""
