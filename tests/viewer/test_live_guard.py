"""Only pages of the viewer's own origin, opened with its token, can see and change the scene."""

import contextlib
import http.client
from urllib.parse import urlsplit

import pytest

pytest.importorskip("viser", reason="the live view needs viser")

import viser
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import opendynamics as od
from opendynamics.viewer.live.guard import Guard, checked_origins
from tests.viewer.fake_browser import until
from tests.viewer.showing import show

PROTOCOL = [f"viser-v{viser.__version__}"]


def opened(url, **headers):
    """Whether a WebSocket to the view is let in."""
    try:
        with connect(
            url.replace("http://", "ws://"), subprotocols=PROTOCOL, additional_headers=headers, compression=None
        ):
            return True
    except InvalidStatus as error:
        assert error.response.status_code == 403
        return False


def answer(viewer, path, host=None):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=120)) as connection:
        connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{viewer.port}"})
        with connection.getresponse() as response:
            return response.status, response.read(), response


def test_a_foreign_origin_is_refused(live):
    """As of any web page that the user visits."""
    own = f"http://127.0.0.1:{live.port}"
    assert opened(live.url, Origin=own)
    assert opened(live.url)  # no browser
    for origin in ("http://evil.example", "https://127.0.0.1", f"http://localhost:{live.port}", "null", "file://"):
        assert not opened(live.url, Origin=origin), origin
    until(lambda: not live._server.get_clients())


def test_the_token_is_needed(live):
    bare = f"http://127.0.0.1:{live.port}"
    for url in (bare, f"{bare}/", f"{bare}/{'x' * 32}", live.url.rstrip("/")[:-1]):
        assert not opened(url, Origin=bare), url
    assert answer(live, "/")[0] == answer(live, "/index.html")[0] == 403
    assert b"open the one that opendynamics printed" in answer(live, "/")[1]


def test_two_views_have_two_tokens(live):
    with show(od.World(), threaded=False) as other:
        path = urlsplit(live.url).path
        assert path != urlsplit(other.url).path and len(path) > 30
        assert answer(live, path)[0] == 200 and answer(other, path)[0] == 403


def test_a_foreign_host_is_refused(live):
    """A name that was pointed at this machine: DNS rebinding."""
    path = urlsplit(live.url).path
    assert answer(live, path)[0] == 200
    assert answer(live, path, f"localhost:{live.port}")[0] == 200
    for host in ("evil.example", f"evil.example:{live.port}", "127.0.0.1.evil.example", "[", ""):
        assert answer(live, path, host or " ")[0] in (400, 403), host


def test_the_page_and_its_parts_are_served_under_the_token(live):
    path = urlsplit(live.url).path
    status, page, _ = answer(live, path)
    assert status == 200 and b"<html" in page.lower()
    status, _, response = answer(live, path.rstrip("/"))
    assert status == 307 and response.headers["Location"] == path
    assert answer(live, f"{path}../{path}")[0] == 404


def test_pages_of_a_proxy_may_be_let_in(world):
    with show(world, threaded=False, origins=["https://hub.example.org"]) as viewer:
        assert opened(viewer.url, Origin="https://hub.example.org")
        assert not opened(viewer.url, Origin="https://other.example.org")
        assert answer(viewer, urlsplit(viewer.url).path, "hub.example.org")[0] == 200


@pytest.mark.parametrize("origin", ["hub.example.org", "https://hub.example.org/path", "ftp://hub", 3])
def test_what_is_no_origin_is_refused(origin):
    with pytest.raises(ValueError, match=r"must be like 'https://hub.example.org'"):
        checked_origins([origin])


def test_who_listens_everywhere_knows_addresses_but_no_foreign_names():
    guard = Guard("0.0.0.0")
    path = f"/{guard.token}/"
    assert guard.problem(path, {"Host": "192.168.1.7:8080"}) == ""
    assert "no name of this live view" in guard.problem(path, {"Host": "evil.example:8080"})


def test_a_server_that_cannot_be_guarded_is_not_started():
    guard = Guard("127.0.0.1")
    with pytest.raises(RuntimeError, match="cannot be guarded"), guard.at_the_door():
        pass
