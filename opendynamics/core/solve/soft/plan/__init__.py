"""Layout of an island's data in scratch memory, graph colouring of its constraints, and motors solved together with joints."""
