"""Start and end of a live view, and its messages."""

import gc
import socket
import struct
import subprocess
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes
from opendynamics.core.arrays.bodies import POSES

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics.viewer.live.disconnects import server_log
from opendynamics.viewer.live.viewer import Viewer
from tests.viewer.fake_browser import FakeBrowser, until
from tests.viewer.showing import batch_of, show


def test_it_says_where_it_is_and_who_can_reach_it(world, capsys):
    with show(world, quiet=False) as viewer:
        assert viewer.url.startswith(f"http://127.0.0.1:{viewer.port}/")
        sockets = viewer._server._websock_server._port
        assert sockets == viewer.port > 0
    reported = capsys.readouterr().out
    assert reported == f"opendynamics: trial is shown at {viewer.url} (reachable from this machine only)\n"
    with show(world, host="0.0.0.0", quiet=False) as viewer:
        pass
    assert "whoever can reach this machine and has this address can see and move the scene" in capsys.readouterr().out


def test_only_the_loopback_interface_is_listened_to(live):
    with socket.create_connection(("127.0.0.1", live.port), 120):
        pass
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", live.port), 2):
        pass


def leave(connection, abruptly):
    """Close a connection: as a browser that has no use for it, or by a reset."""
    if abruptly:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("abruptly", [False, True])
def test_nothing_is_printed_of_browsers_that_leave(world, capfd, caplog, abruptly):
    with show(world, threaded=False) as viewer:
        for sent in (b"", b"GET /"):
            with socket.create_connection(("127.0.0.1", viewer.port), 120) as connection:
                connection.sendall(sent)
                leave(connection, abruptly)
        # The server takes connections in turn: once this one is answered and closed, it has seen the others leave.
        with socket.create_connection(("127.0.0.1", viewer.port), 120) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            while connection.recv(1000):
                pass
    assert not caplog.records
    assert capfd.readouterr().err == ""


def test_other_errors_of_the_server_are_logged(caplog):
    try:
        raise ValueError("no disconnect")
    except ValueError:
        server_log().exception("wrong")
    try:
        raise ValueError("no request") from EOFError()
    except ValueError:
        server_log().exception("left")
    assert [record.getMessage() for record in caplog.records] == ["wrong"]


def test_a_port_in_use_is_told_before_anything_begins(world):
    threads = threading.active_count()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(
            OSError, match=f"port {port} of 127.0.0.1 cannot be used .* give the live view another port"
        ):
            show(world, port=port)
    assert threading.active_count() == threads
    with show(world, port=port) as viewer:
        assert viewer.port == port
    with show(world, port=port):  # free again at once
        pass


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"port": 70000}, ValueError, "port"),
        ({"port": "x"}, TypeError, "port"),
        ({"host": 5}, TypeError, "the host of the live view must be"),
        ({"host": "192.0.2.1"}, OSError, "192.0.2.1 is no address of this machine"),
        ({"speed": 0}, ValueError, "the speed of the live view"),
        ({"h": -1}, ValueError, "step"),
        ({"advance": 3}, TypeError, "advance of a live view must be a function"),
        ({"spaces": 3}, TypeError, "the spaces of a live view must be spaces"),
        ({"spaces": [3]}, TypeError, "the spaces of a live view must be spaces"),
    ],
)
def test_bad_arguments(world, options, error, message):
    with pytest.raises(error, match=message):
        show(world, **options)


def test_what_cannot_be_shown(world):
    with pytest.raises(TypeError, match="view shows a World, a Scene or a recording, not 3"):
        show(3)
    with pytest.raises(ValueError, match="a scene has its own step size"):
        show(scenes.build("wall"), h=0.1)
    world.destroy()
    with pytest.raises(od.DestroyedError):
        show(world)


def test_without_viser_the_message_names_the_command():
    code = (
        "import sys; sys.modules['viser'] = None\n"
        "import opendynamics as od\n"
        "try: od.view(od.World(), block=False)\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "the live view needs the viser package: pip install 'opendynamics[view]'"


def test_closing_ends_threads_and_lets_go_of_the_world():
    world = od.World()
    world.add_body(od.Sphere(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        threads = threading.active_count()
        viewer = show(world)
        browser = FakeBrowser(viewer.url)
        until(lambda: viewer.time > 0.05)
        viewer.close()
        viewer.close()
        browser.close()
    until(lambda: threading.active_count() <= threads)
    assert viewer.closed
    assert "closed" in repr(viewer)
    assert "closed" in viewer._repr_html_()
    for ask, arguments in ((viewer.pause, ()), (viewer.step, ()), (viewer.sync, ()), (viewer.call, (int,))):
        with pytest.raises(RuntimeError, match="is closed; make a new one"):
            ask(*arguments)


def test_a_closed_view_does_not_keep_the_world():
    def look():
        world = od.World()
        world.add_body(od.Sphere(1))
        with show(world) as viewer:
            until(lambda: viewer.time > 0.05)
        return weakref.ref(world)

    gone = look()
    gc.collect()
    assert gone() is None


def test_in_a_notebook(live, monkeypatch):
    for name in ("SSH_CONNECTION", "JUPYTERHUB_SERVICE_PREFIX", "COLAB_RELEASE_TAG"):
        monkeypatch.delenv(name, raising=False)
    page = live._repr_html_()
    assert f'<iframe src="{live.url}"' in page
    assert "trial" in page


def test_a_notebook_whose_browser_is_elsewhere_is_given_a_page(live, monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/me/")
    before = live.time
    page = live._repr_html_()
    assert page.startswith("<iframe srcdoc=") and live.url not in page and len(page) > 100_000
    assert live.time > before + 2.0


def test_a_notebook_has_no_banner(world, capsys, monkeypatch):
    from opendynamics.viewer.live import viewer as module

    monkeypatch.setattr(module, "in_notebook", lambda: True)
    with show(world, quiet=None):
        pass
    assert capsys.readouterr().out == ""


BLOCKED = """
import _thread, threading, time
import opendynamics as od
from opendynamics.viewer.live.disconnects import server_log
from opendynamics.viewer.live.viewer import Viewer

waiting, wait = [], Viewer.wait

def note_and_wait(viewer):
    waiting.append(viewer)
    wait(viewer)

def interrupt_once_it_waits():
    while not (waiting and waiting[0].time > 0.3):
        time.sleep(0.05)
    _thread.interrupt_main()

Viewer.wait = note_and_wait
threading.Thread(target=interrupt_once_it_waits, daemon=True).start()
world = od.World(); world.add_body(od.Sphere(1))
viewer = od.view(world)
print(viewer.closed)
"""

AT_A_PROMPT = """
import sys; sys.ps1 = "> "
import opendynamics as od
world = od.World(); world.add_body(od.Sphere(1))
viewer = od.view(world)
print(viewer.closed)
viewer.close()
"""


@pytest.mark.parametrize(("script", "closed"), [(BLOCKED, "True"), (AT_A_PROMPT, "False")])
def test_a_script_blocks_until_it_is_interrupted_and_a_prompt_does_not(script, closed):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.splitlines()[-1] == closed
    assert not done.stderr


def test_stepping_by_hand(viewer, world):
    world.advance(0.01)
    viewer.sync()
    np.testing.assert_allclose(
        batch_of(viewer, "sphere").handles[0].batched_positions[0], world._store[POSES]["position"][1], atol=1e-6
    )
    with show(world) as threaded, pytest.raises(RuntimeError, match="threaded=False"):
        threaded.sync()


def test_a_world_without_anything_can_be_shown():
    with show(od.World()) as viewer:
        until(lambda: viewer.time > 0.02)
        assert viewer.error is None
    assert isinstance(viewer, Viewer)
