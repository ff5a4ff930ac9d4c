"""The page of components: every part of the pages in every state, in a real browser. `tests/run unit` writes it, since it is no page of
the service; style sheet, script and icon come from the service."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from kit.run import REPOSITORY

RENDERED = REPOSITORY / ".local" / "rendered"


@pytest.fixture(scope="module")
def shown(run):
    """The address of the rendered pages, beside the assets of the service."""

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self):
            file = RENDERED / f"{self.path.removeprefix('/')}.html"
            if file.is_file():
                content, kind = file.read_bytes(), "text/html; charset=utf-8"
            else:
                asset = httpx.get(run.api_url + self.path, trust_env=False).raise_for_status()
                content, kind = asset.content, asset.headers["content-type"]
            self.send_response(200)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_in_every_state_is_judged(browser, axe, shown, theme, language):
    name = f"components-{theme}.{language}"
    if not (RENDERED / f"{name}.html").is_file():
        pytest.skip("!!! tests/run unit has not written the page of components !!!")
    browser.open(f"{shown}/{name}")
    browser.judge(f"components-{theme}", axe, briefly=True)
