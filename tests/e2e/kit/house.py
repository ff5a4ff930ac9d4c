"""All pages and forms from the sources, and those that a browser has checked."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .run import REPOSITORY

SOURCES = REPOSITORY / "shared" / "src" / "pages"
TEMPLATES = REPOSITORY / "shared" / "templates"
# A path, literal or by its constant, with its handler.
ROUTE = re.compile(r'(?:"(?P<path>/[^"]*)"|(?:(?P<module>\w+)::)?(?P<name>[A-Z]+|path)),\s*(?P<method>get|post)\(')
# Any routed GET, however it is written; a different count shows routes that ROUTE misses.
ANY_GET = re.compile(r"(?<![.:\w])(?<!fn )get\(\w")
FORM = re.compile(r'<form method="post"[^>]* action="\{\{ frame\.path\("([^"]+)"\)')
# Routes that are not pages: files and redirects.
NO_PAGES = {
    "/favicon.ico",
    "/login",
    "/assets/{name}",
    "/account/archives/{archive_id}/file",
    "/account/business/logo.png",
    "/documents/csv",
    "/documents/pdfs",
    "/documents/{document_id}/pdf",
    "/oauth/authorize",
    "/organization/documents/csv",
    "/organization/documents/pdfs",
    "/organization/events/{event_id}/body",
    "/organization/imports/template",
    "/organization/logos/{taxpayer_id}/logo.png",
    "/organization/taxpayers/{taxpayer_id}/documents/csv",
    "/organization/taxpayers/{taxpayer_id}/documents/pdfs",
    "/organization/taxpayers/{taxpayer_id}/documents/{document_id}/pdf",
    "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/preview",
    "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/refused",
    "/organization/taxpayers/{taxpayer_id}/imports/{import_id}/result",
    # It leads to the document, as soon as that was sent.
    "/organization/taxpayers/{taxpayer_id}/write/{import_id}",
}

# Paths and languages of checked pages, and submitted forms, in either mode.
JUDGED: set[tuple[str, str]] = set()
PUSHED: set[str] = set()


def judged(url: str, language: str) -> None:
    JUDGED.add((below_mode(urlsplit(url).path), language))


def pushed(action: str) -> None:
    PUSHED.add(below_mode(action))


def below_mode(path: str) -> str:
    return path.removeprefix("/sandbox")


def pages() -> set[str]:
    """The paths of all pages, from the router."""
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
    """The path in a constant of the same module or of a neighbour."""
    module = file.parent / f"{route['module']}.rs"
    where = file if route["module"] is None else module if module.exists() else module.with_suffix("") / "mod.rs"
    return re.search(rf'(?:const|let) {route["name"]}(?:: &str)? = "([^"]+)"', where.read_text())[1]


def forms() -> set[str]:
    """The actions of the forms of all templates."""
    texts = [file.read_text() for file in TEMPLATES.rglob("*.html")]
    found = [action for text in texts for action in FORM.findall(text)]
    assert len(found) == sum(text.count('<form method="post"') for text in texts), "a form leads where is not understood here"
    return set(found)


def only_after(request: pytest.FixtureRequest, tests: set[str]) -> None:
    """Skips a test of completeness, unless all of these test files ran before it with a browser."""
    ran = {item.module.__name__ for item in request.session.items}
    if tests - ran or request.config.option.keyword or not JUDGED:
        pytest.skip("only after all tests of pages, in a browser")


def not_judged(language: str) -> set[str]:
    """The pages that were not checked in a language."""
    looked_at = [path for path, spoken in JUDGED if spoken == language]
    return {page for page in pages() if not any(re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", page), path) for path in looked_at)}


def not_pushed() -> set[str]:
    """The forms that were not submitted."""
    return forms() - PUSHED
