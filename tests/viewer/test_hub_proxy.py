"""The live view in a notebook on a JupyterHub: the address in the notebook leads through the hub's proxy to the view."""

import http.client
import re

import pytest

pytest.importorskip("viser", reason="the live view needs viser")

from websockets.exceptions import InvalidStatus

from tests.viewer.fake_browser import FakeBrowser, until
from tests.viewer.hub_proxy import HUB, PREFIX, HubProxy
from tests.viewer.showing import show


@pytest.fixture
def proxy(monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", PREFIX)
    with HubProxy() as proxy:
        yield proxy


def got(port, path):
    """Status and text of a page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        response = connection.getresponse()
        return response.status, response.read().decode("utf-8", "replace")
    finally:
        connection.close()


def address_in(page):
    return re.search(r'<iframe src="([^"]+)"', page)[1]


def test_the_address_in_a_notebook_shows_the_view_by_the_proxy(world, proxy):
    with show(world, origins=[f"https://{HUB}"]) as viewer:
        path = address_in(viewer._repr_html_())
        assert path.startswith(f"{PREFIX}proxy/{viewer.port}/")
        status, page = got(proxy.port, path)
        assert status == 200 and "<html" in page
        files = re.findall(r'(?:src|href)="([^"#:]+)"', page)  # of the page's own scripts, relative to it
        assert all(not name.startswith("/") for name in files), files
        for name in files:
            assert got(proxy.port, path + name.removeprefix("./"))[0] == 200, name
        browser = FakeBrowser(f"http://127.0.0.1:{proxy.port}{path}", origin=f"http://127.0.0.1:{proxy.port}")
        try:
            until(lambda: browser.counts["batched_positions"] > 2)
            until(lambda: len(viewer._server.get_clients()) == 1)
        finally:
            browser.close()


def test_a_proxy_that_was_not_named_is_refused(world, proxy):
    with show(world) as viewer:
        path = f"{PREFIX}proxy/{viewer.port}{viewer.url.partition(str(viewer.port))[2]}"
        assert got(proxy.port, path)[0] == 403
        with pytest.raises(InvalidStatus):
            FakeBrowser(f"http://127.0.0.1:{proxy.port}{path}", origin=f"http://127.0.0.1:{proxy.port}")
    assert proxy.paths
