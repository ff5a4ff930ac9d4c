"""The pages and forms that there are, by the sources, and which of them were looked at in a browser."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .run import REPOSITORY

SOURCES = REPOSITORY / "shared" / "src" / "pages"
TEMPLATES = REPOSITORY / "shared" / "templates"
# A path, itself or by its name, with what answers it.
ROUTE = re.compile(r'(?:"(?P<path>/[^"]*)"|(?:(?P<module>\w+)::)?(?P<name>[A-Z]+|path)),\s*(?P<method>get|post)\(')
# A GET that is routed, however that is written: what ROUTE does not see is noticed by their number.
ANY_GET = re.compile(r"(?<![.:\w])(?<!fn )get\(\w")
FORM = re.compile(r'<form method="post"[^>]* action="\{\{ frame\.path\("([^"]+)"\)')
# What is no page: files, and what leads on. The empty path is that of Sandbox itself.
NO_PAGES = {
    "",
    "/",
    "/favicon.ico",
    "/login",
    "/assets/{name}",
    "/account/archives/{archive_id}/file",
    "/documents/{document_id}/pdf",
    "/oauth/authorize",
    "/organization/events/{event_id}/body",
    "/organization/taxpayers/{taxpayer_id}/documents/{document_id}/pdf",
    "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/result",
}

# Paths and languages of pages that were judged, and the forms that were sent, whatever mode they are of.
JUDGED: set[tuple[str, str]] = set()
PUSHED: set[str] = set()


def judged(url: str, language: str) -> None:
    JUDGED.add((below_mode(urlsplit(url).path), language))


def pushed(action: str) -> None:
    PUSHED.add(below_mode(action))


def below_mode(path: str) -> str:
    return path.removeprefix("/sandbox")


def pages() -> set[str]:
    """The paths of all pages, as the router has them."""
    found = set()
    for file in SOURCES.rglob("*.rs"):
        if "tests" in file.parts:
            continue
        text = file.read_text()
        routes = [route for route in ROUTE.finditer(text) if route["method"] == "get"]
        assert len(routes) == len(ANY_GET.findall(text)), f"{file} has pages at paths that are not understood here"
        found |= {below_mode(route["path"] or named(file, route)) for route in routes}
    return found - NO_PAGES


def named(file: Path, route: re.Match) -> str:
    """The path that a name stands for, in the same module or in another one beside it."""
    where = file if route["module"] is None else file.parent / f"{route['module']}.rs"
    return re.search(rf'(?:const|let) {route["name"]}(?:: &str)? = "([^"]+)"', where.read_text())[1]


def forms() -> set[str]:
    """Where the forms of all templates lead."""
    texts = [file.read_text() for file in TEMPLATES.rglob("*.html")]
    found = [action for text in texts for action in FORM.findall(text)]
    assert len(found) == sum(text.count('<form method="post"') for text in texts), "a form leads where is not understood here"
    return set(found)


def only_after(request: pytest.FixtureRequest, tests: set[str]) -> None:
    """Skips a test that says what is missing, unless all of these files of tests ran before it, and could look at something."""
    ran = {item.module.__name__ for item in request.session.items}
    if tests - ran or request.config.option.keyword or not JUDGED:
        pytest.skip("only after all tests of pages, in a browser")


def not_judged(language: str) -> set[str]:
    """The pages that nobody looked at in a language."""
    looked_at = [path for path, spoken in JUDGED if spoken == language]
    return {page for page in pages() if not any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", page), path) for path in looked_at)}


def not_pushed() -> set[str]:
    """The forms that nobody sent."""
    return forms() - PUSHED
