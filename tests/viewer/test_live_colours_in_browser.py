"""End to end: the colours of bodies by default and while they sleep, and pages that may not connect."""

import contextlib
import http.server
import threading

import numpy as np
import pytest

import opendynamics as od
from opendynamics.scenes import Scene

pytest.importorskip("viser", reason="the live view needs viser")
pytest.importorskip("selenium", reason="the browser is driven by selenium")

from tests.viewer.chromium import PATIENCE, Chromium, programs
from tests.viewer.fake_browser import until
from tests.viewer.showing import show

pytestmark = pytest.mark.skipif(programs() is None, reason="chromium or chromedriver is not installed")

PLACES = ((-0.8, 0, 0.5), (0.8, 0, 0.5))  # m

# What a page says that opened a web socket: that it was let in, or not.
CONNECT = """
const [url, protocol, done] = arguments;
const socket = new WebSocket(url, protocol);
socket.onopen = () => { socket.close(); done("open"); };
socket.onerror = () => done("refused");
"""


@pytest.fixture(scope="module")
def viewer():
    """Two boxes without a given colour that do not fall."""
    world = od.World(name="colours")
    for place in PLACES:
        world.add_body(od.Box((1, 1, 1)), position=place)
    with show(Scene(world, camera=(0.5, -6.0, 2.0), target=(0.5, 0, 0.5)), play=False) as viewer:
        yield viewer


@pytest.fixture(scope="module")
def chromium():
    chromium = Chromium()
    try:
        yield chromium
    finally:
        chromium.close()


@pytest.fixture(scope="module")
def page(viewer, chromium):
    """The browser, with the view in it."""
    chromium.open(viewer.url)
    until(lambda: len(viewer._server.get_clients()) == 1 and "Play" in chromium.text, PATIENCE)
    chromium.close_notes()
    until(lambda: chromium.picture().std() > 8, PATIENCE)
    yield chromium
    assert chromium.complaints() == []


@contextlib.contextmanager
def foreign_page():
    """The address of a page that another server of this machine has."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html><body>elsewhere</body></html>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def colours(viewer, chromium):
    """Mean colour of a patch of each box, shape (2, 3)."""
    camera = next(iter(viewer._server.get_clients().values())).camera
    seen = chromium.screen()
    found = []
    for place in PLACES:
        x, y = (int(c) for c in chromium.where(camera, np.add(place, (0, -0.5, 0))))
        found.append(seen[y - 4 : y + 5, x - 4 : x + 5].mean(axis=(0, 1)))
    return np.array(found)


def vividness(colour):
    """How far a colour is from grey: the largest of its parts less the least."""
    return np.ptp(colour)


def test_bodies_have_different_colours_by_default_and_pale_while_they_sleep(viewer, page):
    until(lambda: min(map(vividness, colours(viewer, page))) > 40, PATIENCE)
    first, second = awake = page.steady(lambda: colours(viewer, page), 1.0)
    assert np.abs(first - second).max() > 60 and np.argmax(first) != np.argmax(second)
    viewer.call(lambda: setattr(viewer.world.bodies[0], "enabled", False))
    until(lambda: vividness(colours(viewer, page)[0]) < 0.65 * vividness(first), PATIENCE)
    until(lambda: np.allclose(colours(viewer, page)[1], second, atol=6), PATIENCE)
    viewer.call(lambda: setattr(viewer.world.bodies[0], "enabled", True))
    until(lambda: np.allclose(colours(viewer, page), awake, atol=6), PATIENCE)


def test_a_page_from_elsewhere_cannot_connect_though_it_knows_the_address(viewer):
    """Neither can the view's own page without the token, nor by a name that was pointed at this machine."""
    import viser

    socket, protocol = viewer.url.replace("http://", "ws://"), f"viser-v{viser.__version__}"
    with contextlib.closing(Chromium()) as page:  # its own browser: what is refused is on the console, some of it late
        attempt = page.driver.execute_async_script
        page.open(viewer.url)
        assert attempt(CONNECT, socket, protocol) == "open"
        assert attempt(CONNECT, f"ws://127.0.0.1:{viewer.port}/{'x' * 43}/", protocol) == "refused"
        assert attempt(CONNECT, socket.replace("127.0.0.1", "view.localhost"), protocol) == "refused"  # a foreign Host
        until(lambda: len(page.complaints()) >= 2, PATIENCE)  # of those that were refused
        with foreign_page() as address:
            page.open(address)
            until(lambda: "elsewhere" in page.text, PATIENCE)
            assert attempt(CONNECT, socket, protocol) == "refused"
        page.open(viewer.url.replace("127.0.0.1", "view.localhost"))
        until(lambda: "403" in page.text or "no name of this live view" in page.text, PATIENCE)
        page.open(f"http://127.0.0.1:{viewer.port}/")
        until(lambda: "open the one that opendynamics printed" in page.text, PATIENCE)
