"""Whether there is a browser to open, and whether Python is used interactively."""

from __future__ import annotations

import os
import sys
import webbrowser


def has_display() -> bool:
    """Whether the user would see a browser opened here: not over SSH, and not without a display."""
    if "SSH_CONNECTION" in os.environ or "CI" in os.environ:
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(url: str) -> bool:
    """Open a page; returns whether that succeeded."""
    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False


def in_notebook() -> bool:
    """Whether Python is the kernel of a notebook, where printed text remains on the page."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return type(shell).__name__ in ("ZMQInteractiveShell", "Shell")  # Jupyter's; Colab's


def is_reachable() -> bool:
    """Whether the browser of a notebook can be expected to run on this machine: not with JupyterHub, Colab or over SSH."""
    return not any(name in os.environ for name in ("JUPYTERHUB_SERVICE_PREFIX", "COLAB_RELEASE_TAG", "SSH_CONNECTION"))


def is_interactive() -> bool:
    """Whether Python is interactive: its prompt, IPython, or a notebook."""
    if hasattr(sys, "ps1"):
        return True
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None
