"""A notebook, executed by a kernel and opened in a browser: pictures, plots, films and the live view in its outputs."""

import base64
import os
import re

import numpy as np
import pytest

import opendynamics as od

pytest.importorskip("viser", reason="the live view needs viser")
pytest.importorskip("PIL.Image", reason="pictures need Pillow")

from tests.viewer.fake_browser import until

CELLS = (
    """
import opendynamics as od

world = od.World(gravity=(0, 0, -9.81), name="lab")
world.add_plane()
for k in range(5):
    world.add_body(od.Box((0.4, 0.4, 0.4)), position=(0.05 * k, 0, 0.3 + 0.45 * k), color="orange")
world
""",
    """
with od.Video("fall.mp4", fps=10, size=(160, 90)) as film:
    for _ in range(6):
        world.advance(0.01, steps=10)
        film.add(world)
film
""",
    'od.plot({"height": [1.0, 0.5, 0.0], "speed": [0.0, 1.0, 2.0]}, times=[0, 1, 2])',
    "viewer = od.view(world)\nviewer",
    """
for _ in range(300):  # beside the view, which runs
    world.advance(0.002)
assert viewer.playing and viewer.error is None
""",
)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The cells after they were executed, while their kernel still runs."""
    nbclient = pytest.importorskip("nbclient", reason="notebooks are executed by nbclient")
    pytest.importorskip("ipykernel", reason="notebooks need a kernel")
    pytest.importorskip("matplotlib")
    import nbformat.v4 as made

    folder = tmp_path_factory.mktemp("notebook")
    notebook = made.new_notebook(cells=[made.new_code_cell(text.strip()) for text in CELLS])
    client = nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    far = ("SSH_CONNECTION", "JUPYTERHUB_SERVICE_PREFIX", "COLAB_RELEASE_TAG")
    kept = {name: os.environ.pop(name) for name in far if name in os.environ}
    try:
        with client.setup_kernel(cwd=str(folder)):
            for number, cell in enumerate(notebook.cells):
                client.execute_cell(cell, number)
            yield notebook
    finally:
        os.environ.update(kept)


def shown(notebook, cell, kind):
    """The output of a cell, of one kind; nothing else may be printed."""
    outputs = notebook.cells[cell].outputs
    assert [output.output_type for output in outputs] == ["execute_result"], outputs
    return outputs[0].data[kind]


@pytest.mark.slow
def test_a_world_is_a_picture(executed):
    data = re.search(r'src="data:image/png;base64,([^"]+)"', shown(executed, 0, "text/html"))[1]
    assert base64.b64decode(data)[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
def test_a_film_is_shown_inline(executed):
    data = re.search(r'<video controls loop src="data:video/mp4;base64,([^"]+)"', shown(executed, 1, "text/html"))[1]
    assert base64.b64decode(data)[4:8] == b"ftyp"


@pytest.mark.slow
def test_a_plot_is_shown_inline(executed):
    assert base64.b64decode(shown(executed, 2, "image/png"))[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.slow
def test_steps_beside_the_view_wait_their_turn_and_nothing_is_printed(executed):
    assert executed.cells[4].outputs == []


@pytest.mark.slow
def test_the_page_in_a_browser(executed, tmp_path):
    """The outputs on a page, as a notebook has them: the live view connects and moves."""
    selenium = pytest.importorskip("tests.viewer.chromium", reason="the browser is driven by selenium")
    if selenium.programs() is None:
        pytest.skip("chromium or chromedriver is not installed")
    picture = shown(executed, 2, "image/png")
    parts = [shown(executed, k, "text/html") for k in (0, 1)]
    parts += [f'<img src="data:image/png;base64,{picture}" width="480">', shown(executed, 3, "text/html")]
    page = tmp_path / "notebook.html"
    page.write_text("<html><body>" + "".join(f"<div>{part}</div>" for part in parts) + "</body></html>")
    chromium = selenium.Chromium(1000, 2000)
    try:
        chromium.open(page.as_uri())
        sizes = "return [...document.querySelectorAll('img')].map(picture => picture.naturalWidth)"
        until(lambda: min(chromium.driver.execute_script(sizes)) > 400, selenium.PATIENCE)
        ready = "return document.querySelector('video').readyState"
        until(lambda: chromium.driver.execute_script(ready) >= 2, selenium.PATIENCE)  # it can be played
        chromium.driver.switch_to.frame(chromium.driver.find_element("tag name", "iframe"))
        until(lambda: chromium.time >= 0.0, selenium.PATIENCE)
        first = chromium.time
        until(lambda: chromium.time > first, selenium.PATIENCE)
        chromium.driver.switch_to.default_content()
        until(lambda: chromium.screen().std() > 20, selenium.PATIENCE)
    finally:
        chromium.close()


def test_films_and_plots_show_themselves_as_far_as_they_can(tmp_path):
    pytest.importorskip("matplotlib")
    film = od.Video(tmp_path / "none.gif")
    assert film._repr_html_().startswith("<pre>&lt;Video")
    film.add(np.zeros((20, 30, 3), np.uint8))
    assert "unfinished film of 1 frame," in repr(film)
    film.close()
    data = re.fullmatch(r'<img alt="" src="data:image/gif;base64,([^"]+)">', film._repr_html_())[1]
    assert base64.b64decode(data) == (tmp_path / "none.gif").read_bytes()
    figure = od.plot({"height": [1.0, 0.0]})
    assert figure._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_hub_shows_the_view_by_its_proxy(monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/me/")
    world = od.World()
    with od.view(world, block=False, open_browser=False, quiet=True, origins=["https://hub.example.org"]) as viewer:
        port, token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([^/]+)/", viewer.url).groups()
        assert f'<iframe src="/user/me/proxy/{port}/{token}/"' in viewer._repr_html_()
