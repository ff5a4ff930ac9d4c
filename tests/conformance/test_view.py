"""What people read of the official examples: every business term with its value, by its name in both languages.

UPDATE_VIEWS=1 writes the snapshots anew; whoever does that looks at the pages, which `access-point render` makes.
"""
import datetime
import os
import subprocess

import pytest
from lxml import html

import product
import terms

VIEWS = product.HERE / "views"

# Files are shown by their size.
NOT_SHOWN = {"IBT-125"}


def shown(value):
    """A value in the forms in which it may be read."""
    yield value
    digits, _, currency = value.partition(" ")
    yield f"{currency} {digits}" if currency else value
    yield f"{value}%"
    try:
        day = datetime.date.fromisoformat(value)
        yield f"{day.day} {day:%b %Y}"
    except ValueError:
        pass


def read(place):
    """The words of an element, digits not grouped."""
    return " ".join(place.text_content().replace(",", "").replace("\xa0", " ").split())


def lines(page):
    """The words of a page from top to bottom: a line each for a heading, a sentence, a term with its value, a row."""
    for place in page.xpath("//h1|//h2|//h3|//p|//dl/div|//tr[not(@class='rest')]|//*[@class='finding']"):
        parts = place.xpath("./dt|./dd|./th|./td") or [place]
        yield "  " * (place.tag == "div") + " | ".join(" ".join(" ".join(part.itertext()).split()) for part in parts)


@pytest.fixture(scope="module")
def pages(officials, tmp_path_factory):
    """The pages of the official examples in both languages, by name."""
    out = tmp_path_factory.mktemp("pages")
    command = [product.binary("ACCESS_POINT_BIN", "access-point"), "render", "--language", "both", "--out", out]
    found = {}
    for name, path in officials.items():
        done = subprocess.run([*command, path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found[name] = html.parse(str(out / f"{path.stem}.html")).getroot()
    return found


def test_the_official_examples_read_as_they_did(pages):
    shown = {name: "\n".join(lines(page)) + "\n" for name, page in pages.items()}
    if os.environ.get("UPDATE_VIEWS"):
        for name, text in shown.items():
            file = VIEWS / f"{name}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    kept = {str(file.relative_to(VIEWS).with_suffix("")): file.read_text() for file in VIEWS.rglob("*.txt")}
    assert shown.keys() == kept.keys()
    for name, text in shown.items():
        assert text.splitlines() == kept[name].splitlines(), name


def test_every_term_of_the_official_examples_is_shown_by_its_name(officials, pages, figures):
    values = 0
    for name, path in officials.items():
        page = pages[name]
        assert not page.xpath("//script|//link|//img|//iframe|//@src|//@href"), "nothing from elsewhere"
        places: dict = {}
        for place in page.xpath("//*[@data-term]"):
            places.setdefault(place.get("data-term"), []).append(read(place))
        whole = read(page)
        reading = terms.read(path)
        for key, found in reading.values.items():
            term = key.rsplit(" ", 1)[-1]
            if key.startswith("syntax") or term in NOT_SHOWN or "syntax" in key:
                continue
            for value in found:
                # A term that is an attribute is shown with the one that it tells more of.
                where = places.get(term) or [whole]
                forms = [form.replace(",", "") for form in shown(" ".join(value.split()))]
                assert any(form in text for form in forms for text in where), (name, key, value, where)
                values += 1
        for place, _ in reading.unclaimed.items():
            assert page.xpath("//dt[contains(., $leaf)]", leaf=place.rsplit("/", 1)[-1]), (name, place)
    figures(f"{values} values of {len(officials)} official examples, shown by the names of their terms")
