"""Visualisation of worlds: shapes as triangles, colours, and the live view in the browser.

Features that need an extra package import it on use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api.suggestions import explain_function

if TYPE_CHECKING:
    from opendynamics.api.world import World
    from opendynamics.scenes import Scene
    from opendynamics.viewer.live.viewer import Viewer


@explain_function
def view(what: World | Scene | Any, *, block: bool | None = None, **options: Any) -> Viewer:
    """Show a world, a scene or a recording in the browser, while it runs. Needs the extra `view`.

        od.view(world)                      in a script: until Ctrl-C
        viewer = od.view(world)             in a notebook: returns at once; viewer.close() ends it
        with od.view(world, block=False) as viewer: ...

    Args:
        what: a World, a Scene, or a recording.
        block: whether to return only when the user presses Ctrl-C. By default, a script blocks, and Python's prompt and
            notebooks do not.
        options: see `Viewer`: host, port, h, play, speed, advance, rebuild, spaces, threaded, open_browser, quiet.

    If it blocked, the returned viewer is already closed.
    """
    from opendynamics.viewer.live.browser import is_interactive
    from opendynamics.viewer.live.viewer import Viewer

    viewer = Viewer(what, **options)
    if block or (block is None and not is_interactive()):
        with viewer:
            viewer.wait()
    return viewer
