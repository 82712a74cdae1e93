"""The live view: a world in the browser, seen, played, picked and pulled.

    Viewer       what the user holds: play, pause, step, close
    Loop         the one thread that touches the world: commands, steps at real-time pace, a frame to the browser
    Session      what a frame consists of: a Source (a Simulation, or the Replay of a recording), the Batches of
                 meshes, overlays/ (family) and panels/ (family)

Whatever the browser asks for comes as a command into a queue, which the loop's thread empties between steps. The web
server is viser's, in threads of its own; it is sent poses of whole batches, 30 times a second.
"""
