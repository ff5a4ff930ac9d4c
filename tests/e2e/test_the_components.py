"""The page of components: every part of the pages in every state, in a real browser. `tests/run unit` writes it, since it is no page of
the service; style sheet, script and icon come from the service."""

import httpx
import pytest

from kit.run import REPOSITORY
from kit.served import site

RENDERED = REPOSITORY / ".local" / "rendered"


@pytest.fixture(scope="module")
def shown(run):
    """The address of the rendered pages, beside the assets of the service."""

    def answer(path):
        file = RENDERED / f"{path.removeprefix('/')}.html"
        if file.is_file():
            return 200, {"content-type": "text/html; charset=utf-8"}, file.read_bytes()
        asset = httpx.get(run.api_url + path, trust_env=False).raise_for_status()
        return 200, {"content-type": asset.headers["content-type"]}, asset.content

    with site(answer) as address:
        yield address


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_in_every_state_is_judged(browser, axe, shown, theme, language):
    name = f"components-{theme}.{language}"
    if not (RENDERED / f"{name}.html").is_file():
        pytest.skip("!!! tests/run unit has not written the page of components !!!")
    browser.open(f"{shown}/{name}")
    browser.judge(f"components-{theme}", axe, briefly=True)
