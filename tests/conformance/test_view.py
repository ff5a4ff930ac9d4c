"""The rendered official examples: every business term with its value and its name in both languages.

UPDATE_VIEWS=1 writes the snapshots. Check the pages of `access-point render` when you use it.
"""
import datetime
import decimal
import os
import re
import subprocess

import pytest
from lxml import html

import product
import terms

VIEWS = product.HERE / "views"

# Files are shown with their size only.
NOT_SHOWN = {"IBT-125"}


def shown(value):
    """The forms in which a value may be displayed."""
    yield value
    digits, _, currency = value.partition(" ")
    yield f"{currency} {digits}" if currency else value
    # A rate and a quantity have no zeros at the end.
    if re.fullmatch(r"\d+(\.\d+)?", value):
        short = f"{decimal.Decimal(value).normalize():f}"
        yield f"{short}%"
        yield short
    try:
        day = datetime.date.fromisoformat(value)
        yield f"{day.day} {day:%b %Y}"
    except ValueError:
        pass


def read(place):
    """The words of an element, digits not grouped."""
    return " ".join(place.text_content().replace(",", "").replace("\xa0", " ").split())


def currency(place):
    """The currency in the heading of the column, with a space; empty elsewhere."""
    cell = next(iter(place.xpath("ancestor::td[1]")), None)
    if cell is None:
        return ""
    at = cell.getparent().index(cell)
    heading = cell.xpath("ancestor::table/thead/tr/th")[at]
    named = heading.get("data-currency")
    assert not named or named in read(heading), "a reader sees the currency"
    return f"{named} " if named else ""


def lines(page):
    """The words of a page from top to bottom: a line each for a heading, a sentence, a term with its value, a row."""
    for place in page.xpath("//h1|//h2|//h3|//p|//dl/div|//*[@class='facts']/div|//tr|//*[@class='finding']"):
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


def rendered(*arguments):
    command = [product.binary("ACCESS_POINT_BIN", "access-point"), "render", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """A document of this service."""
    body = product.EVENTS / "invoices" / "minimal.json"
    (path,) = product.convert("invoice", [body], tmp_path_factory.mktemp("ours"), product.TAXPAYERS / "falcon.json")
    return path


@pytest.mark.parametrize(("language", "names"), [("en", [True, False]), ("ar", [False, True]), ("both", [True, True])])
def test_a_page_is_in_the_language_that_is_asked_for(ours, language, names):
    done = rendered("--language", language, ours)
    assert done.returncode == 0, done.stderr
    page = html.fromstring(done.stdout)
    (term,) = page.xpath("//*[@class='facts']/div[.//@data-term='IBT-001']")
    arabic = any("\u0600" <= letter <= "\u06ff" for letter in read(term))
    assert ["Invoice number" in read(term), arabic] == names, read(term)
    assert page.get("lang") == ("ar" if language == "ar" else "en") and page.get("dir") == ("rtl" if language == "ar" else "ltr")


def test_the_annex_is_left_out_if_it_is_asked_for(ours):
    whole, body = (html.fromstring(rendered(*options).stdout) for options in ([ours], ["--no-annex", ours]))
    assert whole.find_class("annex") and not body.find_class("annex")
    term = "//*[@data-term='IBT-024']"
    assert whole.xpath(term) and not body.xpath(term)
    assert read(whole.find_class("facts")[0]) == read(body.find_class("facts")[0])


def test_what_was_found_stands_above_the_document_if_it_is_asked_for(ours, tmp_path):
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(ours.read_text().replace("<cbc:DocumentCurrencyCode>AED", "<cbc:DocumentCurrencyCode>XXY"))
    (page, plain, whole) = (rendered(*options) for options in (["--findings", wrong], [wrong], ["--findings", ours]))
    assert [done.returncode for done in (page, plain, whole)] == [0, 0, 0]
    found, none, nothing = (html.fromstring(done.stdout).find_class("finding") for done in (page, plain, whole))
    assert any("ibr-cl-04" in read(finding) for finding in found), page.stdout
    assert not none and not nothing


def test_what_is_no_such_document_keeps_no_other_back(ours, tmp_path):
    other, broken = tmp_path / "other.xml", tmp_path / "broken.xml"
    other.write_text("<other/>")
    broken.write_text("<Invoice")
    done = rendered("--out", tmp_path / "out", other, broken, ours)
    assert done.returncode == 1
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [str(other), str(broken)]
    assert [file.name for file in (tmp_path / "out").iterdir()] == [f"{ours.stem}.html"]


def test_nothing_is_written_where_two_documents_would_be_one_file(ours, tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    files = [folder / "same.xml" for folder in folders]
    for file in files:
        file.parent.mkdir()
        file.write_bytes(ours.read_bytes())
    for command in (["render"], ["content"], ["convert", "--operation", "invoice"]):
        out = tmp_path / "out"
        command = [product.binary("ACCESS_POINT_BIN", "access-point"), *command, "--out", out, *files]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 2 and not out.exists(), command
        assert all(str(file) in done.stderr for file in files), done.stderr


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
            for term in place.get("data-term").split():
                places.setdefault(term, []).append(currency(place) + read(place))
        whole = read(page)
        reading = terms.read(path)
        for key, found in reading.values.items():
            term = key.rsplit(" ", 1)[-1]
            if key.startswith("syntax") or term in NOT_SHOWN or "syntax" in key:
                continue
            for value in found:
                # A term that is neither in the body nor in the annex fails, unless it is shown elsewhere.
                where = places.get(term) or [whole]
                forms = [form.replace(",", "") for form in shown(" ".join(value.split()))]
                assert any(form in text for form in forms for text in where), (name, key, value, where)
                values += 1
        for place, _ in reading.unclaimed.items():
            assert page.xpath("//dt[contains(., $leaf)]", leaf=place.rsplit("/", 1)[-1]), (name, place)
    figures(f"{values} values of {len(officials)} official examples, shown by the names of their terms")
