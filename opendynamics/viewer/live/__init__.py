"""The live view: a world in the browser, which users can play, pick and pull.

    Viewer       the user's handle: play, pause, step, close
    Loop         the only thread that accesses the world: commands, steps at real-time pace, a frame to the browser
    Session      the contents of a frame: a Source (a Simulation, or the Replay of a recording), the Batches of meshes,
                 overlays/ (family) and panels/ (family)

Requests of the browser become commands in a queue, which the loop's thread executes between steps. The web server is viser's,
with its own threads; it is sent poses of whole batches, 30 times per second.
"""
