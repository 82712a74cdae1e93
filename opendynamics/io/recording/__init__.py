"""Recordings: files *.odr of the motion of a world. `Recorder` writes them, `Recording` reads them.

chunks      the file as a row of chunks with lengths and checksums
watching    what there is in a world and what has changed of it; shapes: geoms as plain descriptions, and back
gathering   a frame's numbers, read from the world's tables
spans       frames -> bytes -> frames, by coding (small whole numbers) and packing (planes and zlib)
recorder    a world -> spans; writer: spans -> file, in a thread of its own
recording   a file -> frames; replay: frames -> a World
"""
