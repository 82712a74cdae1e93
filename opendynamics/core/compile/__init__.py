"""From kernels to machine code that is kept: what the code depends on, the folder and files that hold it.

settings    Numba's version, settings and processor, without importing it
sources     the modules that a kernel can see
keys        everything that the machine code of an entry depends on, as one number
folder      where machine code is kept, and whether that is safe
files       one file for each entry, with checksum
locks       turns between processes that need the same
messages    what users see meanwhile
shipped     machine code that came with the package
symbols     arrays of the process that machine code names
objects     object code, linked into the process and called without Numba
cache       all that for one entry
loading     entries loaded or compiled, several at the same time

Nothing in this folder affects machine code: its own sources are not part of any key. Code that does is in `core/kernels.py`
and `core/jit.py`.
"""
