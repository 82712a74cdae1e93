"""Record now, analyse later: a row of balls is knocked over and recorded; the recording shows which ball moved when.

The recording is a file that other programs can open as well: `opendynamics plot`, `view`, `render`, `export`.
"""

import tempfile
from pathlib import Path

import numpy as np

import opendynamics as od

world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.3, bounce=0.9, bounce_velocity=0.05))
world.add_plane(normal=(0, 0, 1))
balls = [world.add_body(od.Sphere(0.1), position=(0.4 * k, 0, 0.1), density=1000, name=f"ball {k}") for k in range(5)]
balls[0].linear_velocity = (3, 0, 0)


def leader():
    """Position of the foremost ball, m."""
    return world.positions[:, 0].max()


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "balls.odr"
    with od.Recorder(world, path, velocities=True, contacts=True, channels={"leader": leader}):
        world.advance(0.005, steps=300)

    # Later, in any program (a plot needs the extra `plot`, a film the extra `render`):
    with od.Recording(path) as recording:
        size = path.stat().st_size
        speeds = np.linalg.norm(recording.linear_velocities, axis=2)  # (frames, balls)
        began = [recording.times[np.argmax(speeds[:, k] > 0.1)] for k in range(5)]
        lost = 1 - recording.series["kinetic"][-1] / recording.series["kinetic"][0]
        furthest = recording.channels["leader"].max()
        shown = recording.world()  # a World with the same bodies and geoms ...
        recording.put(shown, recording.frame_at(0.5))  # ... as they were after half a second
        halfway = shown.bodies[4].position[0]
        od.plot(recording, "energy,body:ball 4.speed").savefig(Path(folder) / "balls.png")
        with od.Video(Path(folder) / "balls.gif", fps=10, size=(160, 90)) as film:
            for time in np.arange(0, 1.5, 0.1):
                recording.put(shown, recording.frame_at(time))
                film.add(shown, od.Camera((1.2, -3.0, 1.2), (0.9, 0, 0)))
    plotted, filmed = ((Path(folder) / name).stat().st_size for name in ("balls.png", "balls.gif"))

print(
    f"{len(speeds)} frames in {size / 1000:.0f} kB; a plot of {plotted / 1000:.0f} kB, a film of {filmed / 1000:.0f} kB"
)
for name, time in zip((ball.name for ball in balls), began, strict=True):
    print(f"{name} moves from {time:.2f} s on")
print(f"the last ball was at {halfway:.2f} m after 0.5 s, and got to {furthest:.2f} m")
print(f"{100 * lost:.0f} % of the kinetic energy was lost")
