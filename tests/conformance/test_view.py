"""What people read of the official examples: every business term with its value, by its name in both languages."""
import datetime
import subprocess

from lxml import html

import product
import terms

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


def test_every_term_of_the_official_examples_is_shown_by_its_name(officials, figures, tmp_path):
    command = [product.binary("ACCESS_POINT_BIN", "access-point"), "render", "--language", "both", "--out", tmp_path]
    values = 0
    for name, path in officials.items():
        done = subprocess.run([*command, path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        page = html.parse(str(tmp_path / f"{path.stem}.html")).getroot()
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
